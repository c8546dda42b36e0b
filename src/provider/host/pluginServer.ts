import {
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import { present } from '../../base/json/present.ts';
import { diagnosticMessage, diagnosticOf } from '../protocol/diagnostics.ts';
import { Encoded } from '../protocol/encoded.ts';
import {
  type Handlers,
  type Message,
  type MessageName,
  type RequestOf,
  type ResponseOf,
  type Rpc,
  rpcs,
} from '../protocol/messages.ts';
import { codecOf } from '../protocol/wire.ts';
import { makeCertificate, type ServerCertificate } from './certificate.ts';
import { makeEndpoint } from './endpoint.ts';
import type { Address } from './handshake.ts';
import type { Log } from './log.ts';

export interface PluginOptions {
  /** Loaded at the first call. */
  readonly handlers: () => Promise<Handlers>;
  /** PEM; if absent, there is no encryption, as for a provider that Terraform did not start. */
  readonly clientCertificate?: string | undefined;
  readonly socketFolder?: string | undefined;
  readonly log?: Log | undefined;
}

export interface PluginServer {
  readonly address: Address;
  readonly certificate: ServerCertificate | undefined;
  /** Resolves when Terraform requests the end. */
  readonly shutDown: Promise<void>;
  /** Ends all connections after the pending answers, and removes the socket. */
  close(): Promise<void>;
}

/** The limit of Terraform itself: a schema or a state is one message. */
const messageLimit = 256 * 1024 * 1024;

/** Serves a provider as Terraform expects it of a plugin. */
export async function startPluginServer(options: PluginOptions): Promise<PluginServer> {
  const { clientCertificate, handlers, log } = options;
  const certificate = clientCertificate === undefined ? undefined : makeCertificate(new Date());
  const server = new Server({
    'grpc.max_receive_message_length': messageLimit,
    'grpc.max_send_message_length': messageLimit,
    // Disables gRPC's call statistics, which are not used.
    'grpc.enable_channelz': 0,
  });
  addProvider(server, handlers, log);
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

/** Accepts no more calls, and resolves when all pending answers are sent. */
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

/** Registers Terraform's calls. Exceptions become diagnostics, because Terraform shows gRPC errors as a crash. */
function addProvider(server: Server, handlers: () => Promise<Handlers>, log: Log | undefined): void {
  for (const rpc of rpcs) addCall(server, rpc, handlers, log);
}

function addCall<R extends Rpc>(server: Server, rpc: R, handlers: () => Promise<Handlers>, log: Log | undefined): void {
  const names = [`${rpc}.Request`, `${rpc}.Response`] as const;
  addUnary(server, `/tfplugin6.Provider/${rpc}`, names, async (request) => {
    const began = performance.now();
    const answered = await answer(rpc, request, handlers);
    log?.('trace', rpc, { ...typeOf(request), duration_ms: Math.round(performance.now() - began) });
    return answered;
  });
}

function typeOf(request: object) {
  return 'type_name' in request && typeof request.type_name === 'string' ? { type: request.type_name } : {};
}

async function answer<R extends Rpc>(
  rpc: R,
  request: RequestOf<R>,
  handlers: () => Promise<Handlers>,
): Promise<ResponseOf<R> | Encoded> {
  try {
    return await (await handlers())[rpc](request);
  } catch (error) {
    return afterFailure[rpc](request, diagnosticMessage(diagnosticOf(error, rpc)));
  }
}

type AfterFailure = { readonly [R in Rpc]: (request: RequestOf<R>, said: Message<'Diagnostic'>) => ResponseOf<R> };

const saidOnly = (_: object, said: Message<'Diagnostic'>) => ({ diagnostics: [said] });

/** For calls where Terraform would interpret an answer without a state as a deletion, the old state is returned. */
const afterFailure: AfterFailure = {
  GetMetadata: saidOnly,
  GetProviderSchema: saidOnly,
  ValidateProviderConfig: saidOnly,
  ValidateResourceConfig: saidOnly,
  ValidateDataResourceConfig: saidOnly,
  UpgradeResourceState: saidOnly,
  ConfigureProvider: saidOnly,
  ReadResource: ({ current_state: state, private: own }, said) => ({
    diagnostics: [said],
    ...present({ new_state: state, private: own }),
  }),
  PlanResourceChange: saidOnly,
  ApplyResourceChange: ({ prior_state: state, planned_private: own }, said) => ({
    diagnostics: [said],
    ...present({ new_state: state, private: own }),
  }),
  ImportResourceState: saidOnly,
  MoveResourceState: saidOnly,
  ReadDataSource: saidOnly,
  GetFunctions: saidOnly,
  CallFunction: (_, { summary = '', detail = '' }) => ({ error: { text: `${summary}\n${detail}` } }),
  ValidateEphemeralResourceConfig: saidOnly,
  OpenEphemeralResource: saidOnly,
  RenewEphemeralResource: saidOnly,
  CloseEphemeralResource: saidOnly,
  StopProvider: (_, { summary = '' }) => ({ Error: summary }),
};

type Empty = Message<'Empty'>;
type ConnInfo = Message<'ConnInfo'>;

const serving = 1;

/** Requests of the process that started the plugin, apart from the provider's calls. */
interface GoPlugin {
  /** Resolves when the plugin is asked to end; the answer may not be sent yet. */
  readonly shutDown: Promise<void>;
  /** Ends the streams, which otherwise stay open as long as their connection. */
  readonly endStreams: () => void;
}

/**
 * The services that go-plugin expects besides the provider: its controller, and for other hosts than Terraform the
 * health check and the streams of output and of further connections, which stay empty. Without an answer of the
 * controller Terraform waits two seconds for every process, and kills it.
 */
function addGoPlugin(server: Server): GoPlugin {
  const shutDown = Promise.withResolvers<void>();
  const streams = new Set<{ end(): void }>();
  addUnary(server, '/plugin.GRPCController/Shutdown', ['Empty', 'Empty'], async () => {
    shutDown.resolve();
    return {};
  });
  addUnary(server, '/grpc.health.v1.Health/Check', ['HealthCheckRequest', 'HealthCheckResponse'], async () => ({
    status: serving,
  }));
  server.register<Empty, Message<'StdioData'>>(
    '/plugin.GRPCStdio/StreamStdio',
    (stream: ServerWritableStream<Empty, Message<'StdioData'>>) => {
      streams.add(stream);
      stream.on('close', () => streams.delete(stream));
    },
    (data) => codecOf('StdioData').encode(data),
    (bytes) => codecOf('Empty').decode(bytes),
    'serverStream',
  );
  server.register<ConnInfo, ConnInfo>(
    '/plugin.GRPCBroker/StartStream',
    (stream: ServerDuplexStream<ConnInfo, ConnInfo>) => {
      streams.add(stream);
      stream.on('close', () => streams.delete(stream));
      stream.on('end', () => stream.end()).resume();
    },
    (info) => codecOf('ConnInfo').encode(info),
    (bytes) => codecOf('ConnInfo').decode(bytes),
    'bidi',
  );
  return {
    shutDown: shutDown.promise,
    endStreams() {
      for (const stream of streams) stream.end();
    },
  };
}

/** Registers a call with one request and one response. An exception of `handle` becomes an error of gRPC. */
function addUnary<Request extends MessageName, Response extends MessageName>(
  server: Server,
  path: string,
  [request, response]: readonly [Request, Response],
  handle: (request: Message<Request>) => Promise<Message<Response> | Encoded>,
): void {
  server.register<Message<Request>, Message<Response> | Encoded>(
    path,
    (
      call: ServerUnaryCall<Message<Request>, Message<Response> | Encoded>,
      reply: sendUnaryData<Message<Response> | Encoded>,
    ) => {
      handle(call.request).then(
        (answer) => reply(null, answer),
        (error: unknown) => reply({ code: status.INTERNAL, details: String(error) }),
      );
    },
    (message) => (message instanceof Encoded ? Buffer.from(message.bytes) : codecOf(response).encode(message)),
    (bytes) => codecOf(request).decode(bytes),
    'unary',
  );
}
