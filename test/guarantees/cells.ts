import { code, table } from '../../scripts/reference/fieldTable.ts';

/**
 * What happens to values that a stack does not declare: the source of the table in `docs/guarantees.md` (`npm run
 * reference -- --write`), each cell of which is a test. Everything is written by hand from the design.
 */
export type Outcome =
  /** The value is unchanged. */
  | 'stays'
  /** It is what the platform has where nobody says anything. */
  | 'default'
  /** The platform chooses for the new record, which the plan shows: its former choice need not fit. */
  | 'chosen'
  | 'removed'
  /** It is gone, with the record that it was in. */
  | 'goes'
  /** The record stays without an owner. */
  | 'forgotten'
  /** What the code changes is done, whatever this row is about. */
  | 'done'
  /** The plan is refused with this code, and nothing is written. */
  | `refused ${string}`
  /** No kind has both. */
  | 'none';

const words: Readonly<Record<string, string>> = {
  stays: 'stays',
  default: 'default',
  chosen: 'chosen again',
  removed: 'removed',
  goes: 'deleted too',
  forgotten: 'stays, without an owner',
  done: 'as usual',
  none: '–',
};

/** The table as Markdown. */
export function undeclaredTable(): string {
  return table(
    ['What', ...Object.values(columns)],
    rows.map(({ says, cells }) => [says, ...columnNames.map((column) => wordsOf(cells[column]))]),
  );
}

function wordsOf(outcome: Outcome): string {
  if (!outcome.startsWith('refused ')) return words[outcome] ?? outcome;
  return `refused (${code(outcome.slice('refused '.length))})`;
}

/** The change of the record. */
export const columns = {
  update: 'something else in the record changes',
  replacement: 'an immutable field changes',
  rename: 'it is renamed (`previously`)',
  gvc: 'its GVC is renamed',
  destroy: 'it is deleted',
} as const;
export type Column = keyof typeof columns;
export const columnNames: readonly Column[] = ['update', 'replacement', 'rename', 'gvc', 'destroy'];

export interface Row {
  readonly id: string;
  readonly says: string;
  readonly cells: Readonly<Record<Column, Outcome>>;
}

/** A recreated record keeps its values. */
function kept(outcome: Outcome): Row['cells'] {
  return { update: outcome, replacement: outcome, rename: outcome, gvc: outcome, destroy: 'goes' };
}

// biome-ignore format: a row is a case
export const rows: readonly Row[] = [
  { id: 'constant', says: 'a field with a fixed default', cells: kept('default') },
  { id: 'derived', says: 'a field whose default follows from others', cells: kept('default') },
  { id: 'service', says: 'a field that the platform chooses',
    cells: { update: 'stays', replacement: 'chosen', rename: 'chosen', gvc: 'chosen', destroy: 'goes' } },
  { id: 'service-set', says: 'the same, where this stack declared it before', cells: kept('chosen') },
  { id: 'irremovable', says: 'a field that comes back when it is removed',
    cells: { update: 'default', replacement: 'none', rename: 'refused rename.domain', gvc: 'none', destroy: 'goes' } },
  { id: 'operational', says: 'a switch of operators (`suspend`, `debug`)', cells: kept('stays') },
  { id: 'unknown', says: 'a field that Gantry does not know', cells: kept('stays') },
  { id: 'custom', says: 'a field of a kind of your own (`kinds`) that this stack never declared',
    cells: kept('stays') },
  { id: 'custom-set', says: 'a field of a kind of your own that this stack declared before', cells: kept('removed') },
  { id: 'item', says: 'an item of a list, such as a variable, that somebody added', cells: kept('removed') },
  { id: 'tag', says: 'a tag that somebody else set', cells: kept('stays') },
  { id: 'tag-set', says: 'a tag that this stack declared before', cells: kept('removed') },
  { id: 'ignored', says: 'a declared field under `lifecycle.ignore` that somebody changed', cells: kept('stays') },
  {
    id: 'part',
    says: 'an item that another stack declares (`lifecycle.part`)',
    cells: {
      update: 'stays',
      replacement: 'stays',
      rename: 'refused delete.part',
      gvc: 'refused delete.part',
      destroy: 'refused delete.part',
    },
  },
  {
    id: 'protected',
    says: 'a record under `lifecycle.protect`',
    cells: {
      update: 'done',
      replacement: 'refused delete.protected',
      rename: 'refused delete.protected',
      gvc: 'refused delete.protected',
      destroy: 'refused delete.protected',
    },
  },
  {
    id: 'retained',
    says: 'a record under `lifecycle.retain`',
    cells: {
      update: 'done',
      replacement: 'done',
      rename: 'forgotten',
      gvc: 'refused delete.bystander',
      destroy: 'forgotten',
    },
  },
];
