import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterAll } from 'vitest';
import { listenOnLoopback } from '../../harness/loopback.ts';

/** A received notification. */
export interface Posted {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answered {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HookServer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly posted: readonly Posted[];
  /** The answers to the next requests, and 204 afterwards. `silence`: no answer. */
  answerWith(...answers: readonly (Answered | 'silence')[]): void;
  forget(): void;
}

/** A server on loopback that accepts notifications; it stops after the tests of a file. */
export async function startHookServer(): Promise<HookServer> {
  let posted: Posted[] = [];
  let answers: (Answered | 'silence')[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      posted.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
      const answer = answers.shift() ?? { status: 204 };
      if (answer !== 'silence') response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  const port = await listenOnLoopback(server);
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${port}`,
    get posted() {
      return posted;
    },
    answerWith: (...next) => {
      answers = [...next];
    },
    forget: () => {
      posted = [];
      answers = [];
    },
  };
}
