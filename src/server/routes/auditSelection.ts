import { lastSegment } from '../../schema/record/links.ts';
import { type AuditQuery, matchesAuditQuery, ownContext } from '../audit/decisions/auditQuery.ts';
import type { Entry, EntrySelection } from '../store/row.ts';

/** The record in the path of an audit request, by id or by name. */
export type AuditedRecord = Pick<EntrySelection, 'name' | 'owner'>;

/**
 * The conditions that one index answers. With further conditions a store might read any number of events in one query;
 * `isAsked` checks those.
 */
export function auditSelection(of: AuditedRecord, query: AuditQuery): Omit<EntrySelection, 'before' | 'limit'> {
  const { fromMs, toMs } = query;
  return {
    journal: 'audit',
    ...narrowest(of, query),
    ...(fromMs === undefined ? {} : { fromMs }),
    // The end of a selection is exclusive, the end of a window inclusive.
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
  // Callers of the platform are stored by the last segment of their link: the e-mail address in lower case.
  if (subject !== undefined) return { context, subjectName: lastSegment(subject).toLowerCase() };
  return resourceType === undefined ? {} : { context, kind: resourceType };
}

/** Does an event match the whole query, including the conditions that the selection has applied? Cheap ones first. */
export function isAsked(entry: Entry, { name, owner }: AuditedRecord, query: AuditQuery): boolean {
  return (
    entry.context === query.context &&
    (owner === undefined || entry.owner === owner) &&
    (name === undefined || entry.name === name) &&
    (query.resourceType === undefined || entry.kind === query.resourceType) &&
    matchesAuditQuery(entry.body, query)
  );
}
