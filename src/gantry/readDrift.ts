import { attributeDrift } from '../change/attributeDrift.ts';
import type { Drift } from '../change/drift.ts';
import { type Finding, findDrift, trailOf, withoutLeftAlone } from '../change/findDrift.ts';
import { confirmAbsence } from '../client/absence.ts';
import { auditTrail, auditTrailOfName } from '../client/auditTrail.ts';
import { fetchSnapshot, type SnapshotSource } from '../client/fetchSnapshot.ts';
import { viewsEverything } from '../client/views.ts';
import { hiddenField, isUnrevealed } from '../kinds/kindFacts.ts';
import { liveReferences } from '../manifest/live/liveReference.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import { isMatched, parsePatterns, patternsBelow } from '../patch/place.ts';
import { recordsNow } from '../plan/consequences/access.ts';
import { fillReads } from '../plan/planWithReads.ts';
import { keysAmong } from '../plan/record/keysMade.ts';
import { versionsTell } from '../plan/record/version.ts';
import { makeReplan } from '../plan/replan.ts';
import type { Platform } from '../project/platform/platform.ts';
import { shortHash } from './loading/hash.ts';
import type { OwnedStack } from './loading/namedStack.ts';

/** Changes by others since a stack last wrote its records, whether or not its code changed. */
export async function readDrift(
  { client, org }: Platform,
  { owner, desired: given, outputs = [], scope }: OwnedStack,
): Promise<Drift> {
  const before = client.requests();
  // Values of secrets are not compared, and contents of GVCs are not read, because nothing is deleted.
  const source: SnapshotSource = {
    ...client,
    children: () => Promise.resolve([]),
    views: () => Promise.resolve(viewsEverything),
  };
  const referenced = (given ?? []).map(({ ref }) => ref);
  const sources = (given ?? []).flatMap(({ reads = [] }) => reads.map(({ ref }) => ref));
  const read = await fetchSnapshot(source, { org, owner, declared: [], referenced: [...referenced, ...sources] });
  // Records that are only hidden from this token were not deleted.
  const snapshot = await confirmAbsence(client, read, referenced);
  const saved = outputs.flatMap(({ value, saveTo }) => (saveTo === undefined ? [] : liveReferences(value)));
  const keys = keysAmong([...(given ?? []).flatMap(({ reads = [] }) => reads), ...saved]);

  const desired = given && fillReads(given, snapshot);
  const findings = findDrift({ desired, scope, snapshot, owner, hash: shortHash });
  const writesOf = auditTrail(client);
  const trail = async (finding: Finding) => {
    const which = trailOf(finding);
    if (which === 'name') return auditTrailOfName(client, finding.ref);
    return which === 'record' && finding.live !== undefined ? writesOf(finding.live.uid) : undefined;
  };
  const { capabilities } = snapshot;
  const context = { org, owner, hash: shortHash, records: recordsNow(snapshot.resources), keys };
  const options = { ...context, scope, wait: false, targets: [], excludes: [] };
  const plans = makeReplan(desired ?? [], snapshot, options);
  const records = await Promise.all(
    findings.map(async (finding) => {
      const record = attributeDrift(finding, await trail(finding), context);
      if (record?.state !== 'touched' || finding.declared === undefined || finding.live === undefined) return record;
      const live = await compared(finding.live, finding.declared, client);
      if (live === undefined && versionsTell(capabilities)) return record;
      if (live === undefined) {
        const blind = makeReplan(desired ?? [], { ...snapshot, unrevealed: new Set([finding.id]) }, options);
        return { ...withoutLeftAlone(record, blind(finding.id, finding.live), false), secretsUnknown: true };
      }
      const settled = withoutLeftAlone(record, plans(finding.id, live), versionsTell(capabilities));
      const isKnown = live !== finding.live && settled.state === 'left-alone';
      return isKnown ? { ...settled, secretsUnknown: false } : settled;
    }),
  );
  return {
    org,
    stack: owner,
    declarationsKnown: desired !== undefined,
    records: records.filter((record) => record !== undefined),
    requests: client.requests() - before,
  };
}

/** The record to compare: of a secret with its value, unless that is ignored; undefined if it cannot be read. */
async function compared(
  live: LiveResource,
  { lifecycle: { ignore } }: DesiredResource,
  client: Pick<Platform['client'], 'read'>,
): Promise<LiveResource | undefined> {
  const hidden = hiddenField(live.ref.kind);
  if (hidden === undefined || isMatched(patternsBelow(parsePatterns(ignore), hidden))) return live;
  const revealed = await client.read(live.ref);
  return revealed === undefined || isUnrevealed(live.ref.kind, revealed.record) ? undefined : revealed;
}
