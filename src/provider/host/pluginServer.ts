import type { Handlers } from '../protocol/messages.ts';
import { makeCertificate, type ServerCertificate } from './certificate.ts';
import { makeEndpoint } from './endpoint.ts';
import { goPluginMethods } from './goPlugin.ts';
import { type Identity, makeGrpcServer } from './grpc.ts';
import type { Address } from './handshake.ts';
import { providerMethods } from './providerService.ts';

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

/** Serves a provider as Terraform expects it of a plugin. */
export async function startPluginServer(options: PluginOptions): Promise<PluginServer> {
  const { clientCertificate, handlers } = options;
  const certificate = clientCertificate === undefined ? undefined : makeCertificate(new Date());
  const shutDown = Promise.withResolvers<void>();
  const methods = new Map([...providerMethods(handlers), ...goPluginMethods(shutDown.resolve)]);
  const server = makeGrpcServer(methods, identityOf(clientCertificate, certificate));

  const endpoint = await makeEndpoint(options.socketFolder);
  const port = await server.listen(endpoint.target).catch(async (error: unknown) => {
    await endpoint.remove();
    throw error;
  });
  return {
    address: { network: endpoint.network, address: endpoint.address(port) },
    certificate,
    shutDown: shutDown.promise,
    async close() {
      await server.close();
      await endpoint.remove();
    },
  };
}

function identityOf(client: string | undefined, own: ServerCertificate | undefined): Identity | undefined {
  return client === undefined || own === undefined ? undefined : { key: own.key, certificate: own.certificate, client };
}
