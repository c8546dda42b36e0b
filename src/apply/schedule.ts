export interface Task {
  readonly key: string;
  readonly after: readonly Wait[];
  /** Resolves with the outcome; a rejection is our own mistake and ends the whole run. */
  run(slot: Slot): Promise<Outcome>;
  /** Called instead of `run` if the task must not run. */
  skip(because: string): void;
}

export interface Wait {
  readonly on: string;
  /** A soft wait orders, but a failure of `on` does not skip the waiting task. */
  readonly soft: boolean;
}

export type Outcome = 'done' | 'failed' | 'skipped';

/** The slot of a running task, one of the limited number of concurrent ones. */
export interface Slot {
  /** Releases the slot while `wait` is pending, then takes one again. */
  release<T>(wait: () => Promise<T>): Promise<T>;
}

export interface ScheduleOptions {
  readonly concurrency: number;
  /** Called before each start: why nothing may start any more, or undefined. */
  readonly stopped: () => string | undefined;
  /** Called after a stop: whether this task must still run. */
  readonly mustStillRun: (key: string) => boolean;
  /** Called when everything that a task waits for has ended: whether it runs although something of that failed. */
  readonly runsDespiteFailure: (key: string) => boolean;
  /** For the reason of a skip, such as `gvc/shop failed`. */
  readonly describe: (key: string, outcome: Outcome) => string;
}

interface Node {
  readonly task: Task;
  readonly waiters: { readonly node: Node; readonly soft: boolean }[];
  open: number;
  /** The length of the longest chain of tasks that waits for this one; the longest starts first. */
  height: number;
  skipReason: string | undefined;
}

/**
 * Runs tasks in the order of their graph, at most `concurrency` at the same time, the head of the longest chain first.
 *
 * A task that fails or is skipped skips its dependents, transitively, and no others. Waits on unknown keys, and of a
 * task on itself, are ignored. Tasks in a cycle are skipped, so that the run always ends.
 */
export async function schedule(tasks: readonly Task[], options: ScheduleOptions): Promise<void> {
  const nodes = link(tasks);
  const ready = new ReadyQueue();
  const resuming: (() => void)[] = [];
  const stillRequired: Node[] = [];
  let free = options.concurrency;
  const unsettled = new Set(nodes);
  let active = 0; // started, not yet settled: running or in a released wait
  const end = Promise.withResolvers<void>();

  function settle(node: Node, outcome: Outcome): void {
    unsettled.delete(node);
    for (const { node: waiter, soft } of node.waiters) {
      if (outcome !== 'done' && !soft) waiter.skipReason ??= options.describe(node.task.key, outcome);
      waiter.open -= 1;
      if (waiter.open > 0) continue;
      if (options.runsDespiteFailure(waiter.task.key)) waiter.skipReason = undefined;
      ready.push(waiter);
    }
  }

  function start(node: Node): void {
    free -= 1;
    active += 1;
    const slot: Slot = {
      async release(wait) {
        free += 1;
        pump();
        try {
          return await wait();
        } finally {
          await new Promise<void>((resolve) => {
            resuming.push(resolve);
            pump();
          });
        }
      },
    };
    node.task.run(slot).then(
      (outcome) => {
        free += 1;
        active -= 1;
        settle(node, outcome);
        pump();
      },
      (error: unknown) => end.reject(error),
    );
  }

  function skip(node: Node, because: string): void {
    node.task.skip(because);
    settle(node, 'skipped');
  }

  /** Does one possible thing; false if there is none. After a stop, only tasks that must still run start. */
  function advance(): boolean {
    const resume = free > 0 ? resuming.shift() : undefined;
    if (resume !== undefined) {
      free -= 1;
      resume();
      return true;
    }
    const skipped = ready.takeSkipped();
    if (skipped !== undefined) {
      skip(skipped, skipped.skipReason ?? '');
      return true;
    }
    const stopped = options.stopped();
    const halted = stopped === undefined ? undefined : ready.take();
    if (stopped !== undefined && halted !== undefined) {
      if (options.mustStillRun(halted.task.key)) stillRequired.push(halted);
      else skip(halted, stopped);
      return true;
    }
    if (free === 0) return false;
    const node = stopped === undefined ? ready.take() : stillRequired.shift();
    if (node === undefined) return false;
    start(node);
    return true;
  }

  function pump(): void {
    while (advance());
    if (active > 0) return;
    for (const node of unsettled) skip(node, 'it is part of a dependency cycle');
    end.resolve();
  }

  for (const node of nodes) if (node.open === 0) ready.push(node);
  pump();
  await end.promise;
}

function link(tasks: readonly Task[]): readonly Node[] {
  const nodes = tasks.map((task): Node => ({ task, waiters: [], open: 0, height: 0, skipReason: undefined }));
  const byKey = new Map(nodes.map((node) => [node.task.key, node]));
  for (const node of nodes) {
    for (const { on, soft } of node.task.after) {
      const target = byKey.get(on);
      if (target === undefined || target === node) continue;
      target.waiters.push({ node, soft });
      node.open += 1;
    }
  }
  setHeights(nodes);
  return nodes;
}

/** From the ends of the chains backwards; tasks in a cycle stay at 0. */
function setHeights(nodes: readonly Node[]): void {
  const open = new Map(nodes.map((node) => [node, node.open]));
  const order = nodes.filter((node) => node.open === 0);
  // The array grows while it is walked.
  for (const { waiters } of order) {
    for (const { node } of waiters) {
      const left = (open.get(node) ?? 0) - 1;
      open.set(node, left);
      if (left === 0) order.push(node);
    }
  }
  for (const node of order.reverse()) {
    for (const waiter of node.waiters) node.height = Math.max(node.height, waiter.node.height + 1);
  }
}

/** First come, first served among tasks of equal height. */
class ReadyQueue {
  /** The index is the height. */
  readonly #lines: Node[][] = [];
  readonly #skipped: Node[] = [];

  push(node: Node): void {
    if (node.skipReason !== undefined) {
      this.#skipped.push(node);
      return;
    }
    while (this.#lines.length <= node.height) this.#lines.push([]);
    this.#lines[node.height]?.push(node);
  }

  takeSkipped(): Node | undefined {
    return this.#skipped.pop();
  }

  take(): Node | undefined {
    for (let line = this.#lines.at(-1); line !== undefined; line = this.#lines.at(-1)) {
      const node = line.shift();
      if (node !== undefined) return node;
      this.#lines.pop();
    }
    return undefined;
  }
}
