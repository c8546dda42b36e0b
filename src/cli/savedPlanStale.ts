import { auditTrail } from '../client/auditTrail.ts';
import type { Standing } from '../apply/takeUp.ts';
import { ToolError } from '../errors.ts';
import type { LiveResource } from '../manifest/snapshot.ts';
import { unknownWriter } from '../manifest/writer.ts';
import { movedSince } from '../plan/saved/keptRecord.ts';
import type { ResourceId } from '../schema/ref.ts';
import type { Platform } from './platform.ts';

/** Above this many the rest is only counted. */
const mostNamed = 10;

export interface StaleRecord {
  readonly id: ResourceId;
  /** In words. */
  readonly moved: string;
  /** As it was when the plan was made, and as it is. */
  readonly kept: LiveResource | undefined;
  readonly live: LiveResource | undefined;
}

/** The records of a plan that are not what was approved. */
export function staleRecords(
  standings: ReadonlyMap<ResourceId, Standing>,
  kept: ReadonlyMap<ResourceId, LiveResource>,
): readonly StaleRecord[] {
  return [...standings].flatMap(([id, standing]) =>
    standing.as === 'stale' ? [{ id, moved: standing.moved, kept: kept.get(id), live: standing.live }] : [],
  );
}

/** One error for all of them: which fields moved, and who wrote them as far as the audit trail says it. */
export async function staleError(
  records: readonly StaleRecord[],
  { client, org }: Pick<Platform, 'client' | 'org'>,
  hint: string,
): Promise<ToolError> {
  const writesOf = auditTrail(client);
  const lines = await Promise.all(records.slice(0, mostNamed).map((record) => describe(record, org, writesOf)));
  const more = records.length > mostNamed ? [`and ${records.length - mostNamed} more`] : [];
  return new ToolError({
    code: 'plan.stale',
    message: ['what is live is not what the plan was made from, nothing was written:', ...lines, ...more].join('\n  '),
    hint,
  });
}

async function describe(
  { id, moved, kept, live }: StaleRecord,
  org: string,
  writesOf: ReturnType<typeof auditTrail>,
): Promise<string> {
  const same = kept !== undefined && live?.uid === kept.uid;
  const fields = same ? movedSince(kept, live, org) : [];
  const parts = [moved, ...(fields.length === 0 ? [] : [`moved: ${fields.join(', ')}`])];
  return `${id}: ${parts.join('; ')}; written by ${await writersOf(kept, live, writesOf)}`;
}

/** Everybody who wrote since, newest first; `unknown` where the trail does not tell. */
async function writersOf(
  kept: LiveResource | undefined,
  live: LiveResource | undefined,
  writesOf: ReturnType<typeof auditTrail>,
): Promise<string> {
  const uid = live?.uid ?? kept?.uid;
  const writes = uid === undefined ? undefined : await writesOf(uid);
  const since = kept !== undefined && uid === kept.uid ? kept.version : 0;
  const names = (writes ?? [])
    .filter(({ version, action }) => version > since || action === 'delete')
    .map(({ writer }) => writer.name);
  return names.length === 0 ? unknownWriter : [...new Set(names)].join(', ');
}
