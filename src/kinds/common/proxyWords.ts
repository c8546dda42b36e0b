import { type TypeTable, typed } from './words.ts';

const section = 'proxy.members';

/** The proxy settings that the platform knows. Others pass through. */
export const proxyTypes: TypeTable = {
  Sidecar: {
    about: 'The proxy beside each replica.',
    section,
    fields: { proxy: typed('ProxySettings', 'Settings of the proxy.') },
  },
  ProxySettings: {
    about: 'Settings of the proxy beside each replica: seven lists.',
    section,
    fields: {
      accessLog: typed('ProxyAccessLog', 'Access logs that are sent over gRPC.'),
      clusters: typed('ProxyCluster', 'Upstreams that filters may name.'),
      excludedExternalAuth: typed('ProxyExclusion', 'Requests that external authorization skips.'),
      excludedRateLimit: typed('ProxyExclusion', 'Requests that rate limiting skips.'),
      http: typed('ProxyHttpFilter', 'Filters for HTTP requests.'),
      network: 'Network filters, passed to the proxy as they are.',
      volumes: typed('ProxyVolume', 'File systems of the proxy.', { section: 'workload.volumes' }),
    },
  },
  ProxyVolume: {
    about: 'A file system that is mounted into the proxy.',
    section: 'workload.volumes',
    fields: {
      uri: 'What is mounted: `scheme://secret/NAME[.KEY]`, an object store, or scratch space.',
      path: 'Absolute path of the mount.',
      recoveryPolicy: 'Whether the volume outlives its replica. `recycle` is deprecated.',
    },
  },
  ProxyAccessLog: {
    about: 'An access log that is sent over gRPC.',
    section,
    fields: {
      priority: 'Position among the filters.',
      name: 'Name of the access log filter.',
      excludedWorkloads: 'Workloads, by name or link, that the log leaves out.',
      typed_config: typed('ProxyAccessLogConfig', 'Configuration of the log.'),
    },
  },
  ProxyAccessLogConfig: {
    about: 'Configuration of an access log.',
    section,
    fields: {
      '@type': 'Type of the configuration.',
      common_config: typed('ProxyLogCommonConfig', 'What is sent, and where to.'),
      additional_request_headers_to_log: 'Request headers that are logged in addition.',
      additional_response_headers_to_log: 'Response headers that are logged in addition.',
      additional_response_trailers_to_log: 'Response trailers that are logged in addition.',
    },
  },
  ProxyLogCommonConfig: {
    about: 'What an access log sends, and where to.',
    section,
    fields: {
      log_name: 'Name by which the receiver tells logs apart.',
      grpc_service: typed('ProxyGrpcService', 'Service that receives the log.'),
      transport_api_version: 'Version of the protocol; `AUTO` leaves it to the proxy.',
      buffer_flush_interval: 'Longest time that entries are buffered, such as `1s`.',
      buffer_size_bytes: 'Bytes after which buffered entries are sent.',
      filter_state_objects_to_log: 'State objects of filters that are logged.',
      grpc_stream_retry_policy: typed('ProxyStreamRetry', 'When a broken stream is opened again.'),
    },
  },
  ProxyStreamRetry: {
    about: 'When a broken stream is opened again.',
    section,
    fields: {
      retry_back_off: typed('ProxyBackOff', 'Waiting time between two attempts.'),
      num_retries: 'Number of attempts.',
    },
  },
  ProxyBackOff: {
    about: 'Waiting time between two attempts.',
    section,
    fields: {
      base_interval: 'First waiting time, such as `1s`.',
      max_interval: 'Longest waiting time, such as `10s`.',
    },
  },
  ProxyGrpcService: {
    about: 'How the proxy reaches a gRPC service: by its own client or by a vendor’s.',
    section,
    fields: {
      proxy_grpc: typed('ProxyNativeGrpc', 'Uses the client of the proxy.'),
      vendor_grpc: typed('ProxyVendorGrpc', 'Uses the client of a vendor.'),
      timeout: 'Time after which a call without an answer fails, such as `0.5s`.',
      initial_metadata: typed('ProxyMetadataEntry', 'Metadata that is sent with every call.'),
    },
  },
  ProxyNativeGrpc: {
    about: 'A gRPC service that the proxy’s own client calls.',
    section,
    fields: {
      cluster_name: 'Name of the cluster that the service is in.',
      authority: 'Value of the authority header.',
      retry_policy: 'When a failed call is repeated.',
    },
  },
  ProxyVendorGrpc: {
    about: 'A gRPC service that the client of a vendor calls.',
    section,
    fields: {
      target_uri: 'Address of the service.',
      channel_credentials: 'Credentials of the channel.',
      call_credentials: 'Credentials of each call.',
      stat_prefix: 'Prefix of the statistics.',
      credentials_factory_name: 'Name of the factory that makes the credentials.',
      config: 'Further configuration for the client.',
    },
  },
  ProxyMetadataEntry: {
    about: 'An entry of the metadata of a call.',
    section,
    fields: {
      key: 'Name of the entry.',
      value: 'Value of the entry, as text.',
      raw_value: 'Value of the entry, as bytes.',
    },
  },
  ProxyHttpFilter: {
    about: 'A filter for HTTP requests, such as external authorization.',
    section,
    fields: {
      priority: 'Position among the filters.',
      name: 'Name of the filter.',
      excludedWorkloads: 'Workloads, by name or link, that the filter leaves alone.',
      typed_config: typed('ProxyFilterConfig', 'Configuration of the filter.'),
    },
  },
  ProxyFilterConfig: {
    about: 'Configuration of a filter for HTTP requests.',
    section,
    fields: {
      '@type': 'Type of the configuration.',
      grpc_service: typed('ProxyGrpcService', 'gRPC service that decides.'),
      http_service: typed('ProxyHttpService', 'HTTP service that decides.'),
      failure_mode_allow: 'Lets requests in when the service cannot be reached.',
      failure_mode_allow_header_add: 'Adds a header to requests that were let in without the service.',
      with_request_body: typed('ProxyBodyBuffer', 'Sends the body of the request to the service.'),
      clear_route_cache: 'Chooses the route again after the service has changed headers.',
      status_on_error: typed('ProxyStatus', 'Status of the answer when the service cannot be reached.'),
      metadata_context_namespaces: 'Namespaces of metadata that are sent to the service.',
      typed_metadata_context_namespaces: 'Namespaces of typed metadata that are sent to the service.',
      route_metadata_context_namespaces: 'Namespaces of metadata of the route that are sent to the service.',
      route_typed_metadata_context_namespaces:
        'Namespaces of typed metadata of the route that are sent to the service.',
      filter_enabled: typed('ProxyFilterShare', 'Share of the requests that the filter applies to.'),
      deny_at_disable: typed('ProxyDenyAtDisable', 'Refuses requests while the filter is disabled.'),
      include_peer_certificate: 'Sends the certificate of the client to the service.',
      stat_prefix: 'Prefix of the statistics.',
      bootstrap_metadata_labels_key: 'Key of metadata of the proxy that is sent to the service.',
      allowed_headers: 'Headers of the request that are sent to the service.',
      include_tls_session: 'Sends the TLS session to the service.',
      charge_cluster_response_stats: 'Counts refused requests in the statistics of the cluster.',
      transport_api_version: 'Version of the protocol; `AUTO` leaves it to the proxy.',
    },
  },
  ProxyHttpService: {
    about: 'An HTTP service that decides about requests.',
    section,
    fields: {
      server_uri: typed('ProxyServerUri', 'Where the service is.'),
      path_prefix: 'Text before the path of requests to the service.',
      authorization_request: typed('ProxyAuthorizationRequest', 'Headers of requests to the service.'),
      authorization_response: typed('ProxyAuthorizationResponse', 'Headers of answers of the service that are used.'),
    },
  },
  ProxyServerUri: {
    about: 'Where an HTTP service is.',
    section,
    fields: {
      uri: 'Address of the service.',
      cluster: 'Cluster that the service is in.',
      timeout: 'Time after which a request without an answer fails, such as `0.5s`.',
    },
  },
  ProxyAuthorizationRequest: {
    about: 'Headers of requests to a service that decides.',
    section,
    fields: {
      allowed_headers: 'Headers of the client’s request that are passed on.',
      headers_to_add: 'Headers that are added.',
    },
  },
  ProxyAuthorizationResponse: {
    about: 'Headers of answers of a service that decides.',
    section,
    fields: {
      allowed_upstream_headers: 'Headers that replace those of the request.',
      allowed_upstream_headers_to_append: 'Headers that are added to those of the request.',
      allowed_client_headers: 'Headers that a refused client receives.',
      allowed_client_headers_on_success: 'Headers that an accepted client receives.',
      dynamic_metadata_from_headers: 'Headers that become metadata.',
    },
  },
  ProxyBodyBuffer: {
    about: 'How much of the body of a request is sent to a service.',
    section,
    fields: {
      max_request_bytes: 'Most bytes that are buffered.',
      allow_partial_message: 'Sends what was buffered when the body is longer.',
      pack_as_bytes: 'Sends the body as bytes instead of text.',
    },
  },
  ProxyStatus: {
    about: 'A status of an answer.',
    section,
    fields: { code: 'Name of the status, such as `Forbidden`.' },
  },
  ProxyFilterShare: {
    about: 'The share of the requests that a filter applies to.',
    section,
    fields: { numerator: 'Number above the line.', denominator: 'Number below the line.' },
  },
  ProxyDenyAtDisable: {
    about: 'Whether requests are refused while a filter is disabled.',
    section,
    fields: {
      default_value: 'Refuses them, where the run-time key has no value.',
      runtime_key: 'Run-time key that overrides it.',
    },
  },
};

