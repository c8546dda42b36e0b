import { Encoded } from '../protocol/encoded.ts';
import type { Message, MessageName } from '../protocol/messages.ts';
import { codecOf } from '../protocol/wire.ts';
import type { Unary } from './grpc.ts';

/** A call with one request and one response. What `handle` throws is an error of gRPC. */
export function unary<Request extends MessageName, Response extends MessageName>(
  [request, response]: readonly [Request, Response],
  handle: (request: Message<Request>) => Promise<Message<Response> | Encoded>,
): Unary {
  return {
    async answer(bytes) {
      const message = await handle(codecOf(request).decode(bytes));
      return message instanceof Encoded ? message.bytes : codecOf(response).encode(message);
    },
  };
}
