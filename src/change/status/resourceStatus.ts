import type { JsonObject } from '../../base/json/json.ts';
import { isSuspended } from '../../kinds/workload/readiness.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { becomesReady } from '../../schema/facts/kindFacts.ts';
import { domainStatus } from './domainStatus.ts';
import type { Member } from './members.ts';
import { plainStatus } from './plainStatus.ts';
import { absent, hidden, type KindStatus, type ResourceStatus } from './status.ts';
import { volumeStatus } from './volumeStatus.ts';
import { saysReady, workloadStatus } from './workloadStatus.ts';

/** Must its deployments be asked to know whether it is ready? */
export function needsDeployments({ live, foreign }: Member): boolean {
  return live !== undefined && becomesReady(live.ref.kind) && !foreign && !isSuspended(live.record) && !saysReady(live);
}

/** The state of one resource; `deployments`: of a workload that needs them; `gvc`: its GVC, where that was read. */
export function resourceStatus(
  member: Member,
  deployments: readonly JsonObject[] | undefined,
  gvc?: JsonObject,
): ResourceStatus {
  const { id, live, foreign, declared } = member;
  const known = { id, ...(declared === undefined ? {} : { declared }) };
  if (live === undefined) {
    if (member.hidden === undefined) {
      return { ...known, state: 'failed', health: absent, reasons: ['it is declared, but does not exist'] };
    }
    const reasons = [`this token cannot view it (it lacks ${member.hidden})`];
    return { ...known, state: 'failed', health: hidden, reasons };
  }
  const { version } = live;
  const status = kindStatus(live, deployments, gvc);
  if (!foreign) return { ...known, version, ...status };
  const reasons = ['it is declared, but belongs to another stack or to nobody', ...status.reasons];
  return { ...known, version, ...status, state: 'failed', reasons };
}

function kindStatus(
  live: LiveResource,
  deployments: readonly JsonObject[] | undefined,
  gvc: JsonObject | undefined,
): KindStatus {
  const { ref, record } = live;
  switch (ref.kind) {
    case 'workload':
      return workloadStatus(live, deployments, gvc);
    case 'domain':
      return domainStatus(record);
    case 'volumeset':
      return volumeStatus(record);
    default:
      return plainStatus(ref.kind, record);
  }
}
