import { present } from '../base/json/present.ts';
import type { ToolError } from '../base/toolError.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import type { Unwritten } from './reply/written.ts';
import type { ApplyEvent, ApplyResult, ChangeRun, Failed, Skipped, Unfinished } from './report/events.ts';
import type { PlannedStep } from './schedule/tasks.ts';

/** When a change was worked on, and how that ended. */
export type ChangeTime = Pick<ChangeRun, 'id' | 'outcome' | keyof Unwritten | 'reached' | 'startedMs' | 'elapsedMs'>;

interface Progress {
  open: number;
  startedAt: number | undefined;
  error: ToolError | undefined;
  skipped: string | undefined;
}

export interface TallyOptions {
  readonly now: () => number;
  readonly version: (id: ResourceId) => number | undefined;
  readonly unwritten: (id: ResourceId) => Unwritten;
  readonly reached: (id: ResourceId) => Unfinished['reached'];
  readonly emit: (event: ApplyEvent) => void;
}

/** Combines the outcomes of the steps of a change into one outcome, reported when its last step has ended. */
export class Outcomes {
  readonly #progress = new Map<ResourceId, Progress>();
  readonly #options: TallyOptions;
  readonly #kept: ReadonlySet<ResourceId>;
  readonly #times: ChangeTime[] = [];
  readonly #done: ResourceId[] = [];
  readonly #ready: ResourceId[] = [];
  readonly #failed: Failed[] = [];
  readonly #skipped: Skipped[] = [];

  constructor(steps: readonly PlannedStep[], options: TallyOptions) {
    this.#options = options;
    this.#kept = new Set(steps.filter(({ change }) => change.action === 'keep').map(({ change }) => change.id));
    for (const { change } of steps) this.#of(change.id).open += 1;
  }

  started(id: ResourceId): void {
    this.#of(id).startedAt ??= this.#options.now();
  }

  /** A step has ended. `reason`: why it failed, or in words why it was skipped; undefined: it was done. */
  settled(id: ResourceId, reason: ToolError | string | undefined): void {
    const progress = this.#of(id);
    progress.open -= 1;
    if (typeof reason === 'string') progress.skipped ??= reason;
    else progress.error ??= reason;
    if (progress.open === 0) this.#close(id, progress);
  }

  /** In the order in which they ended. */
  result(): Pick<ApplyResult, 'done' | 'ready' | 'failed' | 'skipped'> {
    const ready = this.#ready.length === 0 ? {} : { ready: this.#ready };
    return { done: this.#done, ...ready, failed: this.#failed, skipped: this.#skipped };
  }

  /** In the same order. */
  times(): readonly ChangeTime[] {
    return this.#times;
  }

  #close(id: ResourceId, { startedAt, error, skipped }: Progress): void {
    const { emit, now, reached, unwritten, version } = this.#options;
    const elapsedMs = startedAt === undefined ? 0 : now() - startedAt;
    const times = startedAt === undefined ? {} : { startedMs: startedAt, elapsedMs };
    const how = reached(id);
    const unfinished: Unfinished = { id, ...present({ reached: how }) };
    if (error !== undefined) {
      this.#times.push({ ...unfinished, outcome: 'failed', ...times });
      this.#failed.push({ ...unfinished, error });
      emit({ type: 'failed', ...unfinished, error });
    } else if (skipped !== undefined) {
      this.#times.push({ ...unfinished, outcome: 'skipped', ...times });
      this.#skipped.push({ ...unfinished, because: skipped });
      emit({ type: 'skipped', ...unfinished, because: skipped });
    } else {
      const unchanged = this.#kept.has(id);
      const found = unwritten(id);
      this.#times.push({ id, outcome: unchanged ? 'ready' : 'done', ...found, ...times });
      (unchanged ? this.#ready : this.#done).push(id);
      emit({ type: 'done', id, version: version(id), elapsedMs, ...found });
    }
  }

  #of(id: ResourceId): Progress {
    const known = this.#progress.get(id);
    if (known !== undefined) return known;
    const progress: Progress = { open: 0, startedAt: undefined, error: undefined, skipped: undefined };
    this.#progress.set(id, progress);
    return progress;
  }
}
