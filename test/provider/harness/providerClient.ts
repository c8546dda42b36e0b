import { Client, credentials } from '@grpc/grpc-js';
import type { ServerCertificate } from '../../../src/provider/host/certificate.ts';
import type { Address } from '../../../src/provider/host/handshake.ts';
import type { Message, MessageName, RequestOf, ResponseOf, Rpc } from '../../../src/provider/protocol/messages.ts';
import { codecOf } from '../../../src/provider/protocol/wire.ts';

/** What Terraform is to a provider, as far as calls go. */
export interface ProviderClient {
  call<R extends Rpc>(rpc: R, request: RequestOf<R>): Promise<ResponseOf<R>>;
  /** Of another service: `/plugin.GRPCController/Shutdown`. */
  callPath<Request extends MessageName, Response extends MessageName>(
    path: string,
    names: readonly [Request, Response],
    request: Message<Request>,
  ): Promise<Message<Response>>;
  close(): void;
}

/** `server`: the certificate of the handshake line, in PEM. Without certificates nothing is encrypted. */
export function connectProvider(
  { network, address }: Address,
  certificates?: { readonly server: string; readonly own: ServerCertificate },
): ProviderClient {
  const channel =
    certificates === undefined
      ? credentials.createInsecure()
      : credentials.createSsl(
          Buffer.from(certificates.server),
          Buffer.from(certificates.own.key),
          Buffer.from(certificates.own.certificate),
        );
  const client = new Client(network === 'unix' ? `unix:${address}` : address, channel, {
    'grpc.ssl_target_name_override': 'localhost',
    'grpc.default_authority': 'localhost',
    'grpc.max_receive_message_length': 256 * 1024 * 1024,
  });
  function callPath<Request extends MessageName, Response extends MessageName>(
    path: string,
    [request, response]: readonly [Request, Response],
    message: Message<Request>,
  ): Promise<Message<Response>> {
    return new Promise((resolve, reject) => {
      client.makeUnaryRequest<Message<Request>, Message<Response>>(
        path,
        (value) => codecOf(request).encode(value),
        (bytes) => codecOf(response).decode(bytes),
        message,
        (error, answer) => (error === null && answer !== undefined ? resolve(answer) : reject(error)),
      );
    });
  }
  return {
    call: (rpc, request) =>
      callPath(`/tfplugin6.Provider/${rpc}`, [`${rpc}.Request`, `${rpc}.Response`] as const, request),
    callPath,
    close: () => client.close(),
  };
}

/** The certificate of a handshake line, which has no padding, as PEM, which has to. */
export function pemOf(base64: string): string {
  const padded = base64.padEnd(Math.ceil(base64.length / 4) * 4, '=');
  const lines = padded.match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
