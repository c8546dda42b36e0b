/**
 * Runs tests for Stryker inside of its own process. A run of Vitest for each mutant would spend nearly all of its time on
 * starting a thread and loading modules; here they are loaded once, and again only where that can matter:
 *
 * - a mutant in what runs while modules load is there before they are loaded;
 * - a test that finds a mutant has to pass without it: otherwise an earlier mutant spoiled a cache, and it is tried again
 *   on modules just loaded;
 * - a mutant that no test finds is tried again in the same way: a cache filled before it may hide it.
 *
 * Tests that do not pass in this process, by themselves and in any order, are named and left out.
 *
 * How busy the machine is decides nothing: a promise that nothing can settle is found by counting turns of the event
 * loop, an endless loop by how often mutated files ask whether a mutant is active. Stryker's own limit counts one mutant
 * only, which may be far from the loop that it makes endless. The clock (`timeoutMS`) is for what is left.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import * as workerThreads from 'node:worker_threads';
import {
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
} from '@stryker-mutator/api/test-runner';
import { type Bundle, bundleTests, fileName } from './bundle.ts';
import { type CollectedTest, Collector } from './collect.ts';
import { lighterFastCheck } from './lighterFastCheck.ts';
import { isInSample, sampleName, sampleOf } from './sample.ts';
import { settled } from './settled.ts';

interface Instrumented {
  readonly activeMutant: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

let active: string | undefined;
/** How often code asked for the active mutant since the test began, and how often it may. */
let asked = 0;
let mostAsked = Number.POSITIVE_INFINITY;
const tooLong = 'It goes on for too long.';

/** What the code that Stryker instrumented reads and writes. */
const shared: Instrumented = {
  get activeMutant() {
    asked += 1;
    if (asked > mostAsked) throw new Error(tooLong);
    return active;
  },
};
Reflect.set(globalThis, '__stryker__', shared);

/** Threads load the instrumented sources by themselves: they find the mutant in their environment. */
class MutatedWorker extends workerThreads.Worker {
  constructor(file: string | URL, options: workerThreads.WorkerOptions = {}) {
    const env = typeof options.env === 'object' ? options.env : process.env;
    super(file, { ...options, env: { ...env, __STRYKER_ACTIVE_MUTANT__: active } });
  }
}

/** What the dry run, which one process does for all, found of each test. */
const costsFile = '.mutation-costs.json';
/** A test may ask so many times as often as in the dry run; and whatever it is, so often. */
const [askedFactor, askedAtLeast] = [100, 2_000_000];
/** Where fewer tests cover a mutant, one of them may have filled a cache that all others use: all are run. */
const fewTests = 4;
/** Tests that take longer are not tried before the modules are loaded again: what survives would have to bear them twice. */
const slowMs = 30;
/** So many quick tests that found a mutant are tried first: the next mutant is beside it. */
const mostFinders = 20;

interface Cost {
  /** Of processor time. */
  readonly ms: number;
  readonly asked: number;
}

interface Finding {
  readonly test: string;
  readonly message: string;
  readonly isEndless: boolean;
}

/** A test that does not pass by itself in this process finds no mutant. */
function tellLeftOut(id: string, message: string): void {
  process.stderr.write(`Left out: ${id}: ${message.split('\n', 1)[0]}\n`);
}

class InProcessRunner implements TestRunner {
  readonly #collector = new Collector();
  #bundle: Bundle | undefined;
  #tests: ReadonlyMap<string, CollectedTest> = new Map();
  #costs: ReadonlyMap<string, Cost> = new Map();
  #finders: readonly string[] = [];
  readonly #passesAlone = new Map<string, boolean>();
  #isSpoiled = true;
  /** The names of all tests as modules register them without a mutant: with one they may not even load. */
  #all: readonly string[] = [];

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    Reflect.set(globalThis, fileName, (file: string) => this.#collector.startFile(file));
    await import('../property-seed.ts');
  }

  async #bundled(isCounting: boolean): Promise<Bundle> {
    const replaced = new Map<string, object>([
      ['vitest', this.#collector.module],
      ['fast-check', lighterFastCheck],
      ['node:worker_threads', { ...workerThreads, Worker: MutatedWorker }],
    ]);
    return await bundleTests({
      root: process.cwd(),
      area: process.env['GANTRY_MUTATION_AREA'] ?? '',
      replaced,
      isCounting,
    });
  }

  async dryRun({ coverageAnalysis }: DryRunOptions): Promise<DryRunResult> {
    this.#bundle = await this.#bundled(true);
    await this.#load(undefined);
    const tests = new Map<string, TestResult>();
    const costs = new Map<string, Cost>();
    this.#costs = costs;
    for (const [id, test] of this.#tests) {
      const start = performance.now();
      const startUsage = process.cpuUsage();
      shared.currentTestId = id;
      asked = 0;
      const message = await this.#messageOf(test);
      shared.currentTestId = undefined;
      const { user, system } = process.cpuUsage(startUsage);
      if (message !== undefined) tellLeftOut(id, message);
      else {
        costs.set(id, { ms: (user + system) / 1000, asked });
        const timeSpentMs = performance.now() - start;
        tests.set(id, { id, name: id, timeSpentMs, status: TestStatus.Success });
      }
    }
    const { static: ofLoading, perTest } = structuredClone(shared.mutantCoverage ?? { static: {}, perTest: {} });
    this.#bundle = undefined;
    this.#isSpoiled = true;
    writeFileSync(costsFile, JSON.stringify([...costs]));
    const covered = Object.fromEntries(Object.entries(perTest).filter(([id]) => tests.has(id)));
    // Stryker goes by what is counted, also where it was told not to: what a thread covers would not be run.
    const counted = coverageAnalysis === 'off' ? {} : { mutantCoverage: { static: ofLoading, perTest: covered } };
    return { status: DryRunStatus.Complete, tests: [...tests.values()], ...counted };
  }

