import type { Snapshot } from '../../manifest/live/snapshot.ts';
import type { Plan } from '../model/plan.ts';

/** The GVCs that lose something, and whose content the snapshot does not contain yet: only a plan shows which. */
export function gvcsToList({ changes }: Plan, { closures }: Pick<Snapshot, 'closures'>): readonly string[] {
  return changes.flatMap(({ takes, name }) => (takes !== undefined && !closures.has(name) ? [name] : []));
}
