import type { Ref } from '../../schema/record/ref.ts';
import type { Change } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import { firstVersion, versionAfter, versionBefore } from '../record/version.ts';
import { sendsPatch } from './applyRequests.ts';

/** A PATCH of nothing, pinned to a version that the record does not have. */
export interface VersionProbe {
  readonly ref: Ref;
  readonly version: number;
  readonly body: { readonly id: string; readonly version: number };
}

export function probeOf(ref: Ref, uid: string, version: number): VersionProbe {
  return {
    ref,
    version,
    body: { id: uid, version: version > firstVersion ? versionBefore(version) : versionAfter(version) },
  };
}

/**
 * The PATCH with which an apply asks whether the platform honours versions; undefined where it need not ask, or has no
 * record to ask with yet. Sent to a record that the plan writes anyway, so that an installation which counts every PATCH
 * as a change restarts nothing else; to the smallest one, because the answer may contain it. Adopted records are not
 * ours yet.
 */
export function versionProbe({ changes, preconditions }: Pick<Plan, 'changes' | 'preconditions'>) {
  if (preconditions !== 'unsaid') return undefined;
  for (const action of ['patch', 'forget', 'keep'] as const) {
    const sized = changes
      .filter((change) => change.action === action)
      .map((change) => ({ change, size: sizeOf(change) }));
    sized.sort((a, b) => a.size - b.size); // stable: the plan has an order
    for (const { change } of sized) {
      const { ref, liveUid: uid, liveVersion: version } = change;
      if (uid !== undefined && version !== undefined && change.part !== true) return probeOf(ref, uid, version);
    }
  }
  return undefined;
}

/** The same for who reads the plan; undefined where the apply sends no PATCH. */
export function announcedProbe(plan: Plan): VersionProbe | undefined {
  return plan.changes.some(sendsPatch) ? versionProbe(plan) : undefined;
}

function sizeOf({ expected }: Change): number {
  return expected === undefined ? 0 : JSON.stringify(expected.masked).length;
}
