import { sep } from 'node:path';
import type { StackEntry } from '../model.ts';
import { storedJson } from './sql.ts';

/** Stands for the folder of a list with a name, which each worker may have elsewhere. */
const here = '(list)';

/** An entry as the store has it. `base`: the folder of the list, if it has a name. */
export function withoutBase(entry: StackEntry, base: string | undefined): string {
  const below = `${base}${sep}`;
  return storedJson(entry, (_, value: unknown) =>
    base !== undefined && typeof value === 'string' && value.startsWith(below)
      ? `${here}/${value.slice(below.length)}`
      : value,
  );
}

/** The same entry on this machine. */
export function withBase(entry: StackEntry, base: string): StackEntry {
  return JSON.parse(JSON.stringify(entry), (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(`${here}/`) ? `${base}${sep}${value.slice(here.length + 1)}` : value,
  );
}
