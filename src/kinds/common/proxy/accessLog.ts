import { integer, oneOf, openFields, optional, sequence, set, text } from '../../../schema/facts/define.ts';
import { excludedWorkloads, priority } from './filter.ts';
import { grpcService } from './grpcService.ts';

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
export const accessLog = openFields({
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
