import type { TObject, TSchema } from 'typebox';
import type { KnownKind } from '../record/kinds.ts';
import { cloudaccount } from './cloudaccount.ts';
import { domain } from './domain.ts';
import { group } from './group.ts';
import { gvc } from './gvc.ts';
import { identity } from './identity.ts';
import { ipset } from './ipset.ts';
import { location } from './location.ts';
import { org } from './org.ts';
import { agent, auditctx, serviceaccount } from './plain.ts';
import { policy } from './policy.ts';
import { deployment, image, quota, task, user } from './readOnly.ts';
import { secret, secretData } from './secret.ts';
import { volumeset } from './volumeset.ts';
import { workload } from './workload.ts';

/** The one definition of each kind: types, JSON Schema, validators and shapes all come from it. */
export const definitions: Readonly<Record<KnownKind, TObject>> = {
  agent,
  auditctx,
  cloudaccount,
  deployment,
  domain,
  group,
  gvc,
  identity,
  image,
  ipset,
  location,
  org,
  policy,
  quota,
  secret,
  serviceaccount,
  task,
  user,
  volumeset,
  workload,
};

/** A field whose definition depends on the value of another field of the record. */
export interface Variants {
  readonly by: string;
  readonly field: string;
  readonly definitions: Readonly<Record<string, TSchema>>;
}

export const variants: Readonly<Partial<Record<KnownKind, Variants>>> = {
  secret: { by: 'type', field: 'data', definitions: secretData },
};
