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
import type { Validators } from '../schema/validation/validators.ts';

/** Of every kind that can be declared: a test waits for nothing. */
export const validators: Validators = new Map([
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
