import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
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

type Register = (name: string, body: Hook) => void;
type Registers = Register & {
  readonly each: (rows: readonly unknown[]) => (name: string, body: Body) => void;
  readonly skipIf: (skips: unknown) => Registers;
};

interface Group {
  readonly name: string;
  readonly before: Hook[];
  readonly after: Hook[];
}

const leftOut = [
  // They need what is built.
  'policies from outside of the project apply to the example',
  'adopts live records as code',
  '--watch ',
  'killed after write ',
  // Where the test itself stands is not known in a bundle.
  'problems of the tree of an app and of its fields',
  // A second is their limit: on a busy machine what they run is ended for another reason than theirs.
  'one that $it is an error',
  '%s … refuses plan and apply',
  // Code of the sandbox reaches the variable that counts what is covered.
  'no global name leads outside',
  // Sweeps: most count what their generated cases come to, so they cannot do with fewer (lighterFastCheck.ts).
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

/** So long a test may wait for what it polls: a mutant may keep it from ever coming. */
const pollMs = 5_000;

/** The file of the test that runs. */
let runningFile = '';

/** The real one, with what asks Vitest for the running test done without it. */
const expectAlone = Object.assign(
  (actual: unknown, message?: string) =>
    Object.assign(vitest.expect(actual, message), {
      toMatchFileSnapshot: (path: string) =>
        vitest.expect(actual).toBe(readFileSync(resolve(dirname(runningFile), path), 'utf8')),
    }),
  vitest.expect,
  {
    soft: vitest.expect,
    poll: (ask: Hook) =>
      matchersOf(async (check: (actual: unknown) => unknown) => {
        for (const end = performance.now() + pollMs; ; ) {
          try {
            return check(await ask());
          } catch (error) {
            if (performance.now() > end) throw error;
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
        }
      }),
  },
);

/** Any matcher, also after `not`, for what `until` comes to. */
function matchersOf(until: (check: (actual: unknown) => unknown) => Promise<unknown>, isNot = false): object {
  return new Proxy(
    {},
    {
      get(_, name) {
        if (name === 'not') return matchersOf(until, !isNot);
        return (...args: readonly unknown[]) =>
          until((actual) => {
            const matchers = isNot ? vitest.expect(actual).not : vitest.expect(actual);
            return Reflect.apply(Reflect.get(matchers, name), matchers, args);
          });
      },
    },
  );
}

/** Stands in for Vitest: what a test file registers is listed, so that any test can be run at any time, and again. */
export class Collector {
  tests = new Map<string, CollectedTest>();
  /** What the test that runs wants to have done after it. */
  finishing: Hook[] = [];
  #groups: readonly Group[] = [];

  /** The module that test files import as `vitest`. */
  readonly module = {
    ...vitest,
    expect: expectAlone,
    test: this.#withEach((name, body) => this.#add(name, body)),
    it: this.#withEach((name, body) => this.#add(name, body)),
    describe: this.#withEach((name, body) => this.#describe(name, body)),
    beforeAll: (hook: Hook) => this.#hooks('before', hook),
    beforeEach: (hook: Hook) => this.#hooks('before', hook),
    afterAll: (hook: Hook) => this.#hooks('after', hook),
    afterEach: (hook: Hook) => this.#hooks('after', hook),
    onTestFinished: (hook: Hook) => void this.finishing.push(hook),
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
      run: () => {
        runningFile = groups[0]?.name ?? '';
        return body();
      },
      before: () => groups.flatMap((group) => group.before),
      after: () => groups.flatMap((group) => group.after).toReversed(),
    });
  }

  #describe(name: string, body: Hook): void {
    const outer = this.#groups;
    this.#groups = [...outer, { name, before: [], after: [] }];
    body();
    this.#groups = outer;
  }

  #withEach(register: Register): Registers {
    const each = (rows: readonly unknown[]) => (name: string, body: Body) => {
      for (const [index, row] of rows.entries()) {
        register(`${name} (${index + 1})`, () => (Array.isArray(row) ? body(...row) : body(row)));
      }
    };
    const skipIf = (skips: unknown): Registers => this.#withEach(skips ? () => {} : register);
    return Object.assign((name: string, body: Hook) => register(name, body), { each, skipIf });
  }
}
