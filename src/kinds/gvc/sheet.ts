import {
  constant,
  fields,
  flag,
  integer,
  keyed,
  link,
  oneOf,
  optional,
  proposedKey,
  responseOnly,
  service,
  set,
  stored,
  text,
} from '../../schema/facts/define.ts';
import {
  changesEndpoints,
  enables,
  movesCapacity,
  ownEntrance,
  places,
  restarts,
  startsReplicas,
} from '../../schema/facts/riskFacts.ts';
import { commonAnswers } from '../common/answers.ts';
import { serving, usualPermissions } from '../common/facts.ts';
import { envelope, environment, query, toggle } from '../common/fields.ts';
import type { Sheet } from '../common/sheet.ts';
import { sidecar } from '../common/sidecar.ts';
import { tracing } from '../common/tracing.ts';

const staticPlacement = fields({
  locationLinks: optional(set(link(['location'], 'hard'), places)),
  locationQuery: optional(query(movesCapacity)),
  locationOptions: optional(
    keyed(
      fields({
        locationLink: link(['location'], 'hard'),
        routingTier: optional(integer({}, { minimum: 0 })),
        latencyOffsetMs: optional(integer(constant(0))),
        latencyToleranceMs: optional(integer({}, { minimum: 0 })),
      }),
      { ...proposedKey('locationLink'), compare: 'lastSegment' },
      changesEndpoints,
    ),
  ),
});

const loadBalancer = fields(
  {
    dedicated: optional(flag({ ...constant(false), ...ownEntrance })),
    multiZone: optional(toggle()),
    trustedProxies: optional(integer(constant(0), { minimum: 0, maximum: 2 })),
    redirect: optional(
      fields({ class: optional(fields({ status5xx: optional(text()), status401: optional(text()) })) }),
    ),
    ipSet: optional(link(['ipset'], 'soft')),
  },
  changesEndpoints,
);

const keda = fields({
  enabled: optional(flag({ ...constant(false), ...enables })),
  identityLink: optional(link(['identity'], 'second-step', { inOwnGvc: true, mayBeMissing: true })),
  secrets: optional(set(link(['secret'], 'hard', { mayBeMissing: true }), enables)),
});

const gvcSpec = fields(
  {
    staticPlacement: optional(staticPlacement),
    pullSecretLinks: optional(set(link(['secret'], 'hard'), startsReplicas)),
    domain: optional(text(changesEndpoints)),
    endpointNamingFormat: optional(
      oneOf(['default', 'legacy', 'org'], { ...service, ...changesEndpoints, default: 'org', stored: true }),
    ),
    aliasWorkloadLink: optional(
      link(['workload'], 'second-step', { inOwnGvc: true, mayBeMissing: true }, changesEndpoints),
    ),
    tracing: optional(tracing()),
    sidecar: optional(sidecar(['secret'])),
    env: optional(environment()),
    loadBalancer: optional(loadBalancer),
    keda: optional(keda),
  },
  stored({}),
);

/** Global virtual cloud (platform/gvc). */
const gvcFields = fields(
  { ...envelope, spec: optional(gvcSpec), alias: responseOnly(commonAnswers.lastingText) },
  restarts,
);

export const gvc = {
  singular: 'GVC',
  plural: 'GVCs',
  about: 'A global virtual cloud: a set of locations, and the settings that its workloads share.',
  className: 'Gvc',
  props: 'spec',
  typeName: 'GvcFields',
  exampleName: 'main',
  hasQuota: true,
  permissions: [...usualPermissions, 'configureLoadBalancer'],
  /** Its content is deleted with it, including endpoints; its volume sets are separate changes. */
  risks: serving,
  /** Deleting a GVC deletes everything in it (platform/deletion.cascade). */
  renaming: { why: 'everything in it would be created anew, and the content of the old one deleted', allowed: true },
  definition: gvcFields,
  client: async () => (await import('./client.ts')).gvcClient,
} satisfies Sheet;
