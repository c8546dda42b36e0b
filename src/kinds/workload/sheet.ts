import { patterns } from '../../base/text/patterns.ts';
import {
  constant,
  derived,
  fields,
  flag,
  free,
  freeObject,
  integer,
  keyed,
  link,
  map,
  nameOrObject,
  oneOf,
  operational,
  optional,
  proposedKey,
  quantity,
  responseOnly,
  sequence,
  service,
  set,
  statedKey,
  stored,
  text,
  textLike,
} from '../../schema/facts/define.ts';
import type { FieldFacts } from '../../schema/facts/fieldFacts.ts';
import { longestSchedule } from '../../schema/facts/limits.ts';
import {
  allows,
  allowsByType,
  allowsOnly,
  blocks,
  changesEndpoints,
  grants,
  grantsLater,
  interrupts,
  movesCapacity,
  onlyMetadata,
  opens,
  opensBeside,
  reschedules,
  reserves,
  reservesIfSet,
  reservesMost,
  restarts,
  saves,
  sharesLoad,
  suspends,
} from '../../schema/facts/riskFacts.ts';
import { workloadTypes } from '../../schema/facts/workloadTypes.ts';
import { workloadHealth, workloadStatus } from '../common/answers.ts';
import { usualPermissions } from '../common/facts.ts';
import { containerVolumes, envelope, environment, inGvc, portNumber, toggle } from '../common/fields.ts';
import type { Sheet } from '../common/sheet.ts';
import { sidecar } from '../common/sidecar.ts';

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

const metricTypes = ['AverageValue', 'Value', 'Utilization'] as const;

const trigger = fields({
  type: text({}, { minLength: 1 }),
  metadata: optional(map(textLike())),
  name: optional(text()),
  useCachedMetrics: optional(flag(constant(false))),
  metricType: optional(oneOf(metricTypes, constant('AverageValue'))),
  authenticationRef: optional(fields({ name: link(['secret'], 'soft', { orName: true, needed: true }) })),
});

const keda = fields({
  triggers: optional(keyed(trigger, proposedKey('name'))),
  advanced: optional(
    fields({
      scalingModifiers: optional(
        fields({
          target: optional(text()),
          activationTarget: optional(text()),
          metricType: optional(oneOf(metricTypes, constant('AverageValue'))),
          formula: optional(text()),
        }),
      ),
    }),
  ),
  fallback: optional(
    fields({
      failureThreshold: integer({}, { minimum: 0 }),
      replicas: integer(reservesIfSet, { minimum: 0 }),
      behavior: optional(
        oneOf(['static', 'currentReplicas', 'currentReplicasIfHigher', 'currentReplicasIfLower'], constant('static')),
      ),
    }),
  ),
  pollingInterval: optional(integer({}, { minimum: 1 })),
  cooldownPeriod: optional(integer({}, { minimum: 1 })),
  initialCooldownPeriod: optional(integer({}, { minimum: 1 })),
});

const multi = keyed(
  fields({
    // The specification says that it is an object, without showing it; public clients send a name.
    metric: nameOrObject(['cpu', 'memory', 'rps']),
    target: integer(sharesLoad, { minimum: 1, maximum: 20_000 }),
  }),
  { ...proposedKey('metric'), compare: 'ignoreCase' },
);

/**
 * How replicas are added (platform/workload.options, platform/workload.autoscaling). The platform chooses omitted
 * values of metric, target and the two scales: never a difference.
 */
const autoscaling = fields(
  {
    metric: optional(
      oneOf(['concurrency', 'cpu', 'memory', 'rps', 'latency', 'keda', 'disabled'], {
        ...service,
        derive: 'autoscalingMetric',
        notBeside: ['multi', 'keda'],
        stored: true,
      }),
    ),
    multi: optional(multi),
    metricPercentile: optional(oneOf(['p50', 'p75', 'p99'], service)),
    target: optional(
      integer(
        { ...service, ...sharesLoad, derive: 'autoscalingTarget', notBeside: ['multi', 'keda'], stored: true },
        { minimum: 1, maximum: 20_000 },
      ),
    ),
    minScale: optional(integer({ ...service, ...reserves }, { minimum: 0 })),
    maxScale: optional(integer({ ...service, ...reservesMost }, { minimum: 0 })),
    scaleToZeroDelay: optional(integer({ ...constant(300), ...reserves }, { minimum: 30, maximum: 3600 })),
    maxConcurrency: optional(integer(constant(0), { minimum: 0, maximum: 30_000 })),
    keda: optional(keda),
  },
  movesCapacity,
);

