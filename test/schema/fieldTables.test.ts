import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../src/base/json/json.ts';
import type { KnownKind } from '../../src/schema/record/kinds.ts';
import { cipherSuites } from '../cipherSuites.ts';
import { schemaAt } from './schemaAt.ts';

/** Bounds, words and defaults of fields, from the platform's tables. */

const from = (minimum: number) => ({ type: 'integer', minimum });
const within = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum });
const numberFrom = (minimum: number) => ({ type: 'number', minimum });
const numberWithin = (minimum: number, maximum: number) => ({ type: 'number', minimum, maximum });
const omitted = (value: JsonValue) => ({ default: value });
const words = (...of: readonly string[]) => ({ enum: of.toSorted() });
/** A boolean that is false if omitted. */
const off = { type: 'boolean', default: false };
const anyPort = within(1, 65_535);

type Rows = readonly (readonly [path: string, is: object])[];

const query = (at: string): Rows => [
  [`${at}.fetch`, { ...words('items', 'links'), ...omitted('items') }],
  [`${at}.spec.match`, { ...words('all', 'any', 'none'), ...omitted('all') }],
  [
    `${at}.spec.terms[].op`,
    { ...words('=', '>', '>=', '<', '<=', '!=', '~', '=~', 'contains', 'exists', '!exists'), ...omitted('=') },
  ],
  [`${at}.spec.sort.order`, { ...words('asc', 'desc'), ...omitted('asc') }],
];

const environment = (at: string): Rows => [
  [`${at}[].name`, { maxLength: 120, pattern: '^[-._a-zA-Z][-._a-zA-Z0-9]*$' }],
  [`${at}[].value`, { maxLength: 4096 }],
];

const proxy = (at: string): Rows => [
  [`${at}.volumes`, { maxItems: 15 }],
  [`${at}.volumes[].recoveryPolicy`, { ...words('retain', 'recycle'), ...omitted('retain') }],
  [`${at}.volumes[].uri`, { pattern: '^[a-z0-9]+://' }],
  [`${at}.clusters[].name`, { minLength: 1 }],
  [`${at}.clusters[].type`, { enum: expect.arrayContaining(['STATIC']) }],
  [`${at}.accessLog[].priority`, within(0, 100)],
  [`${at}.http[].priority`, within(0, 100)],
  [`${at}.excludedRateLimit[].port`, anyPort],
  [`${at}.excludedExternalAuth[].svcPort`, anyPort],
];

const probe = (at: string): Rows => [
  [`${at}.exec.command`, { minItems: 1 }],
  [`${at}.httpGet.path`, { maxLength: 256, ...omitted('/') }],
  [`${at}.httpGet.scheme`, { ...words('HTTP', 'HTTPS'), ...omitted('HTTP') }],
  [`${at}.initialDelaySeconds`, within(0, 600)],
  [`${at}.periodSeconds`, { ...within(1, 600), ...omitted(10) }],
  [`${at}.timeoutSeconds`, { ...within(1, 600), ...omitted(1) }],
  [`${at}.successThreshold`, { ...within(1, 20), ...omitted(1) }],
  [`${at}.failureThreshold`, { ...within(1, 20), ...omitted(3) }],
];

const metricTypes = { ...words('AverageValue', 'Value', 'Utilization'), ...omitted('AverageValue') };

// biome-ignore format: a row is a case
const options = (at: string): Rows => [
  [`${at}.autoscaling.metric`, words('concurrency', 'cpu', 'memory', 'rps', 'latency', 'keda', 'disabled')],
  [`${at}.autoscaling.multi[].metric`, { type: ['string', 'object'], then: { enum: ['cpu', 'memory', 'rps'] } }],
  [`${at}.autoscaling.multi[].target`, within(1, 20_000)],
  [`${at}.autoscaling.metricPercentile`, words('p50', 'p75', 'p99')],
  [`${at}.autoscaling.target`, within(1, 20_000)],
  [`${at}.autoscaling.minScale`, from(0)],
  [`${at}.autoscaling.maxScale`, from(0)],
  [`${at}.autoscaling.scaleToZeroDelay`, { ...within(30, 3600), ...omitted(300) }],
  [`${at}.autoscaling.maxConcurrency`, { ...within(0, 30_000), ...omitted(0) }],
  [`${at}.autoscaling.keda.triggers[].type`, { minLength: 1 }],
  [`${at}.autoscaling.keda.triggers[].useCachedMetrics`, off],
  [`${at}.autoscaling.keda.triggers[].metricType`, metricTypes],
  [`${at}.autoscaling.keda.advanced.scalingModifiers.metricType`, metricTypes],
  [`${at}.autoscaling.keda.fallback.failureThreshold`, from(0)],
  [`${at}.autoscaling.keda.fallback.replicas`, from(0)],
  [`${at}.autoscaling.keda.fallback.behavior`,
    { ...words('static', 'currentReplicas', 'currentReplicasIfHigher', 'currentReplicasIfLower'),
      ...omitted('static') }],
  [`${at}.autoscaling.keda.pollingInterval`, from(1)],
  [`${at}.autoscaling.keda.cooldownPeriod`, from(1)],
  [`${at}.autoscaling.keda.initialCooldownPeriod`, from(1)],
  [`${at}.timeoutSeconds`, { ...within(1, 3600), ...omitted(5) }],
  [`${at}.capacityAIUpdateMinutes`, from(2)],
  [`${at}.spot`, off],
  [`${at}.debug`, off],
  [`${at}.suspend`, off],
  [`${at}.multiZone.enabled`, off],
];

