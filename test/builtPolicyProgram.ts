/** In place of `src/automation/policies/policyProgram.ts` (vitest.config.ts): the program as it is built. */
export function policyProgram(): URL {
  return new URL('../dist/policyChild.js', import.meta.url);
}
