import * as vitest from 'vitest';

/** One test, with the hooks around it. */
export interface CollectedTest {
  readonly run: Hook;
  /** Asked when it runs: a hook may stand below the test. */
  readonly before: () => readonly Hook[];
  readonly after: () => readonly Hook[];
}

type Hook = () => unknown;
type Body = (...args: readonly unknown[]) => unknown;

interface Group {
  readonly name: string;
  readonly before: Hook[];
  readonly after: Hook[];
}

/** Sweeps: most count what their generated cases come to, so they cannot do with fewer (lighterFastCheck.ts). */
const leftOut = [
  '3 and 6: a plan can be carried out in every order',
  'a renaming that is killed at any request of writing',
  'after any number of writes: what is left is carried out',
  'another writer during a renaming: it converges',
  'every patch of generated stacks is proven',
  'of generated stacks: whatever cannot be written',
  'over generated plans: changes, order, edges',
  'partial plans of generated stacks can be carried out',
  'what is said to be chosen is in the patch',
];

/** Stands in for Vitest: what a test file registers is listed, so that any test can be run at any time, and again. */
export class Collector {
  tests = new Map<string, CollectedTest>();
  #groups: readonly Group[] = [];

  /** The module that test files import as `vitest`; `expect` is the real one. */
  readonly module = {
    ...vitest,
    test: this.#withEach((name, body) => this.#add(name, body)),
    it: this.#withEach((name, body) => this.#add(name, body)),
    describe: this.#withEach((name, body) => this.#describe(name, body)),
    beforeAll: (hook: Hook) => this.#hooks('before', hook),
    beforeEach: (hook: Hook) => this.#hooks('before', hook),
    afterAll: (hook: Hook) => this.#hooks('after', hook),
    afterEach: (hook: Hook) => this.#hooks('after', hook),
  };

  /** Before everything is loaded anew. */
  forget(): void {
    this.tests = new Map();
  }

  startFile(file: string): void {
    this.#groups = [{ name: file, before: [], after: [] }];
  }

  #hooks(when: 'before' | 'after', hook: Hook): void {
    this.#groups.at(-1)?.[when].push(hook);
  }

  #add(name: string, body: Hook): void {
    if (leftOut.some((start) => name.startsWith(start))) return;
    const groups = this.#groups;
    const named = [...groups.map((group) => group.name), name].join(' > ');
    const id = this.tests.has(named) ? `${named} (${this.tests.size})` : named;
    this.tests.set(id, {
      run: body,
      before: () => groups.flatMap((group) => group.before),
      after: () => groups.toReversed().flatMap((group) => group.after),
    });
  }

  #describe(name: string, body: Hook): void {
    const outer = this.#groups;
    this.#groups = [...outer, { name, before: [], after: [] }];
    body();
    this.#groups = outer;
  }

  #withEach(register: (name: string, body: Hook) => void) {
    const each = (rows: readonly unknown[]) => (name: string, body: Body) => {
      for (const [index, row] of rows.entries()) {
        register(`${name} (${index + 1})`, () => (Array.isArray(row) ? body(...row) : body(row)));
      }
    };
    return Object.assign(register, { each });
  }
}
