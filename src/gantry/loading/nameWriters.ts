import { attributeCauses, type CauseSources, lastChange, trailsWanted } from '../../change/attributeCauses.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { Snapshot } from '../../manifest/live/snapshot.ts';
import type { WritesOf } from '../../manifest/live/writer.ts';
import { ownerTag } from '../../manifest/model/ownTags.ts';
import { ownerLostNote } from '../../plan/model/ownerLost.ts';
import type { Plan } from '../../plan/model/plan.ts';

/**
 * Adds information from the audit trail: who removed an owner tag, and who changed which field. One read per record
 * involved. The changes stay the same.
 */
export async function nameWriters(plan: Plan, sources: CauseSources, writesOf: WritesOf): Promise<Plan> {
  const [named, trails] = await Promise.all([
    nameLostOwners(plan, sources.snapshot, writesOf),
    Promise.all(trailsWanted(plan).map(async (uid) => [uid, await writesOf(uid)] as const)),
  ]);
  return attributeCauses(named, sources, new Map(trails));
}

/** Adds the names of the users who removed owner tags, if the audit trail has them. */
async function nameLostOwners(
  plan: Plan,
  { resources }: Pick<Snapshot, 'resources'>,
  writesOf: WritesOf,
): Promise<Plan> {
  const changes = await Promise.all(
    plan.changes.map(async (change) => {
      const live = resources.get(change.id);
      if (change.ownerLost !== true || live === undefined) return change;
      const shape = shapeOf(change.kind, live.record);
      const write = lastChange(`tags.${JSON.stringify(ownerTag)}`, shape, live.record, await writesOf(live.uid));
      if (write === undefined) return change;
      const unnamed = ownerLostNote(live);
      return { ...change, notes: change.notes.map((note) => (note === unnamed ? ownerLostNote(live, write) : note)) };
    }),
  );
  return { ...plan, changes };
}
