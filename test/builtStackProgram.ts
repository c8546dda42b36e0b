/**
 * Replaces `src/project/stack/stackProgram.ts` (vitest.config.ts) with the built program, because the source takes
 * eight times as long to start.
 */
export function stackProgram(): URL {
  return new URL('../dist/stackChild.js', import.meta.url);
}
