import type { LiveResource } from '../manifest/live/snapshot.ts';
import { heldData } from './dataLoss.ts';
import { type Draft, deletes } from './draft.ts';

/** Names what loses its data with a deletion; `strangers` are what goes along with it. */
export function withLostData(draft: Draft, strangers: readonly LiveResource[]): Draft {
  if (!deletes(draft) || draft.live === undefined) return draft;
  const records = [draft.live, ...strangers].filter(({ ref, record }) => heldData(ref.kind, record) !== undefined);
  return records.length === 0 ? draft : { ...draft, losesData: records.map(({ id }) => id).sort() };
}
