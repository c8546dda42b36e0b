import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/schema/json/json.ts';
import { equalValues } from '../../src/schema/normalForm/equal.ts';
import { type JsonSchema, recordSchema } from '../../src/schema/published/jsonSchema.ts';
import type { KnownKind } from '../../src/schema/record/kinds.ts';
import { shapeOf } from '../../src/schema/shape/shapeOf.ts';
import { cipherSuites } from '../cipherSuites.ts';

/*
 * What the platform's tables say of fields: bounds, words, defaults, and the members of objects. Paths: `[]` for the
 * items of a list, `{}` for the values of a map.
 */

/** The JSON Schema of a field. */
function schemaAt(kind: KnownKind, path: string): JsonSchema {
  return path.split(/(?=\[\])|(?=\{\})|\./).reduce((schema: JsonSchema, step): JsonSchema => {
    if (step === '[]') return Object(schema['items']);
    if (step === '{}') return Object(schema['additionalProperties']);
    return Object(Object(schema['properties'])[step]);
  }, recordSchema(kind));
}

const from = (minimum: number) => ({ type: 'integer', minimum });
const within = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum });
const numberFrom = (minimum: number) => ({ type: 'number', minimum });
const numberWithin = (minimum: number, maximum: number) => ({ type: 'number', minimum, maximum });
const omitted = (value: JsonValue) => ({ default: value });
const words = (...of: readonly string[]) => ({ enum: of.toSorted() });
/** A flag that is off when it is omitted. */
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

