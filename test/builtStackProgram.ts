/**
 * In place of `src/project/stack/stackProgram.ts` (vitest.config.ts): the program as it is built. From its source it
 * takes eight times as long to start.
 */
export function stackProgram(): URL {
  return new URL('../dist/stackChild.js', import.meta.url);
}
