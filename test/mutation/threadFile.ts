import { pathToFileURL } from 'node:url';

/** The folder of the threads that the runner bundles with their mutants. */
export const threads = '.mutation/threads';

/** In place of `src/sandbox/workerFile.ts`: from its sources a thread takes twice as long to start. */
export function workerFile(name: string): URL {
  return pathToFileURL(`${threads}/${name}.mjs`);
}
