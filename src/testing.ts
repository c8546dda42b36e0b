// The entry `gantry/testing`: for the tests of stacks. It loads every rule of the platform, which the main entry does not.

import type { IConstruct } from 'constructs';
import { validate as agent } from '#validators/agent';
import { validate as auditctx } from '#validators/auditctx';
import { validate as cloudaccount } from '#validators/cloudaccount';
import { validate as domain } from '#validators/domain';
import { validate as group } from '#validators/group';
import { validate as gvc } from '#validators/gvc';
import { validate as identity } from '#validators/identity';
import { validate as ipset } from '#validators/ipset';
import { validate as location } from '#validators/location';
import { validate as policy } from '#validators/policy';
import { validate as secret } from '#validators/secret';
import { validate as serviceaccount } from '#validators/serviceaccount';
import { validate as volumeset } from '#validators/volumeset';
import { validate as workload } from '#validators/workload';
import { StackError } from '../constructs/stackError.ts';
import { type SynthesizedDocument, synthesize } from '../constructs/synthesize.ts';
import { checkManifests } from './manifest/check/checkManifests.ts';
import type { JsonObject } from './schema/json/json.ts';
import type { Validators } from './schema/validation/validators.ts';

const validators: Validators = new Map([
  ['agent', agent],
  ['auditctx', auditctx],
  ['cloudaccount', cloudaccount],
  ['domain', domain],
  ['group', group],
  ['gvc', gvc],
  ['identity', identity],
  ['ipset', ipset],
  ['location', location],
  ['policy', policy],
  ['secret', secret],
  ['serviceaccount', serviceaccount],
  ['volumeset', volumeset],
  ['workload', workload],
]);

/** Where the resources of a test are: what the settings say elsewhere. */
export interface SynthOptions {
  /** @default test */
  readonly org?: string;
  /** What `gvc: { fromSettings: true }` stands for. */
  readonly gvc?: string;
}

/**
 * The manifests of a tree or a part of one, in the order in which they were made, checked by every rule that needs no
 * platform: what `gantry validate` finds, without a process or a file.
 *
 * Errors: `StackError` with everything that is wrong, each at the line of the stack that made the resource.
 */
export function synth(construct: IConstruct, { org = 'test', gvc }: SynthOptions = {}): readonly JsonObject[] {
  const documents = synthesize(construct);
  const { problems } = checkManifests(documents, {
    org,
    ...(gvc === undefined ? {} : { gvc }),
    validators,
  });
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new StackError(errors);
  return documents.map(({ value }: SynthesizedDocument) => value);
}

export { StackError };
