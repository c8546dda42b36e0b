import { type JsonObject, objectAt, own, stringAt } from '../../../base/json/json.ts';
import { workloadTypeOf } from '../../../schema/facts/workloadTypes.ts';

/** How a new version replaces the previous one (platform/workload.autoscaling, platform/workload.rollout). */
export type RolloutStrategy = 'all at once' | 'one after the other' | 'rolling';

/**
 * Serverless replaces all replicas together; standard rolls; stateful updates one replica at a time, unless
 * `scalingPolicy` is Parallel.
 */
export function rolloutStrategyOf(workload: JsonObject): RolloutStrategy {
  const type = workloadTypeOf(workload);
  if (type === 'serverless') return 'all at once';
  if (type !== 'stateful') return 'rolling';
  const policy = stringAt(objectAt(objectAt(workload, 'spec'), 'rolloutOptions'), 'scalingPolicy');
  return policy === 'Parallel' ? 'all at once' : 'one after the other';
}

/** The duration of a rollout. `readyAfterMs`: the time until one replica runs. */
export function rolloutMs(strategy: RolloutStrategy, replicas: number, readyAfterMs: number): number {
  return strategy === 'one after the other' ? Math.max(1, replicas) * readyAfterMs : readyAfterMs;
}

/** The number of replicas with the new version after some time; as they start, older replicas stop. */
function replacedReplicas(
  strategy: RolloutStrategy,
  replicas: number,
  readyAfterMs: number,
  elapsedMs: number,
): number {
  if (elapsedMs >= rolloutMs(strategy, replicas, readyAfterMs)) return replicas;
  switch (strategy) {
    case 'all at once':
      return 0;
    case 'rolling':
      return Math.floor((replicas * elapsedMs) / readyAfterMs);
    case 'one after the other':
      return Math.floor(elapsedMs / readyAfterMs);
  }
}

/** The past and present versions of a workload in any location. Times in milliseconds since 1970. */
export interface History {
  readonly version: number;
  readonly sinceMs: number;
  /** The previous ready version, and when it became ready. */
  readonly ready?: { readonly version: number; readonly sinceMs: number };
  readonly gvc: GvcHistory;
  /** The missing secrets that the start of the newest version waits for. */
  readonly waitsFor?: readonly string[];
}

/** The last version of the GVC that changed something for its workloads. */
export interface GvcHistory {
  readonly version: number;
  readonly sinceMs: number;
  readonly before?: number;
}

export interface Generation {
  readonly workload: number;
  readonly gvc: number;
  readonly startMs: number;
}

/** The progress of the newest version in a location. */
export interface Progress {
  readonly latest: Generation;
  readonly done: boolean;
  readonly doneMs: number;
  readonly latestReady: number;
  /** The version that runs until the newest one does. */
  readonly older?: Generation & { readonly ready: number };
}

/** The location and manner of a rollout. */
interface LocationRollout {
  /** When the GVC got the location. */
  readonly sinceMs: number;
  readonly strategy: RolloutStrategy;
  readonly replicas: number;
  readonly readyAfterMs: number;
}

/**
 * The rollout of a workload in a location (platform/lifecycle.deployment). A write of the workload or a relevant write
 * of its GVC starts a new one; the previous version stays ready until the new one is.
 */
export function progressIn(
  history: History,
  { sinceMs: locationSinceMs, strategy, replicas, readyAfterMs }: LocationRollout,
  nowMs: number,
): Progress {
  const { version, gvc } = history;
  const startMs = Math.max(history.sinceMs, gvc.sinceMs, locationSinceMs);
  const takesMs = rolloutMs(strategy, replicas, readyAfterMs);
  // A server whose clock is ahead started it. Its age is unknown, and it must not wait for this clock.
  const elapsedMs = nowMs < startMs ? takesMs : nowMs - startMs;
  const waiting = history.waitsFor !== undefined && history.waitsFor.length > 0;
  const done = !waiting && elapsedMs >= takesMs;
  const latestReady = waiting ? 0 : replacedReplicas(strategy, replicas, readyAfterMs, elapsedMs);
  const latest = { workload: version, gvc: gvc.version, startMs };
  // A location that was added after the last change never ran an older version.
  const changedMs = Math.max(history.sinceMs, gvc.sinceMs);
  const before = done || locationSinceMs > changedMs ? undefined : previousGeneration(history, takesMs);
  const base = { latest, done, doneMs: startMs + takesMs, latestReady };
  return before === undefined ? base : { ...base, older: { ...before, ready: replicas - latestReady } };
}

function previousGeneration({ version, sinceMs, ready, gvc }: History, takesMs: number): Generation | undefined {
  const gvcBefore = gvc.before ?? gvc.version;
  if (gvc.sinceMs > sinceMs && sinceMs + takesMs <= gvc.sinceMs) {
    return { workload: version, gvc: gvcBefore, startMs: sinceMs };
  }
  if (ready === undefined) return undefined;
  const rolledOut = gvc.sinceMs <= sinceMs && gvc.sinceMs + takesMs <= sinceMs;
  return { workload: ready.version, gvc: rolledOut ? gvc.version : gvcBefore, startMs: ready.sinceMs };
}

/** Members of a GVC that its workloads depend on: a change rolls them out again (platform/lifecycle.deployment). */
const relevantGvcFields = ['env', 'keda', 'pullSecretLinks', 'sidecar', 'tracing'] as const;

export function affectsWorkloads(before: JsonObject, after: JsonObject): boolean {
  const [old, now] = [objectAt(before, 'spec'), objectAt(after, 'spec')];
  return relevantGvcFields.some((field) => JSON.stringify(own(old, field)) !== JSON.stringify(own(now, field)));
}
