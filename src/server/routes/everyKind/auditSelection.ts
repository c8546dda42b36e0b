import { lastSegment } from '../../../schema/record/links.ts';
import { type AuditQuery, matchesAuditQuery, ownContext } from '../../rules/journals/auditQuery.ts';
import type { Entry, EntrySelection } from '../../store/row.ts';

/** The record that an address of the audit trail names, by id or by name. */
export type AuditedRecord = Pick<EntrySelection, 'name' | 'owner'>;

/**
 * What one index answers by itself, whatever else is asked for: a store that compared more would look at any number of
 * events in one piece. The rest is sifted.
 */
export function auditSelection(of: AuditedRecord, query: AuditQuery): Omit<EntrySelection, 'before' | 'limit'> {
  const { fromMs, toMs } = query;
  return {
    journal: 'audit',
    ...narrowest(of, query),
    ...(fromMs === undefined ? {} : { fromMs }),
    // A selection ends before its time, a window with it.
    ...(toMs === undefined ? {} : { toMs: toMs + 1 }),
  };
}

function narrowest(
  { name, owner }: AuditedRecord,
  { context, resourceType, subject }: AuditQuery,
): Partial<EntrySelection> {
  if (owner !== undefined) return { owner };
  if (context !== ownContext) return { context };
  if (name !== undefined) return { context, name };
  // A caller of the platform is called by the end of its link, which is also its e-mail address, in small letters.
  if (subject !== undefined) return { context, subjectName: lastSegment(subject).toLowerCase() };
  return resourceType === undefined ? {} : { context, kind: resourceType };
}

/** Whether an event is one of those that are asked for, whatever the selection has seen to. The columns first. */
export function isAsked(entry: Entry, { name, owner }: AuditedRecord, query: AuditQuery): boolean {
  return (
    entry.context === query.context &&
    (owner === undefined || entry.owner === owner) &&
    (name === undefined || entry.name === name) &&
    (query.resourceType === undefined || entry.kind === query.resourceType) &&
    matchesAuditQuery(entry.body, query)
  );
}
