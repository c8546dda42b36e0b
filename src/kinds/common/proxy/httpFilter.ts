import { flag, free, integer, oneOf, openFields, optional, set, text } from '../../../schema/facts/define.ts';
import { excludedWorkloads, priority } from './filter.ts';
import { grpcService } from './grpcService.ts';

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
export const httpFilter = openFields({
  priority: priority(),
  name: oneOf(filterNames, { spelling: 'type' }),
  excludedWorkloads: excludedWorkloads(),
  typed_config: optional(typedConfig),
});
