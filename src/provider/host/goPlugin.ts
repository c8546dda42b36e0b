import type { Server, ServerDuplexStream, ServerWritableStream } from '@grpc/grpc-js';
import type { Message } from '../protocol/messages.ts';
import { codecOf } from '../protocol/wire.ts';
import { addUnary } from './unary.ts';

type Empty = Message<'Empty'>;
type ConnInfo = Message<'ConnInfo'>;

const serving = 1;

/**
 * What go-plugin expects beside the provider: its controller, and for other hosts than Terraform the streams of output
 * and of further connections, on which nothing is ever sent, and the health check. Resolves when the plugin is asked to
 * end; without that call Terraform waits two seconds for every process, and kills it.
 */
export function addGoPlugin(server: Server): Promise<void> {
  const shutDown = Promise.withResolvers<void>();
  addUnary(server, '/plugin.GRPCController/Shutdown', ['Empty', 'Empty'], async () => {
    // When the answer is written: the end of the process would cut it off.
    setImmediate(() => setImmediate(shutDown.resolve));
    return {};
  });
  addUnary(server, '/grpc.health.v1.Health/Check', ['HealthCheckRequest', 'HealthCheckResponse'], async () => ({
    status: serving,
  }));
  server.register<Empty, Message<'StdioData'>>(
    '/plugin.GRPCStdio/StreamStdio',
    (_: ServerWritableStream<Empty, Message<'StdioData'>>) => {},
    (data) => codecOf('StdioData').encode(data),
    (bytes) => codecOf('Empty').decode(bytes),
    'serverStream',
  );
  server.register<ConnInfo, ConnInfo>(
    '/plugin.GRPCBroker/StartStream',
    (stream: ServerDuplexStream<ConnInfo, ConnInfo>) => {
      stream.on('end', () => stream.end()).resume();
    },
    (info) => codecOf('ConnInfo').encode(info),
    (bytes) => codecOf('ConnInfo').decode(bytes),
    'bidi',
  );
  return shutDown.promise;
}
