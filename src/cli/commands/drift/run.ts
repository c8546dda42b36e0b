import { confirmAbsence } from '../../../client/absence.ts';
import { auditTrail, auditTrailOfName } from '../../../client/auditTrail.ts';
import { fetchSnapshot, type SnapshotSource } from '../../../client/fetchSnapshot.ts';
import { viewsEverything } from '../../../client/read/views.ts';
import { driftToJson } from '../../../plan/documents/driftToJson.ts';
import { attributeDrift } from '../../../plan/drift/attributeDrift.ts';
import { type Drift, hasDrift } from '../../../plan/drift/drift.ts';
import { type Finding, findDrift, trailOf } from '../../../plan/drift/findDrift.ts';
import type { Ending } from '../../answer/ending.ts';
import { show } from '../../answer/show.ts';
import type { CommandContext } from '../../line/context.ts';
import type { GlobalOptions } from '../../line/options.ts';
import { type NamedStack, namedStack } from '../../manifests/namedStack.ts';
import { shortHash } from '../../planning/hash.ts';
import { openPlatform, type Platform } from '../../platform/platform.ts';
import { exitCode } from '../../process/exitCode.ts';
import { renderDrift } from './text.ts';

export interface DriftOptions extends GlobalOptions {
  readonly detailedExitcode: boolean;
}

type DriftCommandContext = CommandContext<DriftOptions>;

/** What others changed since this stack last wrote it, whether or not the code changed. Nothing is written. */
export async function runDrift(context: DriftCommandContext, paths: readonly string[]): Promise<Ending> {
  const stack = await namedStack(context, paths);
  const { options, terminal } = context;
  const platform = await openPlatform(context, stack.settings);
  try {
    const drift = await readDrift(platform, stack);
    await show(context, { text: () => renderDrift(drift, terminal.palette), document: () => driftToJson(drift) });
    return options.detailedExitcode && hasDrift(drift) ? exitCode.changes : exitCode.ok;
  } finally {
    await platform.close();
  }
}

async function readDrift({ client, org }: Platform, { owner, desired, scope }: NamedStack): Promise<Drift> {
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
