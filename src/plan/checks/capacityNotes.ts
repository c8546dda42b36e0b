import { storesData } from '../../kinds/kindFacts.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { readVolumes } from '../impact/volumes.ts';
import type { Draft } from '../model/draft.ts';

const path = 'spec.initialCapacity';
const note = `${path} applies to new volumes only: existing volumes keep their size`;

/** Notes for what is set larger or smaller and stays as large as it is (platform/volumeset.shared). */
export function noteCapacity(drafts: ReadonlyMap<ResourceId, Draft>): ReadonlyMap<ResourceId, Draft> {
  return new Map(
    [...drafts].map(([id, draft]) => [id, isFelt(draft) ? draft : { ...draft, notes: [...draft.notes, note] }]),
  );
}

/** Is there nothing that the new capacity does not reach? Where no volumes are shown, some may be there. */
function isFelt({ kind, action, live, fields }: Draft): boolean {
  if (!storesData(kind) || action === 'replace' || live === undefined) return true;
  if (!fields.some((field) => field.path === path)) return true;
  const volumes = readVolumes(live.record);
  return volumes !== undefined && [...volumes.values()].every(({ size }) => size === 0);
}
