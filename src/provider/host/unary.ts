import { type Server, type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js';
import { Encoded } from '../protocol/encoded.ts';
import type { Message, MessageName } from '../protocol/messages.ts';
import { codecOf } from '../protocol/wire.ts';

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
