import type { JsonObject } from '../../base/json/json.ts';
import { becomesReady } from '../../kinds/kindFacts.ts';
import { workloadReadiness } from '../../kinds/workload/readiness.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Change } from '../../plan/model/change.ts';
import { formatRef } from '../../schema/record/ref.ts';
import { NotReadyError, StaleError } from '../run/applyErrors.ts';
import { delayMs, pause, type Run, type StepRun } from '../run/run.ts';

const pollCapMs = 2_000;

/** A change, or a record that the run does not have to do with. */
type Waited = Pick<Change, 'id' | 'kind' | 'ref' | 'gvc' | 'waitTimeoutMs'>;

/**
 * Waits until the resource, written or unchanged, is ready. Only workloads become ready later than they are written
 * (platform/lifecycle.readiness). `tell`: takes what is missing, each time that it is something else.
 */
export async function waitUntilReady(
  run: StepRun,
  change: Waited,
  tell = (missing: string) => run.emit({ type: 'waiting', id: change.id, for: `readiness: ${missing}` }),
): Promise<void> {
  if (!becomesReady(change.kind)) return;
  const { record, version } = await recordOf(run, change);
  const patienceMs = change.waitTimeoutMs ?? run.patience.readinessMs;
  const since = run.clock.now();
  let reported: string | undefined;
  for (let round = 0; ; round += 1) {
    const deployments = await run.port.deployments(change.ref);
    const gvc = deployments.length === 0 ? await gvcOf(run, change) : undefined;
    const readiness = workloadReadiness(record, version, deployments, gvc);
    if (readiness.ready) return;
    if (readiness.because !== reported) tell(readiness.because);
    reported = readiness.because;
    const leftMs = since + patienceMs - run.clock.now();
    if (leftMs <= 0) throw new NotReadyError(change.id, patienceMs, reported);
    await pause(run, Math.min(leftMs, delayMs(round, pollCapMs, run.random())));
  }
}

/** The record that this run wrote, or the live one of something unchanged. */
async function recordOf(run: Run, change: Waited): Promise<LiveResource> {
  const written = run.written.get(change.id);
  const live = written?.as === 'stored' ? written.live : await run.kept.read(change.ref);
  if (live === undefined) throw new StaleError(change.id, 'it no longer exists');
  return live;
}

/** Undefined: it is not known, or not as this run leaves it. */
async function gvcOf({ written, kept }: Run, { gvc }: Waited): Promise<JsonObject | undefined> {
  if (gvc === undefined) return undefined;
  const own = written.get(formatRef({ kind: 'gvc', name: gvc }));
  if (own !== undefined) return own.as === 'stored' ? own.live.record : undefined;
  return (await kept.gvc(gvc))?.record;
}
