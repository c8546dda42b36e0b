import { createServer, type IncomingMessage } from 'node:http';
import { listenOnLoopback } from '../../harness/loopback.ts';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** The parsed body; undefined if there was none. */
  readonly body: unknown;
}

export interface CallAnswer {
  readonly status: number;
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A stand-in for the API of a forge. */
export interface ForgeServer {
  readonly url: string;
  /** `METHOD /path` of every call, in order. */
  readonly calls: readonly string[];
  /** Calls that no route accepts, and that the real API would refuse. */
  readonly faults: readonly string[];
  /** The answers to the next calls, instead of those of their routes. */
  fail(...answers: readonly CallAnswer[]): void;
  close(): Promise<void>;
}

/** `answer` returns undefined if there is no such route. A thrown error is a fault of the caller, answered with 422. */
export async function startForgeServer(
  answer: (call: Call, url: string) => CallAnswer | undefined,
): Promise<ForgeServer> {
  const calls: string[] = [];
  const faults: string[] = [];
  const failures: CallAnswer[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const address = new URL(request.url ?? '/', url);
    const method = request.method ?? '';
    const name = `${method} ${address.pathname}`;
    calls.push(name);
    const given = failures.shift() ?? answered();
    response.writeHead(given.status, { 'content-type': 'application/json', ...given.headers });
    response.end(given.bytes ?? (given.json === undefined ? '' : JSON.stringify(given.json)));

    function answered(): CallAnswer {
      try {
        const call = {
          method,
          path: address.pathname,
          query: address.searchParams,
          headers: request.headers,
          body: text === '' ? undefined : JSON.parse(text),
        };
        const found = answer(call, url);
        if (found !== undefined) return found;
        faults.push(`${name}: there is no such route`);
        return { status: 404, json: { message: 'Not Found' } };
      } catch (error) {
        faults.push(`${name}: ${String(error)}`);
        return { status: 422, json: { message: String(error) } };
      }
    }
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  return {
    url,
    calls,
    faults,
    fail: (...answers) => void failures.push(...answers),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export function expectField(body: unknown, field: string): string {
  const value: unknown = Object(body)[field];
  if (typeof value !== 'string') throw new Error(`the body has no text ${field}`);
  if (Object.keys(Object(body)).length !== 1) throw new Error('the body has other fields too');
  return value;
}