  async mutantRun({ activeMutant, testFilter, mutantActivation }: MutantRunOptions): Promise<MutantRunResult> {
    if (!isInSample(activeMutant, sampleOf(process.env[sampleName])))
      return { status: MutantRunStatus.Error, errorMessage: 'It is not in the sample.' };
    if (this.#all.length === 0) {
      this.#costs = new Map(JSON.parse(readFileSync(costsFile, 'utf8')));
      await this.#load(undefined);
      this.#all = [...this.#tests.keys()].filter((id) => this.#costs.has(id));
    }
    const all = this.#all;
    const covering = testFilter ?? all;
    const finding =
      mutantActivation === 'static'
        ? await this.#whenLoaded(activeMutant.id, covering)
        : ((await this.#asItIs(activeMutant.id, covering)) ??
          (await this.#whenLoaded(activeMutant.id, covering.length < fewTests ? all : covering)));
    active = undefined;
    const nrOfTests = covering.length;
    if (finding === undefined) return { status: MutantRunStatus.Survived, nrOfTests };
    if (finding.isEndless) {
      this.#isSpoiled = true;
      return { status: MutantRunStatus.Timeout, reason: finding.message };
    }
    this.#noteFinder(finding.test);
    return { status: MutantRunStatus.Killed, killedBy: [finding.test], failureMessage: finding.message, nrOfTests };
  }

  /** Tried with the modules as they are; undefined too where the test fails without the mutant. */
  async #asItIs(mutant: string, tests: readonly string[]): Promise<Finding | undefined> {
    if (this.#isSpoiled) await this.#load(undefined);
    active = mutant;
    const finding = await this.#firstFailure(tests.filter((id) => this.#costOf(id).ms < slowMs));
    if (finding === undefined) return undefined;
    active = undefined;
    return (await this.#firstFailure([finding.test])) === undefined ? finding : undefined;
  }

  /** Tried with modules that are loaded with the mutant. */
  async #whenLoaded(mutant: string | undefined, tests: readonly string[]): Promise<Finding | undefined> {
    for (;;) {
      const failed = await this.#load(mutant);
      this.#isSpoiled = true;
      if (failed !== undefined) return failed;
      const finding = await this.#firstFailure(tests.filter((id) => this.#passesAlone.get(id) !== false));
      if (finding === undefined || finding.isEndless || (await this.#judgesAlone(finding.test))) return finding;
    }
  }

  /** Whether a test passes first of all and without a mutant. One that needs others before it proves nothing. */
  async #judgesAlone(test: string): Promise<boolean> {
    const known = this.#passesAlone.get(test);
    if (known !== undefined) return known;
    await this.#load(undefined);
    const failure = await this.#firstFailure([test]);
    this.#passesAlone.set(test, failure === undefined);
    this.#isSpoiled = true;
    if (failure !== undefined) tellLeftOut(test, `It passes only after others: ${failure.message}`);
    return failure === undefined;
  }

  async #load(mutant: string | undefined): Promise<Finding | undefined> {
    this.#bundle ??= await this.#bundled(false);
    active = mutant;
    this.#collector.forget();
    asked = 0;
    mostAsked = askedFactor * askedAtLeast;
    try {
      await this.#bundle.load();
      this.#isSpoiled = false;
      return undefined;
    } catch (error) {
      const isEndless = asked > mostAsked;
      const message = `Modules do not load: ${String(error)}`;
      return { test: this.#tests.keys().next().value ?? '', message, isEndless };
    } finally {
      this.#tests = this.#collector.tests;
    }
  }

  async #firstFailure(ids: readonly string[]): Promise<Finding | undefined> {
    for (const id of this.#inOrder(ids)) {
      const test = this.#tests.get(id);
      asked = 0;
      mostAsked = Math.max(askedFactor * this.#costOf(id).asked, askedAtLeast);
      const message = test === undefined ? 'It is not there any more.' : await this.#messageOf(test);
      const isEndless = asked > mostAsked;
      if (message !== undefined || isEndless) return { test: id, message: message ?? tooLong, isEndless };
    }
    return undefined;
  }

  #noteFinder(test: string): void {
    if (this.#costOf(test).ms < slowMs)
      this.#finders = [...this.#finders.filter((id) => id !== test), test].slice(-mostFinders);
  }

  /** First what found the mutants before, then what is quick. */
  #inOrder(ids: readonly string[]): readonly string[] {
    const rank = new Map(ids.map((id) => [id, this.#costOf(id).ms]));
    for (const [index, id] of this.#finders.entries()) if (rank.has(id)) rank.set(id, -1 - index);
    return [...rank].sort(([, a], [, b]) => a - b).map(([id]) => id);
  }

  #costOf(id: string): Cost {
    return this.#costs.get(id) ?? { ms: 0, asked: 0 };
  }

  /** Why the test fails; undefined where it passes. */
  async #messageOf({ run, before, after }: CollectedTest): Promise<string | undefined> {
    try {
      for (const hook of before()) await hook();
      try {
        await settled(run());
      } finally {
        for (const hook of this.#collector.finishing.splice(0).toReversed()) await hook();
        for (const hook of after()) await hook();
      }
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', factory: () => new InProcessRunner() }];
