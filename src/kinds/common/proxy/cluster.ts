import { free, oneOf, openFields, optional, text } from '../../../schema/facts/define.ts';
import { excludedWorkloads } from './filter.ts';

const setting = optional(free());

/** Settings of a cluster that are handed to the proxy as they are (platform/proxy.members). */
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
export const cluster = openFields({
  name: text({}, { minLength: 1 }),
  excludedWorkloads: excludedWorkloads(),
  type: optional(oneOf(['STATIC', 'STRICT_DNS', 'LOGICAL_DNS', 'EDS', 'ORIGINAL_DST'])),
  load_assignment: optional(
    openFields({ cluster_name: optional(text()), endpoints: optional(free()), policy: optional(free()) }),
  ),
  ...freeSettings,
});
