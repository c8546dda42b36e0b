import { createServer } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll } from 'vitest';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import type { Program } from './steps.ts';

/**
 * A replacement for the built command line in jobs: a program that runs commands in the test process, in a tenth of the
 * time. Signals do not reach it.
 */
export function useGantryHere(folder: string): Program {
  const address = join(folder, 'gantry.socket');
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    try {
      const { args, cwd, env } = Object(await json(socket));
      socket.end(JSON.stringify(await inProcess(undefined, args, { cwd, env })));
    } catch (error) {
      socket.end(JSON.stringify({ code: 99, stdout: '', stderr: String(error) }));
    }
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(address, resolve)));
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return [new URL('callGantry.js', import.meta.url).pathname, address];
}