const options = {
  autoscaling: optional(autoscaling),
  timeoutSeconds: optional(integer(constant(5), { minimum: 1, maximum: 3600 })),
  capacityAI: optional(flag({ ...saves, fill: 'derived', derive: 'capacityAI' })),
  capacityAIUpdateMinutes: optional(integer({}, { minimum: 2 })),
  spot: optional(flag({ ...constant(false), ...saves })),
  debug: optional(flag(operational(false))),
  suspend: optional(flag({ ...operational(false), ...suspends })),
  multiZone: optional(toggle(reschedules)),
};

/** Options for all locations (platform/workload.options). */
const defaultOptions = fields(options);

/**
 * Options for one location, given by name or link (platform/workload.fields, platform/workload.options). They replace
 * the default options as a whole: adding or removing the item changes every option, also those that it does not set.
 */
const localOptionsItem = fields({
  location: link(['location'], 'hard', { orName: true }, movesCapacity),
  ...options,
});

const block = patterns.block.pattern;

const external = fields({
  inboundAllowCIDR: addresses(allows, { maxItems: 250 }),
  inboundBlockedCIDR: addresses(blocks),
  outboundAllowHostname: optional(set(text({}, { maxLength: 128, pattern: patterns.hostname.pattern }), allows)),
  outboundAllowCIDR: addresses(allows),
  outboundBlockedCIDR: addresses(blocks),
  outboundAllowPort: optional(
    keyed(
      fields({ protocol: oneOf(['tcp', 'http', 'https']), number: integer({}, { minimum: 1, maximum: 65_535 }) }),
      { ...proposedKey('protocol', 'number'), compare: 'ignoreCase' },
      grants,
    ),
  ),
  http: optional(
    fields({
      inboundHeaderFilter: optional(
        keyed(
          fields({
            key: text({ ...blocks, ignoreCase: true }, { minLength: 1, maxLength: 128 }),
            allowedValues: optional(set(text(), allowsOnly)),
            blockedValues: optional(set(text(), blocks)),
          }),
          { ...proposedKey('key'), compare: 'ignoreCase' },
        ),
      ),
    }),
  ),
});

const internal = fields({
  inboundAllowType: optional(
    oneOf(['none', 'same-gvc', 'same-org', 'workload-list'], { ...constant('none'), ...allowsByType }),
  ),
  inboundAllowWorkload: optional(set(firewallPeer(), allows)),
});

/** Without it all traffic is blocked (platform/workload.firewall). */
const firewallConfig = fields({ external: optional(external), internal: optional(internal) }, changesEndpoints);

const direct = fields({
  enabled: flag(opens),
  ipSet: optional(link(['ipset'], 'soft')),
  ports: optional(
    keyed(
      fields({
        externalPort: integer({ risk: { ...opensBeside.risk, absentIs: 0 } }, { minimum: 22, maximum: 32_768 }),
        protocol: oneOf(['TCP', 'UDP']),
        scheme: optional(oneOf(['http', 'tcp', 'https', 'ws', 'wss'])),
        containerPort: optional(portNumber()),
      }),
      { ...proposedKey('externalPort', 'protocol'), compare: 'upperCase' },
    ),
  ),
});

/** How requests reach the replicas (platform/workload.load-balancer). */
const loadBalancer = fields(
  {
    replicaDirect: optional(flag(constant(false))),
    direct: optional(direct),
    geoLocation: optional(
      fields({
        enabled: optional(flag(constant(false))),
        headers: optional(fields({ asn: header(), city: header(), country: header(), region: header() })),
      }),
    ),
  },
  changesEndpoints,
);

const port = fields({
  protocol: optional(oneOf(['http', 'http2', 'grpc', 'tcp'], stored('http'))),
  number: portNumber(),
});

/** The specification says that it is an object, without showing its members; clients send the name. */
function gpuModel() {
  return nameOrObject(['t4', 'a10g']);
}

const gpu = fields(
  {
    nvidia: optional(
      fields({
        model: gpuModel(),
        quantity: optional(integer({ ...constant(1), ...reservesIfSet }, { minimum: 0, maximum: 4 })),
      }),
    ),
    custom: optional(
      fields({
        resource: text({}, { pattern: patterns.gpuResource.pattern, maxLength: 64 }),
        runtimeClass: optional(text({}, { maxLength: 64 })),
        quantity: integer(reservesIfSet, { minimum: 0, maximum: 8 }),
      }),
    ),
  },
  reschedules,
);

const hook = fields({ exec: optional(execAction()) });

const containerHeader = fields({ name: text(), value: optional(text({ emptyIsAbsent: true })) });

