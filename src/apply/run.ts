import type { ApplyClock } from '../base/clock.ts';
import type { ToolError } from '../base/toolError.ts';
import type { Capabilities } from '../capabilities/capabilities.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { Change } from '../plan/model/change.ts';
import type { Plan } from '../plan/model/plan.ts';
import type { Replan } from '../plan/replan.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import { Interrupted, StaleError } from './applyErrors.ts';
import type { Commitments } from './commitments.ts';
import type { ApplyEvent } from './events.ts';
import type { PlatformPort, Written } from './port.ts';
import type { Precondition, UnchangedRecords } from './precondition.ts';
import type { SeenRace } from './races.ts';
import type { Slot } from './schedule.ts';

/** The maximum waiting times, in milliseconds. */
export interface Patience {
  /** For a record that is busy (409). */
  readonly busyMs: number;
  /** For reads that are older than what this run has written (`--consistency-timeout`). */
  readonly consistencyMs: number;
  /** For a deletion, including the time after it was accepted. */
  readonly deletionMs: number;
  /**
   * For a workload that is not ready (`--wait-timeout`); as other clients of this platform
   * (platform/lifecycle.readiness).
   */
  readonly readinessMs: number;
}

export const defaultPatience: Patience = {
  busyMs: 120_000,
  consistencyMs: 10_000,
  deletionMs: 600_000,
  readinessMs: 300_000,
};

/** The values that the steps of one run share. */
export interface Run {
  readonly plan: Plan;
  readonly port: PlatformPort;
  readonly clock: ApplyClock;
  readonly random: () => number;
  readonly patience: Patience;
  readonly capabilities: Capabilities;
  /** The record that the plan was made from; undefined if it is not known here. */
  readonly planned: (id: ResourceId) => LiveResource | undefined;
  readonly replan: Replan | undefined;
  /** Whether `replan` knows the declaration of the resource. */
  readonly declares: (id: ResourceId) => boolean;
  /** Whether the caller wrote it before this run. */
  readonly wroteBefore: (id: ResourceId) => boolean;
  /** True if records that the stack still owns after the run count as left behind. */
  readonly endsEmpty: boolean;
  /** Aborted when nothing new may be sent. */
  readonly halt: AbortSignal;
  /** Ends the run: nothing more is written. */
  readonly stop: (because: string) => void;
  /**
   * Rejects if writes are no longer allowed: the first time with the reason, which ends the run, then as interrupted.
   */
  readonly mayWrite: () => Promise<void>;
  readonly emit: (event: ApplyEvent) => void;
  readonly written: Map<ResourceId, Written>;
  /**
   * For a change whose write was planned again: the second step of the new plan. Without `then`, nothing is left to do.
   */
  readonly secondSteps: Map<ResourceId, Pick<Change, 'then' | 'expectedThen'>>;
  /** Records for which the platform has accepted a write that it does not show yet: a deletion or a creation. */
  readonly accepted: Set<ResourceId>;
  /** Records that were there, and whose DELETE was answered with 404. */
  readonly denied: Set<ResourceId>;
  readonly commitments: Commitments;
  /** By the id that is deleted first: the creation that is tried before. Empty if the platform offers no dry runs. */
  readonly tried: ReadonlyMap<ResourceId, Change>;
  /** By the id that is deleted first: the dry runs that this run has begun. */
  readonly tries: Map<ResourceId, Promise<void>>;
  /** By id: the marks that this run has begun to write on records that it replaces. */
  readonly marks: Map<ResourceId, Promise<LiveResource | undefined>>;
  /** By id: records with their mark, as the platform answered. */
  readonly marked: Map<ResourceId, LiveResource>;
  /** Notes for the user about the run. */
  readonly notes: Set<string>;
  readonly kept: UnchangedRecords;
  readonly precondition: Precondition;
  /** By id; only the last race of each record counts. */
  readonly races: Map<ResourceId, SeenRace>;
}

const never = new AbortController().signal;

/** The run as one step sees it. */
export interface StepRun extends Run {
  /** Released while the step waits. */
  readonly slot: Slot;
}

/** Commitments continue when everything else is stopped. */
export function runOfStep(run: Run, key: string, slot: Slot): StepRun {
  async function mayWrite(): Promise<void> {
    if (!run.commitments.owes(key)) await run.mayWrite();
  }
  function permitted<Args extends readonly unknown[], T>(write: (...args: Args) => Promise<T>) {
    return async (...args: Args): Promise<T> => {
      await mayWrite();
      return write(...args);
    };
  }
  const { create, patch, delete: remove } = run.port;
  return {
    ...run,
    slot,
    mayWrite,
    port: { ...run.port, create: permitted(create), patch: permitted(patch), delete: permitted(remove) },
    get halt() {
      return run.commitments.owes(key) ? never : run.halt;
    },
  };
}

/** Sleeps without occupying a slot; rejects with Interrupted if the run was stopped. */
export async function pause(run: StepRun, ms: number): Promise<void> {
  await run.slot.release(() => run.clock.sleep(ms, run.halt));
  if (run.halt.aborted) throw new Interrupted();
}

const firstDelayMs = 50;

/** Doubles from 50 ms up to `capMs`, a quarter of it jitter. `round` counts from 0. */
export function delayMs(round: number, capMs: number, random: number): number {
  const full = Math.min(capMs, firstDelayMs * 2 ** Math.min(round, 16));
  return Math.round(full * (0.75 + 0.25 * random));
}

const busyCapMs = 5_000;

/** Reports a retry and waits for it; throws `error` when the time limit is reached. */
export async function waitWhileBusy(
  run: StepRun,
  busy: Busy,
  error: ToolError,
  patienceMs = run.patience.busyMs,
): Promise<void> {
  const delay = delayMs(busy.round + 1, busyCapMs, run.random());
  if (run.clock.now() + delay > busy.since + patienceMs) throw error;
  busy.round += 1;
  run.emit({ type: 'retrying', id: busy.id, because: error.message, delayMs: delay });
  await pause(run, delay);
}

/** How long one step has waited for a busy record. */
export interface Busy {
  readonly id: ResourceId;
  readonly since: number;
  round: number;
}

/** Gives a change up because of another client's write. */
export function lose(run: Run, race: SeenRace, moved: string): StaleError {
  run.races.set(race.id, race);
  return new StaleError(race.id, moved);
}

export function notBusyYet(run: Run, id: ResourceId): Busy {
  return { id, since: run.clock.now(), round: 0 };
}
