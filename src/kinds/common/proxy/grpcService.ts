import { free, freeObject, openFields, optional, sequence, text } from '../../../schema/facts/define.ts';

/**
 * How the proxy reaches a gRPC service: by a native or a vendor client (platform/proxy.members, platform/proxy.names).
 */
export function grpcService() {
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
