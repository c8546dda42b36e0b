import { createServer } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll } from 'vitest';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import type { Program } from './steps.ts';

/**
 * What jobs can run in place of the built command line: a program that is the command line in the process of the tests,
 * which takes a tenth of the time. Signals do not reach it.
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
