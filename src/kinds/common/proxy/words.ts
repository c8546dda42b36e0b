import { type TypeTable, typed } from '../words.ts';

const section = 'proxy.members';

/** Settings of the proxy: what the platform knows of them. What is not named here passes through. */
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
