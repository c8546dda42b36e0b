import {
  fields,
  flag,
  free,
  freeObject,
  integer,
  keyed,
  oneOf,
  openFields,
  optional,
  proposedKey,
  sequence,
  set,
  text,
} from '../../schema/facts/define.ts';
import { volumes } from './fields.ts';

function safeRegex() {
  return openFields({
    google_re2: optional(openFields({ max_program_size: optional(integer()) })),
    regex: optional(text()),
  });
}

function stringMatch() {
  return openFields({
    exact: optional(text()),
    prefix: optional(text()),
    suffix: optional(text()),
    safe_regex: optional(safeRegex()),
    contains: optional(text()),
    ignore_case: optional(flag()),
  });
}

const header = openFields({
  name: optional(text()),
  safe_regex_match: optional(safeRegex()),
  range_match: optional(openFields({ start: optional(integer()), end: optional(integer()) })),
  present_match: optional(flag()),
  string_match: optional(stringMatch()),
  invert_match: optional(flag()),
  treat_missing_header_as_empty: optional(flag()),
});

const match = openFields({
  prefix: optional(text()),
  path: optional(text()),
  safe_regex: optional(safeRegex()),
  path_separated_prefix: optional(text()),
  path_match_policy: optional(
    openFields({ name: optional(text({ spelling: 'type' })), typed_config: optional(free()) }),
  ),
  case_sensitive: optional(flag()),
  runtime_fraction: optional(
    openFields({
      default_value: optional(openFields({ numerator: optional(integer()), denominator: optional(free()) })),
      runtime_key: optional(text()),
    }),
  ),
  headers: optional(sequence(header)),
  query_parameters: optional(
    sequence(
      openFields({ name: optional(text()), string_match: optional(stringMatch()), present_match: optional(flag()) }),
    ),
  ),
  grpc: optional(openFields({ presented: optional(flag()), validated: optional(flag()) }, { presence: true })),
  tls_context: optional(openFields({ presented: optional(flag()), validated: optional(flag()) })),
  dynamic_metadata: optional(
    sequence(
      openFields({
        filter: optional(text({ spelling: 'type' })),
        path: optional(sequence(openFields({ key: optional(text()) }))),
        value: optional(free()),
        invert: optional(flag()),
      }),
    ),
  ),
});

/** Requests that external authorisation or rate limiting skips (platform/proxy.members). */
const exclusion = openFields({
  match: optional(match),
  port: optional(integer({}, { minimum: 1, maximum: 65_535 })),
  svcPort: optional(integer({}, { minimum: 1, maximum: 65_535 })),
});

const filterNames = [
  'proxy.filters.http.ext_authz',
  'proxy.filters.http.ratelimit',
  'proxy.filters.http.jwt_authn',
  'proxy.filters.http.cors',
  'proxy.filters.http.grpc_web',
  'proxy.filters.http.grpc_json_transcoder',
  'proxy.filters.http.connect_grpc_bridge',
] as const;

const httpService = openFields({
  server_uri: optional(openFields({ uri: optional(text()), cluster: optional(text()), timeout: optional(text()) })),
  path_prefix: optional(text()),
  authorization_request: optional(openFields({ allowed_headers: optional(free()), headers_to_add: optional(free()) })),
  authorization_response: optional(
    openFields({
      allowed_upstream_headers: optional(free()),
      allowed_upstream_headers_to_append: optional(free()),
      allowed_client_headers: optional(free()),
      allowed_client_headers_on_success: optional(free()),
      dynamic_metadata_from_headers: optional(free()),
    }),
  ),
});

function namespaces() {
  return optional(set(text({ spelling: 'type' })));
}

const typedConfig = openFields({
  '@type': optional(text({ spelling: 'type' })),
  grpc_service: optional(grpcService()),
  http_service: optional(httpService),
  failure_mode_allow: optional(flag()),
  failure_mode_allow_header_add: optional(flag()),
  with_request_body: optional(
    openFields({
      max_request_bytes: optional(integer()),
      allow_partial_message: optional(flag()),
      pack_as_bytes: optional(flag()),
    }),
  ),
  clear_route_cache: optional(flag()),
  status_on_error: optional(openFields({ code: optional(text()) })),
  metadata_context_namespaces: namespaces(),
  typed_metadata_context_namespaces: namespaces(),
  route_metadata_context_namespaces: namespaces(),
  route_typed_metadata_context_namespaces: namespaces(),
  filter_enabled: optional(openFields({ numerator: optional(integer()), denominator: optional(integer()) })),
  deny_at_disable: optional(openFields({ default_value: optional(flag()), runtime_key: optional(text()) })),
  include_peer_certificate: optional(flag()),
  stat_prefix: optional(text()),
  bootstrap_metadata_labels_key: optional(text()),
  allowed_headers: optional(free()),
  include_tls_session: optional(flag()),
  charge_cluster_response_stats: optional(flag()),
  transport_api_version: optional(text()),
});

/** A filter for HTTP requests: external authorisation and others (platform/proxy.members, platform/proxy.names). */
const httpFilter = openFields({
  priority: priority(),
  name: oneOf(filterNames, { spelling: 'type' }),
  excludedWorkloads: excludedWorkloads(),
  typed_config: optional(typedConfig),
});