/** Upstreams of the proxy. Most settings are passed on unchanged. */
export const clusterTypes: TypeTable = {
  ProxyCluster: {
    about: 'An upstream that filters may name. Settings without a type are handed to the proxy as they are.',
    section,
    fields: {
      name: 'Name of the cluster; unique.',
      excludedWorkloads: 'Workloads, by name or link, whose proxies do not get the cluster.',
      type: 'How the endpoints of the cluster are found.',
      load_assignment: typed('ProxyLoadAssignment', 'Endpoints of the cluster.'),
      transport_socket_matches: 'Transport sockets, chosen by metadata of the endpoint.',
      alt_stat_name: 'Name of the cluster in statistics.',
      cluster_type: 'Extension that finds the endpoints, in place of `type`.',
      eds_cluster_config: 'Source of the endpoints, with the type `EDS`.',
      connect_timeout: 'Time after which an attempt to connect fails.',
      per_connection_buffer_limit_bytes: 'Most bytes that are buffered for each connection.',
      lb_policy: 'How an endpoint is chosen.',
      health_checks: 'Active health checks of the endpoints.',
      max_requests_per_connection: 'Most requests on one connection.',
      circuit_breakers: 'Limits for connections and requests to the cluster.',
      upstream_http_protocol_options: 'HTTP options that depend on the request, such as the server name for TLS.',
      common_http_protocol_options: 'Options of all versions of HTTP.',
      http_protocol_options: 'Options of HTTP/1.1.',
      http2_protocol_options: 'Options of HTTP/2.',
      typed_extension_protocol_options: 'Options of protocol extensions, by name.',
      dns_refresh_rate: 'Time between two DNS queries.',
      dns_failure_refresh_rate: 'Time between two DNS queries after a failure.',
      respect_dns_ttl: 'Uses the lifetime of DNS records as the time between queries.',
      dns_lookup_family: 'IP versions that are asked for in DNS.',
      dns_resolvers: 'DNS servers to ask.',
      use_tcp_for_dns_lookups: 'Sends DNS queries over TCP.',
      dns_resolution_config: 'DNS servers and options of queries.',
      typed_dns_resolver_config: 'Extension that resolves names.',
      wait_for_warm_on_init: 'Waits for the endpoints of the cluster when the proxy starts.',
      outlier_detection: 'When a failing endpoint is left out for a time.',
      cleanup_interval: 'Time after which unused endpoints are removed.',
      upstream_bind_config: 'Local address of connections to the cluster.',
      lb_subset_config: 'Groups of endpoints for balancing, by metadata.',
      ring_hash_lb_config: 'Options of balancing by a hash ring.',
      maglev_lb_config: 'Options of balancing by Maglev hashing.',
      least_request_lb_config: 'Options of balancing by the fewest requests.',
      common_lb_config: 'Options of all ways of balancing.',
      transport_socket: 'Transport socket of connections, such as TLS.',
      metadata: 'Metadata of the cluster, for filters and logs.',
      protocol_selection: 'How the version of HTTP is chosen.',
      upstream_connection_options: 'Options of connections, such as TCP keep-alive.',
      close_connections_on_host_health_failure: 'Closes connections to an endpoint that fails its health check.',
      ignore_health_on_host_removal: 'Removes an endpoint at once, although it is healthy.',
      filters: 'Network filters of connections to the cluster.',
      load_balancing_policy: 'Extension that chooses an endpoint, in place of `lb_policy`.',
      track_timeout_budgets: 'Measures how much of their timeouts requests use.',
      upstream_config: 'Extension for connections to the cluster.',
      track_cluster_stats: 'Optional statistics of the cluster.',
      preconnect_policy: 'When connections are opened in advance.',
      connection_pool_per_downstream_connection: 'Opens connections of its own for each connection of a client.',
    },
  },
  ProxyLoadAssignment: {
    about: 'Endpoints of a cluster.',
    section,
    fields: {
      cluster_name: 'Name of the cluster.',
      endpoints: 'Endpoints, grouped by locality.',
      policy: 'Options of balancing over the endpoints.',
    },
  },
};

