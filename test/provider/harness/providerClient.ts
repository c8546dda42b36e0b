import type { Readable } from 'node:stream';
import { Client, credentials } from '@grpc/grpc-js';
import type { ServerCertificate } from '../../../src/provider/host/certificate.ts';
import type { Address } from '../../../src/provider/host/handshake.ts';
import type { Message, MessageName, RequestOf, ResponseOf, Rpc } from '../../../src/provider/protocol/messages.ts';
import { codecOf } from '../../../src/provider/protocol/wire.ts';

/** The calls that Terraform can send to a provider. */
export interface ProviderClient {
  call<R extends Rpc>(rpc: R, request: RequestOf<R>): Promise<ResponseOf<R>>;
  /** A method of another service: `/plugin.GRPCController/Shutdown`. */
  callPath<Request extends MessageName, Response extends MessageName>(
    path: string,
    names: readonly [Request, Response],
    request: Message<Request>,
  ): Promise<Message<Response>>;
  /** Resolves when the stream of answers ends; fails if it contains one. */
  listen<Request extends MessageName, Response extends MessageName>(
    path: string,
    names: readonly [Request, Response],
    request: Message<Request>,
  ): Promise<void>;
  /** The same with a stream of requests, which stays empty. */
  connect<Request extends MessageName, Response extends MessageName>(
    path: string,
    names: readonly [Request, Response],
  ): Promise<void>;
  close(): void;
}

/** `server`: the certificate of the handshake line, in PEM. Without certificates the connection is not encrypted. */
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
  function coders<Request extends MessageName, Response extends MessageName>([request, response]: readonly [
    Request,
    Response,
  ]) {
    return [
      (value: Message<Request>) => Buffer.from(codecOf(request).encode(value)),
      (bytes: Buffer) => codecOf(response).decode(bytes),
    ] as const;
  }
  return {
    listen: (path, names, message) => ended(client.makeServerStreamRequest(path, ...coders(names), message)),
    connect: (path, names) => ended(client.makeBidiStreamRequest(path, ...coders(names))),
    call: (rpc, request) =>
      callPath(`/tfplugin6.Provider/${rpc}`, [`${rpc}.Request`, `${rpc}.Response`] as const, request),
    callPath,
    close: () => client.close(),
  };
}

function ended(stream: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.on('end', resolve).on('error', reject);
    stream.on('data', () => reject(new Error('there is an answer')));
  });
}

/** The certificate of a handshake line as PEM, which needs padding; the line has none. */
export function pemOf(base64: string): string {
  const padded = base64.padEnd(Math.ceil(base64.length / 4) * 4, '=');
  const lines = padded.match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
