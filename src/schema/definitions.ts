import type { TObject, TSchema } from 'typebox';
import type { Kind } from './kinds.ts';
import { cloudaccount } from './kinds/cloudaccount.ts';
import { domain } from './kinds/domain.ts';
import { group } from './kinds/group.ts';
import { gvc } from './kinds/gvc.ts';
import { identity } from './kinds/identity.ts';
import { ipset } from './kinds/ipset.ts';
import { location } from './kinds/location.ts';
import { org } from './kinds/org.ts';
import { agent, auditctx, serviceaccount } from './kinds/plain.ts';
import { policy } from './kinds/policy.ts';
import { deployment, image, quota, task, user } from './kinds/readOnly.ts';
import { secret, secretData } from './kinds/secret.ts';
import { volumeset } from './kinds/volumeset.ts';
import { workload } from './kinds/workload/workload.ts';

/** The one definition of each kind: types, JSON Schema, validators and shapes all come from it. */
export const definitions: Readonly<Record<Kind, TObject>> = {
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

export const variants: Readonly<Partial<Record<Kind, Variants>>> = {
  secret: { by: 'type', field: 'data', definitions: secretData },
};
