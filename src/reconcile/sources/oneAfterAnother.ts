/** Runs work one after another; what fails does not hold what comes after it. */
export class OneAfterAnother {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(work);
    this.#last = run.catch(() => undefined);
    return run;
  }
}

/**
 * Work that many ask for at once. Who asks while it runs shares the next run with all who do: the one that runs may have
 * looked before the change that they ask for.
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

/** The same for each key; nothing is kept of a key for which nothing runs. */
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
