import type { Client } from '../../client/client.ts';
import type { Snapshot } from '../../manifest/live/snapshot.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { gvcsToList } from '../../plan/reading/gvcsToList.ts';

/**
 * The snapshot with the content of each GVC that the plan deletes or takes something from: only the plan tells which
 * ones have to be listed. The same object where there are none; otherwise it is to be planned again.
 */
export async function listVictims(plan: Plan, snapshot: Snapshot, client: Client): Promise<Snapshot> {
  const gvcs = gvcsToList(plan, snapshot.closures);
  if (gvcs.length === 0) return snapshot;
  const { withClosures } = await import('../../client/fetchSnapshot.ts');
  return withClosures(client, snapshot, gvcs);
}
