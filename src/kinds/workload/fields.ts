import { patterns } from '../../base/text/patterns.ts';
import {
  constant,
  fields,
  flag,
  free,
  freeObject,
  integer,
  keyed,
  link,
  oneOf,
  optional,
  responseOnly,
  set,
  statedKey,
  stored,
  text,
} from '../../schema/facts/define.ts';
import { longestSchedule } from '../../schema/facts/limits.ts';
import { grantsLater, interrupts, onlyMetadata, reschedules, restarts } from '../../schema/facts/riskFacts.ts';
import { workloadTypes } from '../../schema/facts/workloadTypes.ts';
import { workloadHealth, workloadStatus } from '../common/answers.ts';
import { envelope, inGvc } from '../common/fields.ts';
import { sidecar } from '../common/proxy/sidecar.ts';
import { container } from './container.ts';
import { firewallConfig } from './firewall.ts';
import { loadBalancer } from './loadBalancer.ts';
import { defaultOptions, localOptionsItem } from './options.ts';

/** `cron` only: when and how it runs (platform/workload.job). */
const job = fields(
  {
    schedule: text({}, { minLength: 1, maxLength: longestSchedule }),
    concurrencyPolicy: optional(oneOf(['Forbid', 'Replace', 'Allow'], constant('Forbid'))),
    historyLimit: optional(integer({ ...constant(5), ...onlyMetadata })),
    restartPolicy: optional(oneOf(['Never', 'OnFailure'], constant('Never'))),
    activeDeadlineSeconds: optional(integer({}, { minimum: 1, maximum: 86_400 })),
  },
  reschedules,
);

const rolloutOptions = fields({
  minReadySeconds: optional(integer(constant(0), { minimum: 0 })),
  maxUnavailableReplicas: optional(text({}, { pattern: patterns.replicas.pattern })),
  maxSurgeReplicas: optional(text({}, { pattern: patterns.replicas.pattern })),
  scalingPolicy: optional(oneOf(['OrderedReady', 'Parallel'], constant('OrderedReady'))),
  terminationGracePeriodSeconds: optional(integer(constant(90), { minimum: 0, maximum: 3600 })),
});

const userId = { minimum: 1, maximum: 65_534 };

const securityOptions = fields({
  filesystemGroupId: optional(integer({}, userId)),
  runAsUser: optional(integer({}, userId)),
});

const retryOn = [
  'connect-failure',
  'refused-stream',
  'unavailable',
  'cancelled',
  'resource-exhausted',
  'retriable-status-codes',
] as const;

const requestRetryPolicy = fields({
  attempts: optional(integer(constant(2), { minimum: 0 })),
  retryOn: optional(set(text(), constant([...retryOn]))),
});

const extras = fields(
  {
    affinity: optional(free({ orJsonText: true })),
    tolerations: optional(free({ orJsonText: true })),
    topologySpreadConstraints: optional(free({ orJsonText: true })),
  },
  { ...reschedules, orJsonText: true },
);

const workloadSpec = fields({
  type: oneOf(workloadTypes, { ...stored('serverless'), ...interrupts, immutable: true, extensions: ['vm'] }),
  identityLink: optional(link(['identity'], 'hard', { inOwnGvc: true }, grantsLater)),
  containers: keyed(container, statedKey('name'), { firstWith: ['ports', 'port'] }),
  firewallConfig: optional(firewallConfig),
  defaultOptions: optional(defaultOptions),
  localOptions: optional(
    keyed(localOptionsItem, {
      parts: [{ fields: ['location'] }],
      compare: 'lastSegment',
      evidence: 'proposed',
    }),
  ),
  job: optional(job),
  sidecar: optional(sidecar(['secret'])),
  loadBalancer: optional(loadBalancer),
  supportDynamicTags: optional(flag(constant(false))),
  rolloutOptions: optional(rolloutOptions),
  securityOptions: optional(securityOptions),
  requestRetryPolicy: optional(requestRetryPolicy),
  extras: optional(extras),
  vm: optional(freeObject(reschedules)),
});

/** A set of containers of one type, run in the locations of its GVC (platform/workload). */
export const workloadFields = fields(
  {
    ...envelope,
    ...inGvc,
    status: responseOnly(workloadStatus),
    health: responseOnly(workloadHealth),
    spec: workloadSpec,
  },
  restarts,
);
