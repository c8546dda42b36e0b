import { expect, test } from 'vitest';
import type { KnownKind } from '../../src/schema/record/kinds.ts';
import { schemaAt } from './schemaAt.ts';

const container = 'spec.containers[]';

/** The members of objects, from the platform's tables. */
// biome-ignore format: one case a line
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
  ['gvc', 'spec.sidecar.proxy.accessLog[].typed_config',
    '@type common_config additional_request_headers_to_log additional_response_headers_to_log additional_response_trailers_to_log'],
  ['gvc', 'spec.sidecar.proxy.accessLog[].typed_config.common_config',
    'log_name grpc_service transport_api_version buffer_flush_interval buffer_size_bytes filter_state_objects_to_log grpc_stream_retry_policy'],
  ['gvc', 'spec.sidecar.proxy.accessLog[].typed_config.common_config.grpc_stream_retry_policy',
    'retry_back_off num_retries'],
  ['gvc', 'spec.sidecar.proxy.accessLog[].typed_config.common_config.grpc_stream_retry_policy.retry_back_off',
    'base_interval max_interval'],
  ['gvc', 'spec.sidecar.proxy.accessLog[].typed_config.common_config.grpc_service',
    'proxy_grpc vendor_grpc timeout initial_metadata'],
  ['gvc', 'spec.sidecar.proxy.accessLog[].typed_config.common_config.grpc_service.proxy_grpc',
    'cluster_name authority retry_policy'],
  ['gvc', 'spec.sidecar.proxy.accessLog[].typed_config.common_config.grpc_service.vendor_grpc',
    'target_uri channel_credentials call_credentials stat_prefix credentials_factory_name config'],
  ['gvc', 'spec.sidecar.proxy.accessLog[].typed_config.common_config.grpc_service.initial_metadata[]',
    'key value raw_value'],
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
  ['gvc', 'spec.sidecar.proxy.http[].typed_config.http_service',
    'server_uri path_prefix authorization_request authorization_response'],
  ['gvc', 'spec.sidecar.proxy.http[].typed_config.http_service.server_uri', 'uri cluster timeout'],
  ['gvc', 'spec.sidecar.proxy.http[].typed_config.http_service.authorization_request',
    'allowed_headers headers_to_add'],
  ['gvc', 'spec.sidecar.proxy.http[].typed_config.http_service.authorization_response',
    'allowed_upstream_headers allowed_upstream_headers_to_append allowed_client_headers allowed_client_headers_on_success dynamic_metadata_from_headers'],
  ['gvc', 'spec.sidecar.proxy.http[].typed_config.with_request_body',
    'max_request_bytes allow_partial_message pack_as_bytes'],
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
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit[].match.headers[]',
    'name safe_regex_match range_match present_match string_match invert_match treat_missing_header_as_empty'],
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit[].match.headers[].range_match', 'start end'],
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit[].match.headers[].string_match',
    'exact prefix suffix safe_regex contains ignore_case'],
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit[].match.query_parameters[]', 'name string_match present_match'],
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit[].match.grpc', 'presented validated'],
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit[].match.tls_context', 'presented validated'],
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit[].match.dynamic_metadata[]', 'filter path value invert'],
  ['gvc', 'spec.sidecar.proxy.excludedRateLimit[].match.dynamic_metadata[].path[]', 'key'],
  ['workload', 'spec.securityOptions', 'filesystemGroupId runAsUser'],
  ['workload', 'spec.requestRetryPolicy', 'attempts retryOn'],
  ['workload', 'spec.extras', 'affinity tolerations topologySpreadConstraints'],
  ['workload', 'spec.rolloutOptions',
    'minReadySeconds maxUnavailableReplicas maxSurgeReplicas scalingPolicy terminationGracePeriodSeconds'],
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
  ['workload', 'spec.defaultOptions.autoscaling.keda.triggers[]',
    'type metadata name useCachedMetrics metricType authenticationRef'],
  ['workload', 'spec.defaultOptions.autoscaling.keda.triggers[].authenticationRef', 'name'],
  ['workload', 'spec.defaultOptions.autoscaling.keda.advanced.scalingModifiers',
    'target activationTarget metricType formula'],
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
