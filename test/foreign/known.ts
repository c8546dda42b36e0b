import type { SwitchName } from './server/switches.ts';

const lines: readonly (readonly [SwitchName | 'none', string])[] = [
  ['lists-merged', 'destroy: exit code 5'],
  ['lists-appended', 'destroy: exit code 5'],
];

/** What is not right yet: by switch, the first step with a finding, and the finding. It grows only with a new step. */
export const known: ReadonlyMap<string, string> = new Map(lines);

/** How the findings differ from the table: nothing where they do not. */
export function news(names: readonly SwitchName[], findings: number): 'new' | 'no longer' | undefined {
  const isKnown = names.length < 2 && known.has(names[0] ?? 'none');
  if (findings > 0) return isKnown ? undefined : 'new';
  return isKnown ? 'no longer' : undefined;
}
