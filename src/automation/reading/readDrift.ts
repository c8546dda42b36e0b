import { confirmAbsence } from '../../client/absence.ts';
import { auditTrail, auditTrailOfName } from '../../client/auditTrail.ts';
import { fetchSnapshot, type SnapshotSource } from '../../client/fetchSnapshot.ts';
import { viewsEverything } from '../../client/read/views.ts';
import { attributeDrift } from '../../plan/drift/attributeDrift.ts';
import type { Drift } from '../../plan/drift/drift.ts';
import { type Finding, findDrift, trailOf } from '../../plan/drift/findDrift.ts';
import type { OwnedStack } from '../loading/namedStack.ts';
import { shortHash } from '../planning/hash.ts';
import type { Platform } from '../platform/platform.ts';

/** What others changed since a stack last wrote it, whether or not its code changed. */
export async function readDrift({ client, org }: Platform, { owner, desired, scope }: OwnedStack): Promise<Drift> {
  const before = client.requests();
  // Values of secrets are not compared, and what GVCs hold besides is not asked: nothing is deleted here.
  const source: SnapshotSource = {
    ...client,
    children: () => Promise.resolve([]),
    views: () => Promise.resolve(viewsEverything),
  };
  const referenced = (desired ?? []).map(({ ref }) => ref);
  const read = await fetchSnapshot(source, { org, owner, declared: [], referenced });
  // What is only hidden from this token was not deleted.
  const snapshot = await confirmAbsence(client, read, referenced);

  const findings = findDrift({ desired, scope, snapshot, owner, hash: shortHash });
  const writesOf = auditTrail(client);
  const trail = async (finding: Finding) => {
    const which = trailOf(finding);
    if (which === 'name') return auditTrailOfName(client, finding.ref);
    return which === 'record' && finding.live !== undefined ? writesOf(finding.live.uid) : undefined;
  };
  const context = { org, owner, hash: shortHash };
  const records = await Promise.all(
    findings.map(async (finding) => attributeDrift(finding, await trail(finding), context)),
  );
  return {
    org,
    stack: owner,
    declarationsKnown: desired !== undefined,
    records: records.filter((record) => record !== undefined),
    requests: client.requests() - before,
  };
}
