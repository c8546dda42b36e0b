import {
  type Server,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import { Encoded } from '../protocol/encoded.ts';
import type { Message, MessageName } from '../protocol/messages.ts';
import { codecOf } from '../protocol/wire.ts';

type Empty = Message<'Empty'>;
type ConnInfo = Message<'ConnInfo'>;

const serving = 1;

/** Requests of the process that started the plugin, beside the calls of the provider. */
export interface GoPlugin {
  /** Resolves when the plugin is asked to end; the answer may not be sent yet. */
  readonly shutDown: Promise<void>;
  /** Ends the streams, which stay open otherwise for as long as their connection. */
  readonly endStreams: () => void;
}

/**
 * The services that go-plugin expects beside the provider: its controller, and for other hosts than Terraform the
 * streams of output and of further connections, on which nothing is ever sent, and the health check. Without an answer
 * of the controller Terraform waits two seconds for every process, and kills it.
 */
export function addGoPlugin(server: Server): GoPlugin {
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

/** A call with one request and one response. What `handle` throws is an error of gRPC. */
export function addUnary<Request extends MessageName, Response extends MessageName>(
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
