import type { WritesOf } from '../../manifest/live/writer.ts';
import { attributeCauses, type CauseSources, trailsWanted } from '../../plan/drift/attributeCauses.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { nameLostOwners } from './lostOwners.ts';

/**
 * The plan with what the audit trail says of others: who erased an owner, who changed what. One read for each record
 * that it is asked of. What is planned stays the same.
 */
export async function nameWriters(plan: Plan, sources: CauseSources, writesOf: WritesOf): Promise<Plan> {
  const [named, trails] = await Promise.all([
    nameLostOwners(plan, sources.snapshot, writesOf),
    Promise.all(trailsWanted(plan).map(async (uid) => [uid, await writesOf(uid)] as const)),
  ]);
  return attributeCauses(named, sources, new Map(trails));
}
