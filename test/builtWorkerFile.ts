/**
 * In place of `src/sandbox/workerFile.ts` (vitest.config.ts): the threads as they are built. From their sources they take
 * several times as long to start.
 */
export function workerFile(name: string): URL {
  return new URL(`../dist/${name}.js`, import.meta.url);
}
