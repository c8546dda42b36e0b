import { fetchWhole } from '../../client/fetchWhole.ts';
import { kindsDeletedInUse } from '../../kinds/kindFacts.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { type NeedOfOther, type ReadWhole, stillNeeded } from '../../plan/references/needs.ts';
import type { Ref } from '../../schema/record/ref.ts';

/** The records of others that need the given ones to run, although the platform would delete them. */
export type NeededBy = (gone: readonly Ref[]) => Promise<readonly NeedOfOther[]>;

/** The maximum age of an answer: the deletions of one apply send the same requests. */
const longestAgeMs = 5_000;

/** Records that cannot be listed need nothing. Kinds whose use the platform itself checks are not queried. */
export function neededByOthers(
  client: Parameters<typeof fetchWhole>[0],
  isOther: (live: LiveResource) => boolean,
): NeededBy {
  const asked = new Map<string, { readonly sinceMs: number; readonly answer: ReturnType<ReadWhole> }>();
  const read: ReadWhole = async (wanted) => {
    const key = JSON.stringify(wanted);
    const known = asked.get(key);
    const isFresh = known !== undefined && performance.now() - known.sinceMs <= longestAgeMs;
    const { answer } = isFresh ? known : { answer: fetchWhole(client, wanted) };
    if (!isFresh) asked.set(key, { sinceMs: performance.now(), answer });
    const { records, gaps } = await answer;
    return { records: records.filter(isOther), gaps };
  };
  return async (gone) => {
    const { needs } = await stillNeeded(
      client.org,
      gone.filter(({ kind }) => kindsDeletedInUse.includes(kind)),
      read,
    );
    return needs.filter(({ blocks }) => !blocks);
  };
}
