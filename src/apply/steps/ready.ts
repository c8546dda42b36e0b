import type { Change } from '../../plan/plan.ts';
import { TimeoutError } from '../applyErrors.ts';
import { workloadReadiness } from '../readiness.ts';
import { delayMs, pause, type Run } from '../run.ts';
import type { Slot } from '../schedule.ts';

const pollCapMs = 2_000;

/** Waits until what was written, or kept, is ready. Only workloads can be other than ready (protocol 5). */
export async function waitUntilReady(run: Run, change: Change, slot: Slot): Promise<void> {
  if (change.ref.kind !== 'workload') return;
  const written = run.written.get(change.id);
  const live = written?.as === 'stored' ? written.live : await run.port.read(change.ref);
  if (live === undefined) return;

  const since = run.clock.now();
  let told: string | undefined;
  for (let round = 0; ; round += 1) {
    const readiness = workloadReadiness(live.record, live.version, await run.port.deployments(change.ref));
    if (readiness.ready) return;
    if (readiness.because !== told)
      run.emit({ type: 'waiting', id: change.id, for: `readiness: ${readiness.because}` });
    told = readiness.because;
    if (run.clock.now() - since > run.patience.readinessMs) {
      throw new TimeoutError(change.id, 'ready', run.patience.readinessMs, told);
    }
    await pause(run, slot, delayMs(round, pollCapMs, run.random()));
  }
}