/** One container of a workload (platform/workload.containers). */
const container = fields({
  name: text({ spelling: 'container', ...reserves }, { minLength: 2, maxLength: 64 }),
  image: optional(text({ canonical: 'image' }, { minLength: 1 })),
  workingDir: optional(text({}, { pattern: patterns.absolutePath.pattern })),
  command: optional(text({}, { maxLength: 256 })),
  args: optional(sequence(text())),
  port: optional(portNumber({ ...changesEndpoints, shortFor: 'ports' })),
  ports: optional(keyed(port, proposedKey('number'), { ...changesEndpoints, firstWith: ['number'] })),
  cpu: optional(quantity('cpu', { ...stored('50m'), ...reserves })),
  memory: optional(quantity('memory', { ...stored('128Mi'), ...reserves })),
  minCpu: optional(quantity('cpu', reserves)),
  minMemory: optional(quantity('memory', reserves)),
  env: optional(environment()),
  inheritEnv: optional(flag(stored(false))),
  metrics: optional(
    fields({
      port: portNumber(),
      path: optional(text(stored('/metrics'), { maxLength: 128 })),
      dropMetrics: optional(set(text())),
    }),
  ),
  readinessProbe: optional(probe(constant(10))),
  // Its default changed over time: filled, but never a difference if omitted (platform/workload.probes).
  livenessProbe: optional(probe({ ...service, default: 60, stored: true })),
  gpu: optional(gpu),
  lifecycle: optional(fields({ postStart: optional(hook), preStop: optional(hook) })),
  volumes: optional(containerVolumes()),
});

/**
 * A health check of a container (platform/workload.containers, platform/workload.probes). Exactly one handler is rule
 * W27.
 */
function probe(initialDelay: FieldFacts) {
  return fields(
    {
      exec: optional(execAction()),
      grpc: optional(fields({ port: optional(portNumber({ fill: 'service' })) }, { presence: true })),
      tcpSocket: optional(fields({ port: optional(portNumber({ fill: 'service' })) }, { presence: true })),
      httpGet: optional(
        fields(
          {
            path: optional(text(stored('/'), { maxLength: 256 })),
            port: optional(portNumber(derived('firstContainerPort'))),
            httpHeaders: optional(keyed(containerHeader, proposedKey('name'))),
            scheme: optional(oneOf(['HTTP', 'HTTPS'], constant('HTTP'))),
          },
          { presence: true },
        ),
      ),
      initialDelaySeconds: optional(integer(initialDelay, { minimum: 0, maximum: 600 })),
      periodSeconds: optional(integer(constant(10), { minimum: 1, maximum: 600 })),
      timeoutSeconds: optional(integer(constant(1), { minimum: 1, maximum: 600 })),
      successThreshold: optional(integer(constant(1), { minimum: 1, maximum: 20 })),
      failureThreshold: optional(integer(constant(3), { minimum: 1, maximum: 20 })),
    },
    { presence: true },
  );
}

/** A command run in the container. */
function execAction() {
  return fields({ command: sequence(text(), {}, { minItems: 1 }) }, { presence: true });
}

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
const workloadFields = fields(
  {
    ...envelope,
    ...inGvc,
    status: responseOnly(workloadStatus),
    health: responseOnly(workloadHealth),
    spec: workloadSpec,
  },
  restarts,
);

export const workload = {
  singular: 'workload',
  plural: 'workloads',
  about: 'Containers that run in every location of a GVC: a service, a cron job, or (an extension) a virtual machine.',
  className: 'Workload',
  props: 'spec',
  discriminator: 'type',
  typeName: 'WorkloadFields',
  exampleName: 'api',
  hasQuota: true,
  permissions: [
    ...usualPermissions,
    'configureLoadBalancer',
    'connect',
    'exec',
    'exec.runCronWorkload',
    'exec.stopReplica',
  ],
  /** Writing any field, even a tag, makes a new version, which is rolled out. */
  risks: { create: 'cost-up', write: 'rolling-restart', delete: 'downtime' },
  becomesReady: true,
  runs: true,
  definition: workloadFields,
  client: async () => (await import('./client.ts')).workloadClient,
} satisfies Sheet;

function addresses(facts: FieldFacts, keywords = {}) {
  return optional(set(text({}, { pattern: block }), { ...facts, canonical: 'cidrs' }, keywords));
}

/**
 * A workload, an agent, or the platform's own `scheme://internal/keda` (platform/concepts.links,
 * platform/workload.firewall).
 */
function firewallPeer() {
  const peer = link(['workload', 'agent'], 'none');
  return { ...peer, pattern: patterns.firewallPeer.pattern };
}

function header() {
  return optional(text({}, { minLength: 1, maxLength: 128 }));
}