const options = (at: string): Rows => [
  [`${at}.autoscaling.metric`, words('concurrency', 'cpu', 'memory', 'rps', 'latency', 'keda', 'disabled')],
  [`${at}.autoscaling.multi[].metric`, words('cpu', 'memory', 'rps')],
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
  [
    `${at}.autoscaling.keda.fallback.behavior`,
    {
      ...words('static', 'currentReplicas', 'currentReplicasIfHigher', 'currentReplicasIfLower'),
      ...omitted('static'),
    },
  ],
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

const tables: Readonly<Partial<Record<KnownKind, Rows>>> = {
  gvc: [
    ['name', { minLength: 1 }],
    ['description', { maxLength: 250 }],
    ['tags', omitted({})],
    ['tags{}', { type: ['string', 'number', 'boolean', 'null'] }],
    ['spec', omitted({})],
    ...query('spec.staticPlacement.locationQuery'),
    ['spec.staticPlacement.locationOptions[].routingTier', from(0)],
    ['spec.staticPlacement.locationOptions[].latencyOffsetMs', { type: 'integer', ...omitted(0) }],
    ['spec.staticPlacement.locationOptions[].latencyToleranceMs', from(0)],
    ['spec.endpointNamingFormat', words('default', 'legacy', 'org')],
    ['spec.tracing.sampling', numberWithin(0, 100)],
    ['spec.tracing.customTags{}.literal.value', { maxLength: 50 }],
    ...environment('spec.env'),
    ...proxy('spec.sidecar.proxy'),
    ['spec.loadBalancer.dedicated', off],
    ['spec.loadBalancer.multiZone.enabled', off],
    ['spec.loadBalancer.trustedProxies', { ...within(0, 2), ...omitted(0) }],
    ['spec.keda.enabled', off],
  ],
  workload: [
    ['spec.type', { ...words('serverless', 'standard', 'stateful', 'cron', 'vm'), ...omitted('serverless') }],
    ['spec.supportDynamicTags', off],
    ['spec.securityOptions.filesystemGroupId', within(1, 65_534)],
    ['spec.securityOptions.runAsUser', within(1, 65_534)],
    ['spec.requestRetryPolicy.attempts', { ...from(0), ...omitted(2) }],
    [
      'spec.requestRetryPolicy.retryOn',
      omitted([
        'connect-failure',
        'refused-stream',
        'unavailable',
        'cancelled',
        'resource-exhausted',
        'retriable-status-codes',
      ]),
    ],
    [`${container}.name`, { minLength: 2, maxLength: 64 }],
    [`${container}.image`, { minLength: 1 }],
    [`${container}.workingDir`, { pattern: '^/' }],
    [`${container}.command`, { maxLength: 256 }],
    [`${container}.port`, anyPort],
    [`${container}.ports[].protocol`, { ...words('http', 'http2', 'grpc', 'tcp'), ...omitted('http') }],
    [`${container}.ports[].number`, anyPort],
    [`${container}.cpu`, { maxLength: 20, ...omitted('50m') }],
    [`${container}.memory`, { maxLength: 20, ...omitted('128Mi') }],
    [`${container}.minCpu`, { maxLength: 20 }],
    [`${container}.minMemory`, { maxLength: 20 }],
    ...environment(`${container}.env`),
    [`${container}.inheritEnv`, off],
    [`${container}.metrics.port`, anyPort],
    [`${container}.metrics.path`, { maxLength: 128, ...omitted('/metrics') }],
    ...probe(`${container}.readinessProbe`),
    ...probe(`${container}.livenessProbe`),
    [`${container}.readinessProbe.initialDelaySeconds`, omitted(10)],
    [`${container}.gpu.nvidia.quantity`, { ...within(0, 4), ...omitted(1) }],
    [`${container}.gpu.custom.resource`, { maxLength: 64, pattern: '^[a-zA-Z0-9./]*$' }],
    [`${container}.gpu.custom.runtimeClass`, { maxLength: 64 }],
    [`${container}.gpu.custom.quantity`, within(0, 8)],
    [`${container}.lifecycle.postStart.exec.command`, { minItems: 1 }],
    [`${container}.volumes`, { maxItems: 15 }],
    [`${container}.volumes[].recoveryPolicy`, { ...words('retain', 'recycle'), ...omitted('retain') }],
    ['spec.firewallConfig.external.inboundAllowCIDR', { maxItems: 250 }],
    ['spec.firewallConfig.external.outboundAllowHostname[]', { maxLength: 128 }],
    ['spec.firewallConfig.external.outboundAllowPort[].protocol', words('tcp', 'http', 'https')],
    ['spec.firewallConfig.external.outboundAllowPort[].number', anyPort],
    ['spec.firewallConfig.external.http.inboundHeaderFilter[].key', { maxLength: 128 }],
    [
      'spec.firewallConfig.internal.inboundAllowType',
      { ...words('none', 'same-gvc', 'same-org', 'workload-list'), ...omitted('none') },
    ],
    ...options('spec.defaultOptions'),
    ...options('spec.localOptions[]'),
    ['spec.job.concurrencyPolicy', { ...words('Forbid', 'Replace', 'Allow'), ...omitted('Forbid') }],
    ['spec.job.historyLimit', { type: 'integer', ...omitted(5) }],
    ['spec.job.restartPolicy', { ...words('Never', 'OnFailure'), ...omitted('Never') }],
    ['spec.job.activeDeadlineSeconds', within(1, 86_400)],
    ...proxy('spec.sidecar.proxy'),
    ['spec.loadBalancer.replicaDirect', off],
    ['spec.loadBalancer.direct.ports[].externalPort', within(22, 32_768)],
    ['spec.loadBalancer.direct.ports[].protocol', words('TCP', 'UDP')],
    ['spec.loadBalancer.direct.ports[].scheme', words('http', 'tcp', 'https', 'ws', 'wss')],
    ['spec.loadBalancer.direct.ports[].containerPort', anyPort],
    ['spec.loadBalancer.geoLocation.enabled', off],
    ...['asn', 'city', 'country', 'region'].map(
      (name) => [`spec.loadBalancer.geoLocation.headers.${name}`, { maxLength: 128 }] as const,
    ),
    ['spec.rolloutOptions.minReadySeconds', { ...from(0), ...omitted(0) }],
    ['spec.rolloutOptions.scalingPolicy', { ...words('OrderedReady', 'Parallel'), ...omitted('OrderedReady') }],
    ['spec.rolloutOptions.terminationGracePeriodSeconds', { ...within(0, 3600), ...omitted(90) }],
    ['spec.rolloutOptions.maxUnavailableReplicas', { pattern: '^[0-9]+%?$' }],
    ['spec.rolloutOptions.maxSurgeReplicas', { pattern: '^[0-9]+%?$' }],
  ],
  domain: [
    ['description', { maxLength: 250 }],
    ['spec', omitted({})],
    ['spec.dnsMode', words('cname', 'ns')],
    ['spec.certChallengeType', words('http01', 'dns01')],
    ['spec.acceptAllHosts', off],
    ['spec.acceptAllSubdomains', off],
    ['spec.ports', omitted([{ number: 443, protocol: 'http2' }])],
    ['spec.ports[].number', { ...anyPort, ...omitted(443) }],
    ['spec.ports[].protocol', { ...words('http', 'http2', 'tcp'), ...omitted('http2') }],
    ['spec.ports[].routes[].port', anyPort],
    ['spec.ports[].routes[].replica', from(0)],
    ['spec.ports[].routes[].mirror[].percent', numberWithin(0, 100)],
    ['spec.ports[].routes[].canaries[].weight', within(0, 100)],
    ['spec.ports[].cors.maxAge', { ...omitted('24h'), pattern: '^[\\d.]+[hms]+$' }],
    ['spec.ports[].cors.allowCredentials', off],
    [
      'spec.ports[].tls.minProtocolVersion',
      { ...words('TLSV1_0', 'TLSV1_1', 'TLSV1_2', 'TLSV1_3'), ...omitted('TLSV1_2') },
    ],
    ['spec.ports[].tls.cipherSuites', omitted(cipherSuites)],
  ],
  volumeset: [
    ['spec.fileSystemType', { ...words('ext4', 'xfs', 'shared'), ...omitted('ext4') }],
    ['spec.performanceClass', words('general-purpose-ssd', 'high-throughput-ssd', 'shared')],
    ['spec.autoscaling.maxCapacity', numberFrom(10)],
    ['spec.autoscaling.minFreePercentage', numberWithin(1, 100)],
    ['spec.autoscaling.scalingFactor', numberFrom(1.1)],
    ['spec.autoscaling.predictive.enabled', off],
    ['spec.autoscaling.predictive.lookbackHours', { ...numberWithin(1, 168), ...omitted(24) }],
    ['spec.autoscaling.predictive.projectionHours', { ...numberWithin(1, 72), ...omitted(6) }],
    ['spec.autoscaling.predictive.minDataPoints', { ...numberWithin(2, 100), ...omitted(10) }],
    ['spec.autoscaling.predictive.minGrowthRateGBPerHour', { ...numberFrom(0), ...omitted(0.01) }],
    ['spec.autoscaling.predictive.scalingFactor', numberFrom(1.1)],
    ['spec.snapshots.createFinalSnapshot', { type: 'boolean', ...omitted(true) }],
    ['spec.snapshots.retentionDuration', { pattern: '^[0-9]+(\\.[0-9]+)?[dhm]$' }],
    ['spec.mountOptions.resources.minCpu', omitted('500m')],
    ['spec.mountOptions.resources.maxCpu', omitted('2000m')],
    ['spec.mountOptions.resources.minMemory', omitted('1Gi')],
    ['spec.mountOptions.resources.maxMemory', omitted('2Gi')],
    ['spec.storageClassSuffix', { pattern: '^[a-zA-Z][0-9a-zA-Z_-]*$' }],
  ],
  identity: [
    ['aws.policyRefs[]', { pattern: '^(aws::)?([a-zA-Z0-9/+=,.@_-])+$' }],
    ['aws.roleName', { maxLength: 64, pattern: '^([a-zA-Z0-9/+=,.@_-])+$' }],
    ['aws.trustPolicy.Version', omitted('2012-10-17')],
    ['gcp.scopes', omitted(['https://www.googleapis.com/auth/cloud-platform'])],
    ['gcp.serviceAccount', { pattern: '\\.gserviceaccount\\.com$' }],
    ['gcp.bindings[].roles', { minItems: 1 }],
    ['gcp.bindings[].roles[]', { pattern: expect.stringMatching(/^\^roles/) }],
    ['azure.roleAssignments[].roles', { minItems: 1 }],
    ['ngs.resp.max', { ...from(-1), ...omitted(1) }],
    ['ngs.resp.ttl', { pattern: '^[0-9]+(ms|s|m|h)$' }],
    ['ngs.subs', { type: 'integer', ...omitted(-1) }],
    ['ngs.data', { type: 'integer', ...omitted(-1) }],
    ['ngs.payload', { type: 'integer', ...omitted(-1) }],
    ['networkResources', { maxItems: 50 }],
    ['networkResources[].name', { minLength: 1 }],
    ['networkResources[].IPs', { minItems: 1, maxItems: 5 }],
    ['networkResources[].IPs[]', { pattern: expect.any(String) }],
    ['networkResources[].resolverIP', { pattern: expect.any(String) }],
    ['networkResources[].ports', { minItems: 1, maxItems: 10 }],
    ['networkResources[].ports[]', within(0, 65_535)],
    ['nativeNetworkResources', { maxItems: 50 }],
    ['nativeNetworkResources[].name', { minLength: 1 }],
    [
      'nativeNetworkResources[].gcpServiceConnect.targetService',
      { pattern: '^projects/[^/]+/regions/[^/]+/serviceAttachments/[^/]+$' },
    ],
  ],
  ipset: [['spec.locations[].retentionPolicy', { ...words('keep', 'free'), ...omitted('keep') }]],
  group: [
    ['memberLinks', { maxItems: 200, ...omitted([]) }],
    ...query('memberQuery'),
    ['identityMatcher.language', { ...words('jmespath', 'javascript'), ...omitted('jmespath') }],
  ],
  policy: [
    ['target', words('all')],
    ['targetLinks', { maxItems: 200 }],
    ...query('targetQuery'),
    ['bindings', { maxItems: 50, ...omitted([]) }],
    ['bindings[].permissions', { minItems: 1 }],
    ['bindings[].principalLinks', { minItems: 1, maxItems: 200 }],
  ],
  location: [
    ['provider', words('aws', 'gcp', 'azure', 'byok', 'linode', 'vultr', 'equinix', 'oci')],
    ['spec.enabled', { type: 'boolean', ...omitted(true) }],
  ],
  cloudaccount: [['provider', words('aws', 'gcp', 'azure', 'ngs')]],
  secret: [
    [
      'type',
      words(
        ...['opaque', 'tls', 'gcp', 'aws', 'ecr', 'userpass', 'keypair', 'azure-sdk', 'azure-connector', 'docker'],
        ...['dictionary', 'nats-account'],
      ),
    ],
  ],
};

describe.each(Object.entries(tables) as [KnownKind, Rows][])('the fields of %s', (kind, rows) => {
  test.each(rows)('%s', (path, is) => {
    const { enum: listed, ...others } = schemaAt(kind, path);
    const found = Array.isArray(listed) ? { ...others, enum: listed.toSorted() } : others;
    expect(found).toMatchObject(is);
  });
});

const members: readonly (readonly [kind: KnownKind, path: string, names: string])[] = [
  ['gvc', 'spec.staticPlacement', 'locationLinks locationQuery locationOptions'],
  ['gvc', 'spec.tracing', 'sampling customTags provider tracer'],
  ['gvc', 'spec.tracing.provider', 'otel tracer controlplane'],
  ['gvc', 'spec.tracing.tracer', 'endpoint credentials'],
  ['gvc', 'spec.tracing.provider.otel', 'endpoint'],
  ['gvc', 'spec.loadBalancer', 'dedicated multiZone trustedProxies redirect ipSet'],
  ['gvc', 'spec.loadBalancer.redirect.class', 'status5xx status401'],
  ['gvc', 'spec.keda', 'enabled identityLink secrets'],
  ['gvc', 'spec.sidecar', 'proxy'],
  ['gvc', 'spec.sidecar.proxy', 'accessLog clusters excludedExternalAuth excludedRateLimit http network volumes'],
  ['gvc', 'spec.sidecar.proxy.accessLog[]', 'priority name excludedWorkloads typed_config'],
  [
    'gvc',
    'spec.sidecar.proxy.accessLog[].typed_config',
    '@type common_config additional_request_headers_to_log additional_response_headers_to_log additional_response_trailers_to_log',
  ],
  [
    'gvc',
    'spec.sidecar.proxy.accessLog[].typed_config.common_config',
    'log_name grpc_service transport_api_version buffer_flush_interval buffer_size_bytes filter_state_objects_to_log grpc_stream_retry_policy',
  ],
  [
    'gvc',
    'spec.sidecar.proxy.accessLog[].typed_config.common_config.grpc_stream_retry_policy',
    'retry_back_off num_retries',
  ],
  [
    'gvc',
    'spec.sidecar.proxy.accessLog[].typed_config.common_config.grpc_stream_retry_policy.retry_back_off',
    'base_interval max_interval',
  ],
  [
    'gvc',
    'spec.sidecar.proxy.accessLog[].typed_config.common_config.grpc_service',
    'proxy_grpc vendor_grpc timeout initial_metadata',
  ],
  [
    'gvc',
    'spec.sidecar.proxy.accessLog[].typed_config.common_config.grpc_service.proxy_grpc',
    'cluster_name authority retry_policy',
  ],
  [
    'gvc',
    'spec.sidecar.proxy.accessLog[].typed_config.common_config.grpc_service.vendor_grpc',
    'target_uri channel_credentials call_credentials stat_prefix credentials_factory_name config',
  ],
  [
    'gvc',
    'spec.sidecar.proxy.accessLog[].typed_config.common_config.grpc_service.initial_metadata[]',
    'key value raw_value',
  ],
  ['gvc', 'spec.sidecar.proxy.clusters[].load_assignment', 'cluster_name endpoints policy'],
  [
    'gvc',
    'spec.sidecar.proxy.clusters[]',
    `name excludedWorkloads type load_assignment transport_socket_matches alt_stat_name cluster_type eds_cluster_config
    connect_timeout per_connection_buffer_limit_bytes lb_policy health_checks max_requests_per_connection circuit_breakers
    upstream_http_protocol_options common_http_protocol_options http_protocol_options http2_protocol_options
    typed_extension_protocol_options dns_refresh_rate dns_failure_refresh_rate respect_dns_ttl dns_lookup_family
    dns_resolvers use_tcp_for_dns_lookups dns_resolution_config typed_dns_resolver_config wait_for_warm_on_init
    outlier_detection cleanup_interval upstream_bind_config lb_subset_config ring_hash_lb_config maglev_lb_config
    least_request_lb_config common_lb_config transport_socket metadata protocol_selection upstream_connection_options
    close_connections_on_host_health_failure ignore_health_on_host_removal filters load_balancing_policy
    track_timeout_budgets upstream_config track_cluster_stats preconnect_policy
    connection_pool_per_downstream_connection`,
  ],
  ['gvc', 'spec.sidecar.proxy.excludedExternalAuth[]', 'match port svcPort'],
  ['gvc', 'spec.sidecar.proxy.http[]', 'priority excludedWorkloads name typed_config'],
  [
    'gvc',
    'spec.sidecar.proxy.http[].typed_config',
    `grpc_service http_service failure_mode_allow failure_mode_allow_header_add with_request_body clear_route_cache
    status_on_error metadata_context_namespaces typed_metadata_context_namespaces route_metadata_context_namespaces
    route_typed_metadata_context_namespaces filter_enabled deny_at_disable include_peer_certificate stat_prefix
    bootstrap_metadata_labels_key allowed_headers include_tls_session charge_cluster_response_stats
    transport_api_version @type`,
  ],
  [
    'gvc',
    'spec.sidecar.proxy.http[].typed_config.http_service',
    'server_uri path_prefix authorization_request authorization_response',
  ],
  ['gvc', 'spec.sidecar.proxy.http[].typed_config.http_service.server_uri', 'uri cluster timeout'],
  [
    'gvc',
    'spec.sidecar.proxy.http[].typed_config.http_service.authorization_request',
    'allowed_headers headers_to_add',
  ],
  [
    'gvc',
    'spec.sidecar.proxy.http[].typed_config.http_service.authorization_response',
    'allowed_upstream_headers allowed_upstream_headers_to_append allowed_client_headers allowed_client_headers_on_success dynamic_metadata_from_headers',
  ],
  [
    'gvc',
    'spec.sidecar.proxy.http[].typed_config.with_request_body',
    'max_request_bytes allow_partial_message pack_as_bytes',
  ],
  ['gvc', 'spec.sidecar.proxy.http[].typed_config.status_on_error', 'code'],
  ['gvc', 'spec.sidecar.proxy.http[].typed_config.filter_enabled', 'numerator denominator'],
  ['gvc', 'spec.sidecar.proxy.http[].typed_config.deny_at_disable', 'default_value runtime_key'],
  [
    'gvc',
    'spec.sidecar.proxy.excludedRateLimit[].match',
    `prefix path safe_regex path_separated_prefix path_match_policy case_sensitive runtime_fraction headers
    query_parameters grpc tls_context dynamic_metadata`,
  ],
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit[].match.safe_regex', 'google_re2 regex'],
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit[].match.safe_regex.google_re2', 'max_program_size'],
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit[].match.path_match_policy', 'name typed_config'],
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit[].match.runtime_fraction', 'default_value runtime_key'],
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit[].match.runtime_fraction.default_value', 'numerator denominator'],
  [
    'gvc',
    'spec.sidecar.proxy.excludedRateLimit[].match.headers[]',
    'name safe_regex_match range_match present_match string_match invert_match treat_missing_header_as_empty',
  ],
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit[].match.headers[].range_match', 'start end'],
  [
    'gvc',
    'spec.sidecar.proxy.excludedRateLimit[].match.headers[].string_match',
    'exact prefix suffix safe_regex contains ignore_case',
  ],
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit[].match.query_parameters[]', 'name string_match present_match'],
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit[].match.grpc', 'presented validated'],
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit[].match.tls_context', 'presented validated'],
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit[].match.dynamic_metadata[]', 'filter path value invert'],
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit[].match.dynamic_metadata[].path[]', 'key'],
  ['workload', 'spec.securityOptions', 'filesystemGroupId runAsUser'],
  ['workload', 'spec.requestRetryPolicy', 'attempts retryOn'],
  ['workload', 'spec.extras', 'affinity tolerations topologySpreadConstraints'],
  [
    'workload',
    'spec.rolloutOptions',
    'minReadySeconds maxUnavailableReplicas maxSurgeReplicas scalingPolicy terminationGracePeriodSeconds',
  ],
  ['workload', 'spec.job', 'schedule concurrencyPolicy historyLimit restartPolicy activeDeadlineSeconds'],
  ['workload', 'spec.loadBalancer', 'replicaDirect direct geoLocation'],
  ['workload', 'spec.loadBalancer.direct', 'enabled ipSet ports'],
  ['workload', 'spec.loadBalancer.direct.ports[]', 'externalPort protocol scheme containerPort'],
  ['workload', 'spec.loadBalancer.geoLocation.headers', 'asn city country region'],
  ['workload', `${container}.lifecycle`, 'postStart preStop'],
  ['workload', `${container}.gpu.custom`, 'resource runtimeClass quantity'],
  ['workload', `${container}.metrics`, 'port path dropMetrics'],
  ['workload', `${container}.readinessProbe.httpGet`, 'path port httpHeaders scheme'],
  ['workload', `${container}.readinessProbe.httpGet.httpHeaders[]`, 'name value'],
  [
    'workload',
    'spec.firewallConfig.external',
    `inboundAllowCIDR inboundBlockedCIDR outboundAllowHostname outboundAllowCIDR outboundBlockedCIDR outboundAllowPort
    http`,
  ],
  ['workload', 'spec.firewallConfig.internal', 'inboundAllowType inboundAllowWorkload'],
  ['workload', 'spec.firewallConfig.external.http.inboundHeaderFilter[]', 'key allowedValues blockedValues'],
  [
    'workload',
    'spec.defaultOptions.autoscaling.keda.triggers[]',
    'type metadata name useCachedMetrics metricType authenticationRef',
  ],
  ['workload', 'spec.defaultOptions.autoscaling.keda.triggers[].authenticationRef', 'name'],
  [
    'workload',
    'spec.defaultOptions.autoscaling.keda.advanced.scalingModifiers',
    'target activationTarget metricType formula',
  ],
  ['domain', 'spec.ports[].cors.allowOrigins[]', 'exact regex'],
  ['domain', 'spec.ports[].cors', 'allowOrigins allowMethods allowHeaders exposeHeaders maxAge allowCredentials'],
  ['domain', 'spec.ports[].tls', 'minProtocolVersion cipherSuites clientCertificate serverCertificate'],
  ['domain', 'spec.ports[].tls.clientCertificate', 'secretLink'],
  ['domain', 'spec.ports[].routes[].mirror[]', 'workloadLink port percent'],
  ['domain', 'spec.ports[].routes[].canaries[]', 'workloadLink port weight'],
  ['volumeset', 'spec.snapshots', 'createFinalSnapshot retentionDuration schedule'],
  ['volumeset', 'spec.customEncryption.regions{}', 'keyId'],
  ['identity', 'aws', 'cloudAccountLink policyRefs roleName trustPolicy'],
  ['identity', 'gcp', 'cloudAccountLink scopes serviceAccount bindings'],
  ['identity', 'gcp.bindings[]', 'resource roles'],
  ['identity', 'azure', 'cloudAccountLink roleAssignments'],
  ['identity', 'azure.roleAssignments[]', 'scope roles'],
  ['identity', 'ngs', 'cloudAccountLink pub sub resp subs data payload'],
  ['identity', 'ngs.pub', 'allow deny'],
  ['identity', 'networkResources[]', 'name agentLink IPs FQDN resolverIP ports'],
  ['identity', 'nativeNetworkResources[]', 'name FQDN ports awsPrivateLink gcpServiceConnect'],
  ['identity', 'nativeNetworkResources[].awsPrivateLink', 'endpointServiceName'],
  ['org', 'spec.security.threatDetection.syslog', 'transport host port'],
  ['org', 'spec.authConfig', 'domainAutoMembers samlOnly'],
];

test.each(members)('the members of %s %s', (kind, path, names) => {
  expect(Object.keys(Object(schemaAt(kind, path)['properties'])).sort()).toEqual(names.split(/\s+/).sort());
});

/** An object with one member, at a path of names; a list has one item. */
function nested(path: string, value: JsonValue): JsonObject {
  const [first = '', ...rest] = path.split('.');
  const inner = rest.length === 0 ? value : nested(rest.join('.'), value);
  return first.endsWith('[]') ? { [first.slice(0, -2)]: [inner] } : { [first]: inner };
}

test.each<[kind: KnownKind, object: string, name: string]>([
  ['gvc', 'spec.tracing.provider', 'controlplane'],
  ['gvc', 'spec.tracing.provider', 'otel'],
  ['gvc', 'spec.tracing.provider', 'tracer'],
  ['gvc', 'spec.staticPlacement', 'locationQuery'],
  ['group', '', 'memberQuery'],
  ['policy', '', 'targetQuery'],
  ['workload', 'spec.containers[].livenessProbe', 'grpc'],
  ['workload', 'spec.containers[].livenessProbe', 'tcpSocket'],
  ['workload', 'spec.containers[].livenessProbe', 'httpGet'],
  ['workload', 'spec.containers[].livenessProbe', 'exec'],
  ['workload', 'spec.containers[]', 'readinessProbe'],
  ['workload', 'spec.containers[].lifecycle.preStop', 'exec'],
  ['domain', 'spec.ports[]', 'cors'],
  ['domain', 'spec.ports[]', 'tls'],
  ['domain', 'spec.ports[].tls', 'clientCertificate'],
  ['volumeset', 'spec', 'snapshots'],
  ['identity', 'ngs', 'resp'],
  ['org', 'spec.logging', 'syslog'],
])('%s %s: an empty %s is not the same as none', (kind, object, name) => {
  const [present, absent] = object === '' ? [{ [name]: {} }, {}] : [nested(object, { [name]: {} }), nested(object, {})];
  expect(equalValues(shapeOf(kind), present, absent, { org: 'acme' })).toBe(false);
});
