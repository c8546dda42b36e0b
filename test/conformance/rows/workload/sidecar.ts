import { expect } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/base/json/json.ts';
import { makeWorkload, specOf, town } from '../../harness/fixtures.ts';
import { at, nest } from '../../harness/place.ts';
import { type Part, parted, partOf, type Row } from '../../harness/row.ts';
import type { Wire } from '../../harness/wire.ts';

const range = { numerator: 1, denominator: 100 };
const safeRegex = { google_re2: { max_program_size: 100 }, regex: '^/a' };

const grpcNative = { proxy_grpc: { cluster_name: 'log', authority: {}, retry_policy: {} }, timeout: '5s' };
const grpcVendor = {
  vendor_grpc: {
    target_uri: 'log.example.com:443',
    channel_credentials: {},
    call_credentials: [],
    stat_prefix: 'log',
    credentials_factory_name: 'none',
    config: {},
  },
  initial_metadata: [{ key: 'a', value: 'b', raw_value: 'c' }],
};

function accessLog(grpcService: JsonObject): JsonObject {
  return {
    priority: 10,
    name: 'proxy.http_grpc_access_log',
    excludedWorkloads: ['other'],
    typed_config: {
      '@type': 'types/proxy.extensions.access_loggers.grpc.v3.HttpGrpcAccessLogConfig',
      common_config: {
        log_name: 'requests',
        grpc_service: grpcService,
        transport_api_version: 'AUTO',
        buffer_flush_interval: '1s',
        buffer_size_bytes: 1024,
        filter_state_objects_to_log: ['a'],
        grpc_stream_retry_policy: { retry_back_off: { base_interval: '1s', max_interval: '5s' }, num_retries: 3 },
      },
      additional_request_headers_to_log: ['x-a'],
      additional_response_headers_to_log: ['x-b'],
      additional_response_trailers_to_log: ['x-c'],
    },
  };
}

/** The members of a cluster that accept any object, from the specification. */
const clusterMembers = `transport_socket_matches alt_stat_name cluster_type eds_cluster_config connect_timeout
  per_connection_buffer_limit_bytes lb_policy health_checks max_requests_per_connection circuit_breakers
  upstream_http_protocol_options common_http_protocol_options http_protocol_options http2_protocol_options
  typed_extension_protocol_options dns_refresh_rate dns_failure_refresh_rate respect_dns_ttl dns_lookup_family
  dns_resolvers use_tcp_for_dns_lookups dns_resolution_config typed_dns_resolver_config wait_for_warm_on_init
  outlier_detection cleanup_interval upstream_bind_config lb_subset_config ring_hash_lb_config maglev_lb_config
  least_request_lb_config common_lb_config transport_socket metadata protocol_selection upstream_connection_options
  close_connections_on_host_health_failure ignore_health_on_host_removal filters load_balancing_policy
  track_timeout_budgets upstream_config track_cluster_stats preconnect_policy
  connection_pool_per_downstream_connection`.split(/\s+/);

const cluster: JsonObject = {
  name: 'log',
  excludedWorkloads: ['other'],
  type: 'STATIC',
  load_assignment: { cluster_name: 'log', endpoints: {}, policy: {} },
};

const externalAuth: JsonObject = {
  priority: 20,
  excludedWorkloads: ['other'],
  name: 'proxy.filters.http.ext_authz',
  typed_config: {
    '@type': 'types/proxy.extensions.filters.http.ext_authz.v3.ExtAuthz',
    grpc_service: grpcNative,
    http_service: {
      server_uri: { uri: 'http://auth', cluster: 'auth', timeout: '1s' },
      path_prefix: '/check',
      authorization_request: { allowed_headers: {}, headers_to_add: {} },
      authorization_response: {
        allowed_upstream_headers: {},
        allowed_upstream_headers_to_append: {},
        allowed_client_headers: {},
        allowed_client_headers_on_success: {},
        dynamic_metadata_from_headers: {},
      },
    },
    failure_mode_allow: false,
    failure_mode_allow_header_add: true,
    with_request_body: { max_request_bytes: 1024, allow_partial_message: true, pack_as_bytes: false },
    clear_route_cache: true,
    status_on_error: { code: '403' },
    metadata_context_namespaces: ['a'],
    typed_metadata_context_namespaces: ['b'],
    route_metadata_context_namespaces: ['c'],
    route_typed_metadata_context_namespaces: ['d'],
    filter_enabled: range,
    deny_at_disable: { default_value: true, runtime_key: 'deny' },
    include_peer_certificate: true,
    stat_prefix: 'auth',
    bootstrap_metadata_labels_key: 'labels',
    allowed_headers: {},
    include_tls_session: false,
    charge_cluster_response_stats: true,
    transport_api_version: 'AUTO',
  },
};

