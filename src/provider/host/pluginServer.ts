import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { Handlers } from '../protocol/messages.ts';
import { makeCertificate, type ServerCertificate } from './certificate.ts';
import { makeEndpoint } from './endpoint.ts';
import { addGoPlugin } from './goPlugin.ts';
import type { Address } from './handshake.ts';
import { addProvider } from './providerService.ts';

export interface PluginOptions {
  /** Loaded when the first call comes. */
  readonly handlers: () => Promise<Handlers>;
  /** PEM; absent: no encryption, as for a provider that Terraform did not start. */
  readonly clientCertificate?: string | undefined;
  readonly socketFolder?: string | undefined;
}

export interface PluginServer {
  readonly address: Address;
  readonly certificate: ServerCertificate | undefined;
  /** Terraform has asked it to end. */
  readonly shutDown: Promise<void>;
  /** When what was asked is answered: ends all connections, and removes the socket. */
  close(): Promise<void>;
}

/** As Terraform itself: a schema or a state is one message. */
const messageLimit = 256 * 1024 * 1024;

/** Serves a provider as Terraform expects it of a plugin. */
export async function startPluginServer(options: PluginOptions): Promise<PluginServer> {
  const { clientCertificate, handlers } = options;
  const certificate = clientCertificate === undefined ? undefined : makeCertificate(new Date());
  const server = new Server({
    'grpc.max_receive_message_length': messageLimit,
    'grpc.max_send_message_length': messageLimit,
    // Statistics of every call that nobody asks for.
    'grpc.enable_channelz': 0,
  });
  addProvider(server, handlers);
  const { shutDown, endStreams } = addGoPlugin(server);

  const endpoint = await makeEndpoint(options.socketFolder);
  const port = await listen(server, endpoint.target, credentialsFor(clientCertificate, certificate)).catch(
    async (error: unknown) => {
      await endpoint.remove();
      throw error;
    },
  );
  return {
    address: { network: endpoint.network, address: endpoint.address(port) },
    certificate,
    shutDown,
    async close() {
      const closed = shutdown(server);
      endStreams();
      await closed;
      await endpoint.remove();
    },
  };
}

function credentialsFor(client: string | undefined, own: ServerCertificate | undefined): ServerCredentials {
  if (client === undefined || own === undefined) return ServerCredentials.createInsecure();
  const pair = { private_key: Buffer.from(own.key), cert_chain: Buffer.from(own.certificate) };
  return ServerCredentials.createSsl(Buffer.from(client), [pair], true);
}

/** Takes no more calls, and resolves when the answers to all others are sent. */
function shutdown(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.tryShutdown((error) => (error === undefined ? resolve() : reject(error)));
  });
}

function listen(server: Server, target: string, credentials: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(target, credentials, (error, port) => (error === null ? resolve(port) : reject(error)));
  });
}