/** Requests that filters of the proxy skip. */
export const matchTypes: TypeTable = {
  ProxyExclusion: {
    about: 'Requests that a filter skips.',
    section,
    fields: {
      match: typed('ProxyRouteMatch', 'Which requests.'),
      port: 'Port of the requests.',
      svcPort: 'Port of the service that the requests are for.',
    },
  },
  ProxyRouteMatch: {
    about: 'Which requests are meant: all that is set has to match.',
    section,
    fields: {
      prefix: 'Beginning of the path.',
      path: 'The whole path.',
      safe_regex: typed('ProxyRegex', 'Regular expression for the path.'),
      path_separated_prefix: 'Beginning of the path, up to a slash.',
      path_match_policy: typed('ProxyPathPolicy', 'Extension that matches the path.'),
      case_sensitive: 'Whether the case of the path matters.',
      runtime_fraction: typed('ProxyRuntimeFraction', 'Share of the requests.'),
      headers: typed('ProxyHeaderMatch', 'Headers of the request.'),
      query_parameters: typed('ProxyParameterMatch', 'Parameters of the query string.'),
      grpc: typed('ProxyGrpcMatch', 'Only gRPC requests.'),
      tls_context: typed('ProxyTlsMatch', 'Certificate of the client.'),
      dynamic_metadata: typed('ProxyMetadataMatch', 'Metadata of filters.'),
    },
  },
  ProxyRegex: {
    about: 'A regular expression.',
    section,
    fields: {
      google_re2: typed('ProxyRe2', 'Options of the RE2 engine.'),
      regex: 'The expression.',
    },
  },
  ProxyRe2: {
    about: 'Options of the RE2 engine.',
    section,
    fields: { max_program_size: 'Largest size of the compiled expression.' },
  },
  ProxyPathPolicy: {
    about: 'An extension that matches paths.',
    section,
    fields: { name: 'Name of the extension.', typed_config: 'Configuration of the extension.' },
  },
  ProxyRuntimeFraction: {
    about: 'A share of the requests.',
    section,
    fields: {
      default_value: typed('ProxyFraction', 'The share, where the run-time key has no value.'),
      runtime_key: 'Run-time key that overrides the share.',
    },
  },
  ProxyFraction: {
    about: 'A share, as a fraction.',
    section,
    fields: {
      numerator: 'Number above the line.',
      denominator: 'Number below the line: `HUNDRED`, `TEN_THOUSAND` or `MILLION`.',
    },
  },
  ProxyHeaderMatch: {
    about: 'A condition about one header.',
    section,
    fields: {
      name: 'Name of the header.',
      safe_regex_match: typed('ProxyRegex', 'Regular expression for the value.'),
      range_match: typed('ProxyRange', 'Range of the value, as an integer.'),
      present_match: 'Whether the header is there.',
      string_match: typed('ProxyStringMatch', 'Condition about the value.'),
      invert_match: 'Inverts the condition.',
      treat_missing_header_as_empty: 'Treats a missing header as an empty one.',
    },
  },
  ProxyRange: {
    about: 'A range of integers.',
    section,
    fields: { start: 'First number of the range.', end: 'First number after the range.' },
  },
  ProxyStringMatch: {
    about: 'A condition about a text: one of `exact`, `prefix`, `suffix`, `safe_regex` and `contains`.',
    section,
    fields: {
      exact: 'The whole text.',
      prefix: 'Beginning of the text.',
      suffix: 'End of the text.',
      safe_regex: typed('ProxyRegex', 'Regular expression for the text.'),
      contains: 'Part of the text.',
      ignore_case: 'Compares without case.',
    },
  },
  ProxyParameterMatch: {
    about: 'A condition about one parameter of the query string.',
    section,
    fields: {
      name: 'Name of the parameter.',
      string_match: typed('ProxyStringMatch', 'Condition about the value.'),
      present_match: 'Whether the parameter is there.',
    },
  },
  ProxyGrpcMatch: {
    about: 'Only gRPC requests.',
    section,
    fields: { presented: 'Not used for gRPC; passed through.', validated: 'Not used for gRPC; passed through.' },
  },
  ProxyTlsMatch: {
    about: 'A condition about the certificate of the client.',
    section,
    fields: {
      presented: 'Whether the client presented a certificate.',
      validated: 'Whether the certificate of the client was validated.',
    },
  },
  ProxyMetadataMatch: {
    about: 'A condition about metadata of a filter.',
    section,
    fields: {
      filter: 'Name of the filter.',
      path: typed('ProxyPathSegment', 'Path to the value.'),
      value: 'Condition about the value.',
      invert: 'Inverts the condition.',
    },
  },
  ProxyPathSegment: { about: 'A step of a path into metadata.', section, fields: { key: 'Key of the step.' } },
};
