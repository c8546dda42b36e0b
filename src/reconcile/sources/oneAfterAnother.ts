/** Runs work in sequence; a failure does not stop the following work. */
export class OneAfterAnother {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(work);
    this.#last = run.catch(() => undefined);
    return run;
  }
}

/**
 * Work requested by many callers together. Callers during a run share the next run, because the present one may have
 * read before their change.
 */
export class Shared<T> {
  #running: Promise<T> | undefined;
  #next: Promise<T> | undefined;
  readonly #work: () => Promise<T>;

  constructor(work: () => Promise<T>) {
    this.#work = work;
  }

  get isIdle(): boolean {
    return this.#running === undefined && this.#next === undefined;
  }

  run(): Promise<T> {
    if (this.#running === undefined) return this.#start();
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#start();
      });
    return this.#next;
  }

  #start(): Promise<T> {
    const run = this.#work();
    const end = () => {
      if (this.#running === run) this.#running = undefined;
    };
    this.#running = run;
    run.then(end, end);
    return run;
  }
}

/** The same per key; idle keys are removed. */
export class SharedByKey<T> {
  readonly #runs = new Map<string, Shared<T>>();

  get size(): number {
    return this.#runs.size;
  }

  async run(key: string, work: () => Promise<T>): Promise<T> {
    const shared = this.#runs.get(key) ?? new Shared(work);
    this.#runs.set(key, shared);
    try {
      return await shared.run();
    } finally {
      if (shared.isIdle) this.#runs.delete(key);
    }
  }
}
