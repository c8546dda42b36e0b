import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { PlanContext } from '../../plan/model/planContext.ts';

/** The owner of a live resource, in words. */
export function describeOwner(live: LiveResource, planning: PlanContext): string {
  const ownership = planning.ownership(live);
  switch (ownership.state) {
    case 'ours':
      return 'this stack';
    case 'unrecorded':
      return 'this stack according to its tag, but the tag gantry/applied is missing';
    case 'copy':
      return 'nobody: it is a copy of another resource';
    case 'lost':
      return 'nobody: its owner tag was removed';
    case 'other':
      return `the stack ${ownership.owner}`;
    case 'none':
      return 'nobody';
  }
}
