import type { Progress } from '../../apply/resume.ts';
import { compact } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import { auditTrail } from '../../client/auditTrail.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { unknownWriter, type WritesOf } from '../../manifest/live/writer.ts';
import { movedSince } from '../../plan/record/savedRecord.ts';
import type { Platform } from '../../project/platform/platform.ts';
import type { ResourceId } from '../../schema/record/ref.ts';

/** More are only counted. */
const mostNamed = 10;

/** A record that differs from the expected one. */
export interface StaleRecord {
  readonly id: ResourceId;
  /** A sentence. */
  readonly reason: string;
  /** Dotted paths of the differences. */
  readonly fields: readonly string[];
  /** The id of the audit trail that names the writers since version `since`; undefined if the record is not known. */
  readonly uid: string | undefined;
  readonly since: number;
}

/** The records of a plan that changed since the approval. */
export function staleRecords(
  progress: ReadonlyMap<ResourceId, Progress>,
  saved: ReadonlyMap<ResourceId, LiveResource>,
  org: string,
): readonly StaleRecord[] {
  return [...progress].flatMap(([id, found]): readonly StaleRecord[] => {
    if (found.as !== 'stale') return [];
    const { moved, live } = found;
    const before = saved.get(id);
    const sameRecord = before !== undefined && live?.uid === before.uid ? live : undefined;
    const fields = before === undefined || sameRecord === undefined ? [] : movedSince(before, sameRecord, org);
    return [
      {
        id,
        reason: moved,
        fields,
        uid: live?.uid ?? before?.uid,
        since: live === undefined || sameRecord ? (before?.version ?? 0) : 0,
      },
    ];
  });
}

/** One error for all of them: the changed fields, and their writers if the audit trail knows them. */
export async function staleError(
  records: readonly StaleRecord[],
  { client }: Pick<Platform, 'client'>,
  hint: string,
): Promise<ToolError> {
  const writesOf = auditTrail(client);
  const lines = await Promise.all(records.slice(0, mostNamed).map((record) => describeStale(record, writesOf)));
  const more = records.length > mostNamed ? [`and ${records.length - mostNamed} more`] : [];
  return new ToolError({
    code: 'plan.stale',
    message: ['the live state has changed since the plan was made; nothing was written:', ...lines, ...more].join(
      '\n  ',
    ),
    hint,
    causes: records.map(({ id, reason }) => ({ code: 'plan.stale', message: reason, resource: id })),
  });
}

async function describeStale(record: StaleRecord, writesOf: WritesOf): Promise<string> {
  const { id, reason, fields } = record;
  const parts = compact([reason, fields.length === 0 ? undefined : `moved: ${fields.join(', ')}`]);
  const writers = await writersOf(record, writesOf);
  // The version may have risen by itself.
  const isBlameless = writers === unknownWriter && record.uid !== undefined && fields.length === 0;
  return `${id}: ${[...parts, isBlameless ? 'nobody is known to have written it' : `written by ${writers}`].join('; ')}`;
}

/** All writers since, newest first; `unknown` if the trail does not name them. */
async function writersOf({ uid, since }: StaleRecord, writesOf: WritesOf): Promise<string> {
  const writes = uid === undefined ? undefined : await writesOf(uid);
  const names = (writes ?? [])
    .filter(({ version, action }) => version > since || action === 'delete')
    .map(({ writer }) => writer.name);
  return names.length === 0 ? unknownWriter : [...new Set(names)].join(', ');
}