const container = 'spec.containers[]';

// biome-ignore format: a row is a case
const tables: Readonly<Partial<Record<KnownKind, Rows>>> = {
  gvc: [['name', { minLength: 1 }], ['description', { maxLength: 250 }], ['tags', omitted({})],
    ['tags{}', { type: ['string', 'number', 'boolean', 'null'] }], ['spec', omitted({})],
    ...query('spec.staticPlacement.locationQuery'), ['spec.staticPlacement.locationOptions[].routingTier', from(0)],
    ['spec.staticPlacement.locationOptions[].latencyOffsetMs', { type: 'integer', ...omitted(0) }],
    ['spec.staticPlacement.locationOptions[].latencyToleranceMs', from(0)],
    ['spec.endpointNamingFormat', words('default', 'legacy', 'org')], ['spec.tracing.sampling', numberWithin(0, 100)],
    ['spec.tracing.customTags{}.literal.value', { maxLength: 50 }], ...environment('spec.env'),
    ...proxy('spec.sidecar.proxy'), ['spec.loadBalancer.dedicated', off], ['spec.loadBalancer.multiZone.enabled', off],
    ['spec.loadBalancer.trustedProxies', { ...within(0, 2), ...omitted(0) }], ['spec.keda.enabled', off]],
  workload: [['spec.type', { ...words('serverless', 'standard', 'stateful', 'cron', 'vm'), ...omitted('serverless') }],
    ['spec.supportDynamicTags', off], ['spec.securityOptions.filesystemGroupId', within(1, 65_534)],
    ['spec.securityOptions.runAsUser', within(1, 65_534)],
    ['spec.requestRetryPolicy.attempts', { ...from(0), ...omitted(2) }],
    ['spec.requestRetryPolicy.retryOn',
      omitted(['connect-failure', 'refused-stream', 'unavailable', 'cancelled', 'resource-exhausted',
          'retriable-status-codes'])], [`${container}.name`, { minLength: 2, maxLength: 64 }],
    [`${container}.image`, { minLength: 1 }], [`${container}.workingDir`, { pattern: '^/' }],
    [`${container}.command`, { maxLength: 256 }], [`${container}.port`, anyPort],
    [`${container}.ports[].protocol`, { ...words('http', 'http2', 'grpc', 'tcp'), ...omitted('http') }],
    [`${container}.ports[].number`, anyPort], [`${container}.cpu`, { maxLength: 20, ...omitted('50m') }],
    [`${container}.memory`, { maxLength: 20, ...omitted('128Mi') }], [`${container}.minCpu`, { maxLength: 20 }],
    [`${container}.minMemory`, { maxLength: 20 }], ...environment(`${container}.env`), [`${container}.inheritEnv`, off],
    [`${container}.metrics.port`, anyPort], [`${container}.metrics.path`, { maxLength: 128, ...omitted('/metrics') }],
    ...probe(`${container}.readinessProbe`), ...probe(`${container}.livenessProbe`),
    [`${container}.readinessProbe.initialDelaySeconds`, omitted(10)],
    [`${container}.gpu.nvidia.quantity`, { ...within(0, 4), ...omitted(1) }],
    [`${container}.gpu.custom.resource`, { maxLength: 64, pattern: '^[a-zA-Z0-9./]*$' }],
    [`${container}.gpu.custom.runtimeClass`, { maxLength: 64 }], [`${container}.gpu.custom.quantity`, within(0, 8)],
    [`${container}.lifecycle.postStart.exec.command`, { minItems: 1 }], [`${container}.volumes`, { maxItems: 15 }],
    [`${container}.volumes[].recoveryPolicy`, { ...words('retain', 'recycle'), ...omitted('retain') }],
    ['spec.firewallConfig.external.inboundAllowCIDR', { maxItems: 250 }],
    ['spec.firewallConfig.external.outboundAllowHostname[]', { maxLength: 128 }],
    ['spec.firewallConfig.external.outboundAllowPort[].protocol', words('tcp', 'http', 'https')],
    ['spec.firewallConfig.external.outboundAllowPort[].number', anyPort],
    ['spec.firewallConfig.external.http.inboundHeaderFilter[].key', { maxLength: 128 }],
    ['spec.firewallConfig.internal.inboundAllowType',
      { ...words('none', 'same-gvc', 'same-org', 'workload-list'), ...omitted('none') }],
    ...options('spec.defaultOptions'), ...options('spec.localOptions[]'),
    ['spec.job.concurrencyPolicy', { ...words('Forbid', 'Replace', 'Allow'), ...omitted('Forbid') }],
    ['spec.job.historyLimit', { type: 'integer', ...omitted(5) }],
    ['spec.job.restartPolicy', { ...words('Never', 'OnFailure'), ...omitted('Never') }],
    ['spec.job.activeDeadlineSeconds', within(1, 86_400)], ...proxy('spec.sidecar.proxy'),
    ['spec.loadBalancer.replicaDirect', off], ['spec.loadBalancer.direct.ports[].externalPort', within(22, 32_768)],
    ['spec.loadBalancer.direct.ports[].protocol', words('TCP', 'UDP')],
    ['spec.loadBalancer.direct.ports[].scheme', words('http', 'tcp', 'https', 'ws', 'wss')],
    ['spec.loadBalancer.direct.ports[].containerPort', anyPort], ['spec.loadBalancer.geoLocation.enabled', off],
    ...['asn', 'city', 'country', 'region'].map(
      (name) => [`spec.loadBalancer.geoLocation.headers.${name}`, { maxLength: 128 }] as const),
    ['spec.rolloutOptions.minReadySeconds', { ...from(0), ...omitted(0) }],
    ['spec.rolloutOptions.scalingPolicy', { ...words('OrderedReady', 'Parallel'), ...omitted('OrderedReady') }],
    ['spec.rolloutOptions.terminationGracePeriodSeconds', { ...within(0, 3600), ...omitted(90) }],
    ['spec.rolloutOptions.maxUnavailableReplicas', { pattern: '^[0-9]+%?$' }],
    ['spec.rolloutOptions.maxSurgeReplicas', { pattern: '^[0-9]+%?$' }]],
  domain: [['description', { maxLength: 250 }], ['spec', omitted({})], ['spec.dnsMode', words('cname', 'ns')],
    ['spec.certChallengeType', words('http01', 'dns01')], ['spec.acceptAllHosts', off],
    ['spec.acceptAllSubdomains', off], ['spec.ports', omitted([{ number: 443, protocol: 'http2' }])],
    ['spec.ports[].number', { ...anyPort, ...omitted(443) }],
    ['spec.ports[].protocol', { ...words('http', 'http2', 'tcp'), ...omitted('http2') }],
    ['spec.ports[].routes[].port', anyPort], ['spec.ports[].routes[].replica', from(0)],
    ['spec.ports[].routes[].mirror[].percent', numberWithin(0, 100)],
    ['spec.ports[].routes[].canaries[].weight', within(0, 100)],
    ['spec.ports[].cors.maxAge', { ...omitted('24h'), pattern: '^[\\d.]+[hms]+$' }],
    ['spec.ports[].cors.allowCredentials', off],
    ['spec.ports[].tls.minProtocolVersion',
      { ...words('TLSV1_0', 'TLSV1_1', 'TLSV1_2', 'TLSV1_3'), ...omitted('TLSV1_2') }],
    ['spec.ports[].tls.cipherSuites', omitted(cipherSuites)]],
  volumeset: [['spec.fileSystemType', { ...words('ext4', 'xfs', 'shared'), ...omitted('ext4') }],
    ['spec.performanceClass', words('general-purpose-ssd', 'high-throughput-ssd', 'shared')],
    ['spec.autoscaling.maxCapacity', numberFrom(10)], ['spec.autoscaling.minFreePercentage', numberWithin(1, 100)],
    ['spec.autoscaling.scalingFactor', numberFrom(1.1)], ['spec.autoscaling.predictive.enabled', off],
    ['spec.autoscaling.predictive.lookbackHours', { ...numberWithin(1, 168), ...omitted(24) }],
    ['spec.autoscaling.predictive.projectionHours', { ...numberWithin(1, 72), ...omitted(6) }],
    ['spec.autoscaling.predictive.minDataPoints', { ...numberWithin(2, 100), ...omitted(10) }],
    ['spec.autoscaling.predictive.minGrowthRateGBPerHour', { ...numberFrom(0), ...omitted(0.01) }],
    ['spec.autoscaling.predictive.scalingFactor', numberFrom(1.1)],
    ['spec.snapshots.createFinalSnapshot', { type: 'boolean', ...omitted(true) }],
    ['spec.snapshots.retentionDuration', { pattern: '^[0-9]+(\\.[0-9]+)?[dhm]$' }],
    ['spec.mountOptions.resources.minCpu', omitted('500m')], ['spec.mountOptions.resources.maxCpu', omitted('2000m')],
    ['spec.mountOptions.resources.minMemory', omitted('1Gi')],
    ['spec.mountOptions.resources.maxMemory', omitted('2Gi')],
    ['spec.storageClassSuffix', { pattern: '^[a-zA-Z][0-9a-zA-Z_-]*$' }]],
  identity: [['aws.policyRefs[]', { pattern: '^(aws::)?([a-zA-Z0-9/+=,.@_-])+$' }],
    ['aws.roleName', { maxLength: 64, pattern: '^([a-zA-Z0-9/+=,.@_-])+$' }],
    ['aws.trustPolicy.Version', omitted('2012-10-17')],
    ['gcp.scopes', omitted(['https://www.googleapis.com/auth/cloud-platform'])],
    ['gcp.serviceAccount', { pattern: '\\.gserviceaccount\\.com$' }], ['gcp.bindings[].roles', { minItems: 1 }],
    ['gcp.bindings[].roles[]', { pattern: expect.stringMatching(/^\^roles/) }],
    ['azure.roleAssignments[].roles', { minItems: 1 }], ['ngs.resp.max', { ...from(-1), ...omitted(1) }],
    ['ngs.resp.ttl', { pattern: '^[0-9]+(ms|s|m|h)$' }], ['ngs.subs', { type: 'integer', ...omitted(-1) }],
    ['ngs.data', { type: 'integer', ...omitted(-1) }], ['ngs.payload', { type: 'integer', ...omitted(-1) }],
    ['networkResources', { maxItems: 50 }], ['networkResources[].name', { minLength: 1 }],
    ['networkResources[].IPs', { minItems: 1, maxItems: 5 }],
    ['networkResources[].IPs[]', { pattern: expect.any(String) }],
    ['networkResources[].resolverIP', { pattern: expect.any(String) }],
    ['networkResources[].ports', { minItems: 1, maxItems: 10 }], ['networkResources[].ports[]', within(0, 65_535)],
    ['nativeNetworkResources', { maxItems: 50 }], ['nativeNetworkResources[].name', { minLength: 1 }],
    ['nativeNetworkResources[].gcpServiceConnect.targetService',
      { pattern: '^projects/[^/]+/regions/[^/]+/serviceAttachments/[^/]+$' }]],
  ipset: [['spec.locations[].retentionPolicy', { ...words('keep', 'free'), ...omitted('keep') }]],
  group: [['memberLinks', { maxItems: 200, ...omitted([]) }], ...query('memberQuery'),
    ['identityMatcher.language', { ...words('jmespath', 'javascript'), ...omitted('jmespath') }]],
  policy: [['target', words('all')], ['targetLinks', { maxItems: 200 }], ...query('targetQuery'),
    ['bindings', { maxItems: 50, ...omitted([]) }], ['bindings[].permissions', { minItems: 1 }],
    ['bindings[].permissions[]', { minLength: 1 }], ['bindings[].principalLinks', { minItems: 1, maxItems: 200 }]],
  location: [['provider', words('aws', 'gcp', 'azure', 'byok', 'linode', 'vultr', 'equinix', 'oci')],
    ['spec.enabled', { type: 'boolean', ...omitted(true) }]],
  cloudaccount: [['provider', words('aws', 'gcp', 'azure', 'ngs')],
    ['data.roleArn', { pattern: expect.stringMatching(/^\^arn:/) }],
    ['data.projectId', { minLength: 6, maxLength: 30 }]],
  auditctx: [['name', { minLength: 1 }], ['description', { maxLength: 250 }]],
  quota: [['max', numberFrom(0)]],
  org: [['spec.sessionTimeoutSeconds', from(900)], ['spec.authConfig.samlOnly', off],
    ...['logs', 'metrics', 'traces'].map(
      (name) => [`spec.observability.${name}RetentionDays`, { ...within(0, 3650), ...omitted(30) }] as const)],
  secret: [['type',
      words(...['opaque', 'tls', 'gcp', 'aws', 'ecr', 'userpass', 'keypair', 'azure-sdk', 'azure-connector', 'docker'],
        ...['dictionary', 'nats-account'])]],
};

describe.each(Object.entries(tables) as [KnownKind, Rows][])('the fields of %s', (kind, rows) => {
  test.each(rows)('%s', (path, is) => {
    const { enum: listed, ...others } = schemaAt(kind, path);
    const found = Array.isArray(listed) ? { ...others, enum: listed.toSorted() } : others;
    expect(found).toMatchObject(is);
  });
});