const matches: Readonly<Record<string, JsonValue>> = {
  prefix: '/internal',
  path: '/health',
  safe_regex: safeRegex,
  path_separated_prefix: '/api',
  path_match_policy: { name: 'template', typed_config: {} },
  case_sensitive: true,
  runtime_fraction: { default_value: range, runtime_key: 'part' },
  headers: [
    {
      name: 'x-a',
      safe_regex_match: safeRegex,
      range_match: { start: 1, end: 5 },
      present_match: true,
      string_match: { exact: 'a', ignore_case: true },
      invert_match: false,
      treat_missing_header_as_empty: true,
    },
  ],
  query_parameters: [{ name: 'q', string_match: { contains: 'a' }, present_match: true }],
  grpc: { presented: true, validated: false },
  tls_context: { presented: true, validated: true },
  dynamic_metadata: [{ filter: 'a', path: [{ key: 'k' }], value: { string_match: { prefix: 'a' } }, invert: true }],
};

// biome-ignore format: a row is a case
export const sidecarRows: readonly Row[] = [
  sidecarRow('accessLog', 'accessLog items have a priority, a name, excluded workloads and a typed configuration',
    { 'with the own own gRPC service': [accessLog(grpcNative)], 'with the vendor gRPC service': [
      accessLog(grpcVendor)] },
    [{ ...accessLog(grpcNative), priority: 'high' }]),
  sidecarRow('clusters', 'clusters have a name, a type, a load assignment, and free-form members',
    { 'with the members that have a type': [cluster], 'with every free member': [{ ...cluster,
      ...Object.fromEntries(clusterMembers.map((name) => [name, { any: name }])) }] },
    [{ ...cluster, excludedWorkloads: 'all' }]),
  sidecarRow('excludedExternalAuth', 'excludedExternalAuth items have a match and two ports',
    { 'with match, port and svcPort': [{ match: { prefix: '/a' }, port: 8080, svcPort: 80 }] }, [{ port: 'eighty' }]),
  sidecarRow('excludedRateLimit', 'excludedRateLimit items have the same shape',
    { 'with match, port and svcPort': [{ match: { path: '/a' }, port: 8080, svcPort: 80 }] }, [{ match: 'all' }]),
  sidecarRow('http', 'http items hold the configuration of external authorization',
    { 'with every member': [externalAuth] }, [{ ...externalAuth, priority: [] }]),
  sidecarRow('network', 'network is a list of objects', { 'with an empty object': [{}] }, ['a']),
  sidecarRow('volumes', 'volumes have uri, path and recoveryPolicy',
    { 'with a bucket': [{ uri: 's3://bucket', path: '/mnt/bucket', recoveryPolicy: 'retain' }] },
    [{ uri: 's3://bucket', path: '/mnt/bucket', recoveryPolicy: 'forget' }]),
  parted(
    'proxy/match object',
    'a match object holds one or more of twelve members',
    ...Object.entries(matches).map(
      ([member, value]): Part => [
        `a match object holds ${member}`,
        (wire) => keeps(wire, 'excludedExternalAuth', [{ match: { [member]: value }, port: 8080 }]),
      ],
    ),
    ...['exact', 'prefix', 'suffix', 'safe_regex', 'contains'].map(
      (member): Part => partOf(`a string_match holds ${member}`, (wire) => {
        const string_match = { [member]: member === 'safe_regex' ? safeRegex : 'a', ignore_case: true };
        return keeps(wire, 'excludedRateLimit', [{ match: { headers: [{ name: 'x-a', string_match }] } }]);
      }),
    ),
  ),
];

function sidecarRow(
  member: string,
  statement: string,
  values: Readonly<Record<string, JsonValue>>,
  wrong: JsonValue,
): Row {
  return parted(
    `proxy/${member}`,
    statement,
    ...Object.entries(values).map(
      ([words, value]): Part => [
        `${member} is stored in a GVC and in a workload, ${words}`,
        (wire) => keeps(wire, member, value),
      ],
    ),
    partOf(`${member} of a wrong type is refused`, async (wire) => {
      const spec = nest(`sidecar/proxy/${member}`, wrong);
      await wire.refused(400, 'POST', 'gvc', { name: wire.name('gvc'), spec });
    }),
  );
}

/** Demands that the member is read from a GVC and from a workload as it was sent. */
async function keeps(wire: Wire, member: string, value: JsonValue): Promise<void> {
  const place = `sidecar/proxy/${member}`;
  const name = wire.name('gvc');
  await wire.ok('POST', 'gvc', { name, spec: nest(place, value) });
  expect(at(await wire.get(`gvc/${name}`), `spec/${place}`)).toEqual(value);
  const workload = await makeWorkload(wire, await town(wire), specOf('standard', nest(place, value)));
  expect(at(await wire.get(workload), `spec/${place}`)).toEqual(value);
}
