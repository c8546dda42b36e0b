import type { TObject, TSchema } from 'typebox';
import type { KnownKind } from '../schema/record/kinds.ts';
import { agent } from './agent/fields.ts';
import { auditctx } from './auditctx/fields.ts';
import { cloudaccount } from './cloudaccount/fields.ts';
import { deployment } from './deployment/fields.ts';
import { domain } from './domain/fields.ts';
import { group } from './group/fields.ts';
import { gvc } from './gvc/fields.ts';
import { identity } from './identity/fields.ts';
import { image } from './image/fields.ts';
import { ipset } from './ipset/fields.ts';
import { targetKinds } from './kindFacts.ts';
import { location } from './location/fields.ts';
import { org } from './org/fields.ts';
import { policy } from './policy/fields.ts';
import { quota } from './quota/fields.ts';
import { secret, secretData } from './secret/fields.ts';
import { serviceaccount } from './serviceaccount/fields.ts';
import { task } from './task/fields.ts';
import { user } from './user/fields.ts';
import { volumeset } from './volumeset/fields.ts';
import { workload } from './workload/fields.ts';

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
  policy: policy(targetKinds),
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
