import { desiredGraph, type ResourceGraph } from '../../plan/order/planGraph.ts';
import type { Session } from '../../project/session/session.ts';
import { type Loading, loadManifests } from '../loading/loadStack.ts';

/** Which declared resource refers to which, offline: without a look at what is live. Errors: `input.invalid`. */
export async function readGraph(
  session: Session,
  paths: readonly string[],
  loading: Loading = {},
): Promise<ResourceGraph> {
  const { desired, org } = await loadManifests(session, paths, 'unread', loading);
  return desiredGraph(desired, org);
}
