import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { listenOnLoopback } from '../harness/loopback.ts';
import type { Outcome } from '../outcome.ts';

interface Options {
  readonly org?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Starts a server for the tests of a file or a group; the result runs a command line against it, in the org acme. */
export function useServer(cwd: string, listener: RequestListener) {
  const server = createServer(listener);
  let endpoint = '';
  beforeAll(async () => {
    endpoint = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  return (line: string | readonly string[], { org = 'acme', ...more }: Options = {}): Promise<Outcome> => {
    const words = typeof line === 'string' ? line.split(' ') : line;
    return inProcess(undefined, [...words, '--endpoint', endpoint, '--org', org, '--token', 'key'], { cwd, ...more });
  };
}
