import type { Snapshot } from '../manifest/live/snapshot.ts';
import { isContainer } from '../schema/record/kinds.ts';
import type { Plan } from './model/plan.ts';

/** The GVCs that lose something and whose content is not in the snapshot yet: only a plan shows which. */
export function gvcsToList(
  { changes, waiting = [] }: Plan,
  { closures }: Pick<Snapshot, 'closures'>,
): readonly string[] {
  const later = new Set(waiting.map(({ id }) => id));
  return changes.flatMap(({ id, kind, takes, name }) =>
    (takes !== undefined || (isContainer(kind) && later.has(id))) && !closures.has(name) ? [name] : [],
  );
}