const setting = optional(free());

/** Settings of a cluster that are passed to the proxy unchanged (platform/proxy.members). */
const freeSettings = {
  transport_socket_matches: setting,
  alt_stat_name: setting,
  cluster_type: setting,
  eds_cluster_config: setting,
  connect_timeout: setting,
  per_connection_buffer_limit_bytes: setting,
  lb_policy: setting,
  health_checks: setting,
  max_requests_per_connection: setting,
  circuit_breakers: setting,
  upstream_http_protocol_options: setting,
  common_http_protocol_options: setting,
  http_protocol_options: setting,
  http2_protocol_options: setting,
  typed_extension_protocol_options: setting,
  dns_refresh_rate: setting,
  dns_failure_refresh_rate: setting,
  respect_dns_ttl: setting,
  dns_lookup_family: setting,
  dns_resolvers: setting,
  use_tcp_for_dns_lookups: setting,
  dns_resolution_config: setting,
  typed_dns_resolver_config: setting,
  wait_for_warm_on_init: setting,
  outlier_detection: setting,
  cleanup_interval: setting,
  upstream_bind_config: setting,
  lb_subset_config: setting,
  ring_hash_lb_config: setting,
  maglev_lb_config: setting,
  least_request_lb_config: setting,
  common_lb_config: setting,
  transport_socket: setting,
  metadata: setting,
  protocol_selection: setting,
  upstream_connection_options: setting,
  close_connections_on_host_health_failure: setting,
  ignore_health_on_host_removal: setting,
  filters: setting,
  load_balancing_policy: setting,
  track_timeout_budgets: setting,
  upstream_config: setting,
  track_cluster_stats: setting,
  preconnect_policy: setting,
  connection_pool_per_downstream_connection: setting,
};

/** An upstream that the filters may name. */
const cluster = openFields({
  name: text({}, { minLength: 1 }),
  excludedWorkloads: excludedWorkloads(),
  type: optional(oneOf(['STATIC', 'STRICT_DNS', 'LOGICAL_DNS', 'EDS', 'ORIGINAL_DST'])),
  load_assignment: optional(
    openFields({ cluster_name: optional(text()), endpoints: optional(free()), policy: optional(free()) }),
  ),
  ...freeSettings,
});

const commonConfig = openFields({
  log_name: optional(text()),
  grpc_service: optional(grpcService()),
  transport_api_version: optional(text()),
  buffer_flush_interval: optional(text()),
  buffer_size_bytes: optional(integer()),
  filter_state_objects_to_log: optional(set(text())),
  grpc_stream_retry_policy: optional(
    openFields({
      retry_back_off: optional(openFields({ base_interval: optional(text()), max_interval: optional(text()) })),
      num_retries: optional(integer()),
    }),
  ),
});

/** An access log that is sent over gRPC (platform/proxy.members). */
const accessLog = openFields({
  priority: priority(),
  name: oneOf(['proxy.http_grpc_access_log'], { spelling: 'type' }),
  excludedWorkloads: excludedWorkloads(),
  typed_config: optional(
    openFields({
      '@type': optional(text({ spelling: 'type' })),
      common_config: optional(commonConfig),
      additional_request_headers_to_log: optional(sequence(text())),
      additional_response_headers_to_log: optional(sequence(text())),
      additional_response_trailers_to_log: optional(sequence(text())),
    }),
  ),
});

/**
 * Settings of the proxy beside each replica; the same for a GVC and a workload (platform/proxy.members). Its seven
 * lists are fixed; undeclared members below them pass through.
 */
export function sidecar(uris: readonly ('secret' | 'volumeset')[]) {
  const members = {
    accessLog: optional(keyed(accessLog, proposedKey('name'))),
    clusters: optional(keyed(cluster, proposedKey('name'))),
    excludedExternalAuth: optional(sequence(exclusion)),
    excludedRateLimit: optional(sequence(exclusion)),
    http: optional(keyed(httpFilter, proposedKey('name'))),
    network: optional(sequence(freeObject())),
    volumes: optional(volumes(uris)),
  };
  return fields({ proxy: optional(fields(members, { spelling: 'proxy' })) });
}

/** The position of a filter among the others, 0 to 100 (platform/proxy.members). */
function priority() {
  return optional(integer({}, { minimum: 0, maximum: 100 }));
}

/** Names of, or links to, workloads that the filter skips. */
function excludedWorkloads() {
  return optional(set(text()));
}

/**
 * How the proxy reaches a gRPC service: by a native or a vendor client (platform/proxy.members, platform/proxy.names).
 */
function grpcService() {
  return openFields({
    proxy_grpc: optional(
      openFields({
        cluster_name: optional(text()),
        authority: optional(free()),
        retry_policy: optional(free()),
      }),
    ),
    vendor_grpc: optional(
      openFields({
        target_uri: optional(text()),
        channel_credentials: optional(free()),
        call_credentials: optional(sequence(free())),
        stat_prefix: optional(text()),
        credentials_factory_name: optional(text()),
        config: optional(freeObject()),
      }),
    ),
    timeout: optional(text()),
    initial_metadata: optional(
      sequence(openFields({ key: optional(text()), value: optional(text()), raw_value: optional(free()) })),
    ),
  });
}
