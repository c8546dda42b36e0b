import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Board } from '../model.ts';
import { stackStates } from '../model.ts';
import { Shared } from '../sources/oneAfterAnother.ts';

/**
 * The metrics of a reconciler for Prometheus. Every worker of a store reports the same values: aggregate them with
 * `max`, never with `sum`.
 */
export interface ReconcileMetrics {
  readonly contentType: string;
  /** Errors: those of the board. */
  text(): Promise<string>;
}

/** A run may become visible this long after its end, later than newer ones. */
const lateMs = 60_000;

const runBuckets = [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600];

/** Counts each run since the start of this process once. `now`: milliseconds since 1970. */
export function reconcileMetrics(
  board: Pick<Board, 'list' | 'figures' | 'ended' | 'targets'>,
  now: () => number,
): ReconcileMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const gauge = <const L extends string>(name: string, help: string, ...labelNames: readonly L[]) =>
    new Gauge<L>({ name: `gantry_reconcile_${name}`, help, labelNames, registers });
  const age = gauge(
    'last_success_age_seconds',
    'Time since the last run that was in line or applied, by stack',
    'stack',
  );
  const drifted = gauge('drifted_resources', 'Resources that others have changed, by stack', 'stack');
  const failures = gauge('failures', 'Failures in a row, by stack', 'stack');
  const states = gauge('stacks', 'Stacks, by state', 'state');
  const queue = gauge(
    'queue_length',
    'Stacks that wait for a worker (queued), and those that are worked on (active)',
    'state',
  );
  const requests = new Counter({
    name: 'gantry_reconcile_requests_total',
    help: 'Requests to platforms, of all workers since the store was made',
    registers,
  });
  const seconds = new Histogram({
    name: 'gantry_reconcile_run_seconds',
    help: 'How long runs took, by outcome',
    labelNames: ['outcome'],
    buckets: runBuckets,
    registers,
  });
  const undelivered = gauge(
    'notifications_waiting',
    'Notifications that are still to be delivered, by target',
    'target',
  );
  const notifying = gauge(
    'notifications_failing_seconds',
    'How long notifications have not been taken, by target',
    'target',
  );
  const notified = new Counter({
    name: 'gantry_reconcile_notifications_total',
    help: 'Notifications by target and result: delivered, or lost because they were not taken within a day',
    labelNames: ['target', 'result'],
    registers,
  });
  const startMs = now();
  let sinceMs = startMs;
  /** The end times of counted runs that may be returned again. */
  let counted: ReadonlyMap<string, number> = new Map();

  // In sequence, so that values of two readings never mix.
  const reading = new Shared(async () => {
    // If the clock was set back, runs that seem to end in the future have ended before.
    const fromMs = Math.min(sinceMs, now());
    const isSetBack = fromMs < sinceMs;
    const [stacks, figures, ended, targets] = await Promise.all([
      board.list(),
      board.figures(),
      board.ended(fromMs),
      board.targets(),
    ]);
    const nowMs = now();
    for (const each of [age, drifted, failures, undelivered, notifying, notified]) each.reset();
    for (const { entry, state } of stacks) {
      const { lastSuccessMs } = state;
      if (lastSuccessMs !== undefined) age.set({ stack: entry.name }, Math.max(0, (nowMs - lastSuccessMs) / 1_000));
      drifted.set({ stack: entry.name }, state.drifted ?? 0);
      failures.set({ stack: entry.name }, state.failures);
    }
    for (const state of stackStates) states.set({ state }, stacks.filter((each) => each.state.state === state).length);
    queue.set({ state: 'queued' }, figures.queued);
    queue.set({ state: 'active' }, figures.active);
    for (const { name, waiting, failing, delivered, lost } of targets) {
      undelivered.set({ target: name }, waiting);
      notifying.set({ target: name }, failing === undefined ? 0 : Math.max(0, (nowMs - failing.sinceMs) / 1_000));
      notified.inc({ target: name, result: 'delivered' }, delivered);
      notified.inc({ target: name, result: 'lost' }, lost);
    }
    requests.reset();
    requests.inc(figures.requests);
    for (const { id, outcome, ...run } of ended) {
      if (!isSetBack && !counted.has(id)) seconds.observe({ outcome }, (run.endMs - run.startMs) / 1_000);
    }
    // A run that ended while the clock was ahead must not move the start time.
    const newestMs = Math.min(nowMs, ended.at(-1)?.endMs ?? sinceMs);
    sinceMs = isSetBack ? fromMs : Math.max(sinceMs, newestMs - lateMs);
    counted = new Map([...counted, ...ended.map(({ id, endMs }) => [id, endMs] as const)].filter(isLater(sinceMs)));
    return registry.metrics();
  });
  return { contentType: registry.contentType, text: () => reading.run() };
}

function isLater(sinceMs: number) {
  return ([, endMs]: readonly [string, number]): boolean => endMs >= sinceMs;
}
