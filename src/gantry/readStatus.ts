import { present } from '../base/json/present.ts';
import {
  type Member,
  mayBeMissing,
  membersOf,
  needsDeployments,
  resourceStatus,
  withMissingTargets,
} from '../change/resourceStatus.ts';
import type { ResourceStatus, StackStatus } from '../change/status.ts';
import { confirmAbsence } from '../client/absence.ts';
import type { Client } from '../client/client.ts';
import { fetchSnapshot } from '../client/fetchSnapshot.ts';
import { isCode } from '../client/http/apiError.ts';
import { isUnserved } from '../client/reader.ts';
import { recordsOnly } from '../client/recordsOnly.ts';
import type { Snapshot } from '../manifest/live/snapshot.ts';
import { unlisted } from '../plan/model/refusal.ts';
import type { Platform } from '../project/platform/platform.ts';
import { shortHash } from './loading/hash.ts';
import type { OwnedStack } from './loading/namedStack.ts';

/**
 * Reads the live records of a stack in bulk: one query per kind for owned records, then missing declared names and
 * targets of references in chunks, and the deployments of each workload whose own status is not ready. Values of
 * secrets are not read.
 */
export async function readStatus({ client, org }: Platform, { owner, desired }: OwnedStack): Promise<StackStatus> {
  const before = client.requests();
  const referenced = [...(desired ?? []).map(({ ref }) => ref), ...mayBeMissing(desired ?? [], org)];
  const read = await fetchSnapshot(recordsOnly(client), { org, owner, declared: [], referenced });
  const snapshot = await confirmAbsence(client, read, referenced); // hidden records are not absent
  const members = membersOf({ desired, snapshot, owner, hash: shortHash });
  const resources = await Promise.all(
    members.map(async (member) => withMissingTargets(await statusOf(member, client, snapshot), member.live, snapshot)),
  );
  return {
    org,
    stack: owner,
    declarationsKnown: desired !== undefined,
    resources,
    ...present({ unlisted: snapshot.gaps === undefined ? undefined : unlisted(snapshot.gaps) }),
    requests: client.requests() - before,
  };
}

async function statusOf(member: Member, client: Client, { resources }: Snapshot): Promise<ResourceStatus> {
  if (!needsDeployments(member)) return resourceStatus(member, undefined);
  try {
    const gvc = resources.get(`gvc/${member.ref.gvc}`)?.record;
    return resourceStatus(member, await client.deployments(member.ref), gvc);
  } catch (error) {
    if (isCode(error, 'api.not-found')) return resourceStatus(member, []); // deleted meanwhile
    if (!isUnserved(error)) throw error;
    return { ...resourceStatus(member, []), reasons: [`its deployments cannot be read: ${error.message}`] };
  }
}
