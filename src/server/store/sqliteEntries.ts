import type { SQLInputValue } from 'node:sqlite';
import { ownContext } from '../rules/audit/auditQuery.ts';
import type { EntrySelection } from './row.ts';
import { othersAudit, ownAudit, subjectName } from './sqliteLayout.ts';

/** The statement that reads entries, and its parameters. */
export function entriesQuery(
  org: string,
  selection: EntrySelection,
): { readonly text: string; readonly values: readonly SQLInputValue[] } {
  const { fromMs, toMs, before, limit } = selection;
  const { index, conditions, left } = auditIndex(selection);
  const where = ['org = ?', ...conditions];
  const values: SQLInputValue[] = [org];
  function and(condition: string, ...more: readonly SQLInputValue[]): void {
    where.push(condition);
    values.push(...more);
  }
  for (const column of left) {
    const value = selection[column];
    if (value !== undefined) and(`${column === 'subjectName' ? subjectName : column} = ?`, value);
  }
  if (fromMs !== undefined) and('at >= ?', fromMs);
  if (toMs !== undefined) and('at < ?', toMs);
  if (before !== undefined) and('(at, seq) < (?, ?)', before.atMs, before.seq);
  const from = index === undefined ? 'entries' : `entries INDEXED BY ${index}`;
  const text = `SELECT * FROM ${from} WHERE ${where.join(' AND ')} ORDER BY at DESC, seq DESC LIMIT ?`;
  return { text, values: [...values, limit] };
}

const columns = ['journal', 'id', 'owner', 'kind', 'name', 'subject', 'subjectName', 'context'] as const;

/** The partial index for a selection, with its conditions as they are written there; the columns that are left to compare. */
function auditIndex({ journal, id, owner, kind, name, subjectName: subject, context }: EntrySelection): {
  readonly index?: string;
  readonly conditions: readonly string[];
  readonly left: readonly (typeof columns)[number][];
} {
  if (journal !== 'audit' || context === undefined || id !== undefined || owner !== undefined) {
    return { conditions: [], left: columns };
  }
  const own = context === ownContext;
  const left = columns.filter((column) => column !== 'journal' && (!own || column !== 'context'));
  if (!own) return { index: 'audit_of_others', conditions: [othersAudit], left };
  const index = [
    { value: subject, of: 'audit_by_subject' },
    { value: name, of: 'audit_by_name' },
    { value: kind, of: 'audit_by_kind' },
  ].find(({ value }) => value !== undefined);
  return { ...(index === undefined ? {} : { index: index.of }), conditions: [ownAudit], left };
}
