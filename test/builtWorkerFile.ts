/**
 * Replaces `src/sandbox/workerFile.ts` (vitest.config.ts) with the built threads, because the sources take several
 * times as long to start.
 */
export function workerFile(name: string): URL {
  return new URL(`../dist/${name}.js`, import.meta.url);
}
