import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject, type JsonObject } from '../../../src/base/json/json.ts';
import { planToJson } from '../../../src/change/documents/planDocument.ts';
import { readSavedPlans, writeSavedPlans } from '../../../src/change/savedPlanText.ts';
import type { Exchange } from '../../../src/client/http/exchange.ts';
import { confirmAndRun } from '../../../src/gantry/apply.ts';
import type { NewPlan, PlanOptions, Stack, StoredPlan } from '../../../src/gantry/gantry.ts';
import { emptiedStack } from '../../../src/gantry/loading/destroyedStacks.ts';
import type { LoadedStack } from '../../../src/gantry/loading/loadStack.ts';
import { loadSource } from '../../../src/gantry/loadSource.ts';
import { planStack } from '../../../src/gantry/plan.ts';
import { resumeSaved, storedPlan } from '../../../src/gantry/saved.ts';
import { toSavedPlan } from '../../../src/gantry/savedPlan/file.ts';
import { digestOf } from '../../../src/gantry/savedPlan/fingerprint.ts';
import { undoPlan } from '../../../src/gantry/undo.ts';
import type { Platform } from '../../../src/project/platform/platform.ts';
import type { Session } from '../../../src/project/session/session.ts';
import { openProject, type Project } from '../../../src/project/settings/project.ts';
import { clientOn, exchangeWith } from '../../../src/rehearsal/stage.ts';
import { type Dump, type InProcessPlatform, openInProcess } from '../../../src/server/inProcess.ts';
import { exitCodeOfEnding } from '../../../src/terminal/ending.ts';
import { errorToJson } from '../../../src/terminal/errorDocument.ts';
import type { LoggedRequest } from '../../e2e/harness/platform.ts';
import type { Outcome } from '../../outcome.ts';
import { Stage, settingsOf } from './stage.ts';

/** With a key, the fingerprints of saved secrets are fast. */
const environment = { GANTRY_SECRET_KEY: 'k'.repeat(32) };

/**
 * The same steps without command lines, files and sockets, for many more worlds in the same time. The result of a step
 * is the JSON of the command line, as far as worlds read it.
 */
export class MemoryStage extends Stage {
  readonly platform;
  readonly #place: InProcessPlatform;
  readonly #folder = mkdtempSync(join(tmpdir(), 'gantry-pairs-'));
  readonly #projects = new Map<string, Promise<readonly [Session, Project]>>();
  /** The texts of saved plans, by stack and name. */
  readonly #kept = new Map<string, string>();
  readonly #requests: LoggedRequest[] = [];
  readonly #exchange: Exchange;
  #before: Dump = {};

  private constructor(place: InProcessPlatform) {
    super();
    this.#place = place;
    const direct = exchangeWith(place);
    this.#exchange = {
      send: async (request) => {
        const answer = await direct.send(request);
        const [path = ''] = request.path.split('?');
        this.#requests.push({ method: request.method, path, status: answer.status });
        return answer;
      },
      close: () => Promise.resolve(),
    };
    this.platform = {
      requests: this.#requests,
      seen: () => Promise.resolve(this.#requests.length),
      call: async (method: string, path: string, body?: JsonObject) => {
        const bodyText = body === undefined ? '' : JSON.stringify(body);
        const reply = await place.send({ method, path, bodyText });
        if (reply === undefined) throw new Error(`${method} ${path}: no answer`);
        const answer: unknown = reply.body === '' ? {} : JSON.parse(reply.body);
        return { status: reply.status, body: isObject(answer) ? answer : {} };
      },
    };
  }

  static async open(): Promise<Stage> {
    const stage = new MemoryStage(await openInProcess({ org: 'local', tolerate: 'existing' }));
    await stage.#projectOf('owner'); // Its kinds are known from here on.
    await stage.furnish();
    stage.#before = await stage.#place.dump();
    return stage;
  }

  async reset(): Promise<void> {
    await this.#place.load(this.#before);
    this.#requests.length = 0;
    this.#kept.clear();
  }

  async change(kind: string, name: string, change: (record: JsonObject) => JsonObject): Promise<void> {
    const { local, ...others } = await this.#place.dump();
    if (local === undefined) throw new Error('there is no org');
    const records = local.records.map((row) =>
      row.kind === kind && row.name === name ? { ...row, record: change(row.record) } : row,
    );
    await this.#place.load({ ...others, local: { ...local, records } });
  }

  async run(stack: string, args: readonly string[], manifests: readonly JsonObject[] = []): Promise<Outcome> {
    let document: JsonObject = {};
    try {
      const [code, said] = await this.#carryOut(stack, args, manifests, (plan) => {
        document = planToJson(plan.plan, undefined);
      });
      return { code, stdout: JSON.stringify({ ...document, ...said }), stderr: '' };
    } catch (error) {
      const code = exitCodeOfEnding(error);
      const said = { ...document, error: errorToJson(error, code) };
      const stderr = error instanceof Error ? String(error.stack) : '';
      return { code, stdout: JSON.stringify(said), stderr };
    }
  }

  async #carryOut(
    stack: string,
    [command, file = '.', ...flags]: readonly string[],
    manifests: readonly JsonObject[],
    onPlan: (plan: NewPlan | StoredPlan) => void,
  ): Promise<readonly [number, JsonObject]> {
    const [session, project] = await this.#projectOf(stack);
    const platform = this.#connect();
    const after = (flag: string) => flags[flags.indexOf(flag) + 1] ?? '';
    const load = async () => (await loadSource(session, project, manifests, { values: 'read', all: false }))[0];
    const planned = async (meant: (stack: Stack) => LoadedStack = (stack) => stack): Promise<NewPlan> => {
      const made = await planStack(session, platform, meant(stackOf(await load())), { permits: limitsOf(flags) });
      onPlan(made);
      return made;
    };
    const applied = async (plan: NewPlan | StoredPlan): Promise<readonly [number, JsonObject]> => {
      if (plan.refused !== undefined) throw plan.refused;
      const runnable =
        'saved' in plan
          ? (await resumeSaved(session, platform, plan, { desired: stackOf(await load()).desired })).runnable
          : plan;
      const { run, error } = runnable === undefined ? {} : await confirmAndRun(session, platform, runnable, {});
      const result = { result: { verified: run === undefined ? true : (run.result.verified ?? null) } };
      if (error === undefined) return [0, result];
      if (run === undefined) throw error;
      const code = exitCodeOfEnding(error);
      return [code, { result: { failed: true }, error: errorToJson(error, code) }];
    };
    switch (command) {
      case 'plan': {
        const plan = await planned();
        if (plan.refused !== undefined) throw plan.refused;
        if (flags.includes('--out')) {
          this.#keep(stack, after('--out'), await toSavedPlan(plan, plan.inputs, session));
          return [0, {}];
        }
        return [plan.isEmpty ? 0 : 2, {}];
      }
      case 'apply':
        return applied(file === '.' ? await planned() : this.#opened(stack, file, project));
      case 'undo': {
        const undo = await undoPlan(session, platform, this.#opened(stack, file, project));
        onPlan(undo);
        if (undo.refused !== undefined) throw undo.refused;
        this.#keep(stack, after('--out'), undo.saved);
        return [0, {}];
      }
      case 'destroy':
        return applied(await planned(emptiedStack));
      default:
        throw new Error(`no ${command} here`);
    }
  }

  #keep(stack: string, file: string, saved: StoredPlan['saved']): void {
    this.#kept.set(`${stack}/${file}`, writeSavedPlans([saved], digestOf(environment)));
  }

  #opened(stack: string, file: string, { folder, settings }: Project): StoredPlan {
    const [saved] = readSavedPlans(this.#kept.get(`${stack}/${file}`) ?? '', [digestOf(environment)]);
    if (saved === undefined) throw new Error('the file has a plan');
    return storedPlan(saved, { folder, settings, policies: async () => undefined, verify: undefined });
  }

  #connect(): Platform {
    const clock = {
      now: this.#place.now,
      sleep: async (ms: number) => void (await this.#place.stepTo(this.#place.now() + ms)),
    };
    const client = clientOn(clock, 'local', this.#exchange);
    return { client, org: 'local', clock, tellRetriesTo() {}, close: () => Promise.resolve() };
  }

  #projectOf(stack: string): Promise<readonly [Session, Project]> {
    const before = this.#projects.get(stack);
    if (before !== undefined) return before;
    const cwd = join(this.#folder, stack);
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(cwd, 'gantry.yaml'), settingsOf(stack));
    const session: Session = {
      options: { embedded: true },
      environment,
      cwd,
      stdin: (async function* () {})(),
      now: () => performance.now(),
      tell() {},
    };
    const opened = openProject(session, []).then((project) => [session, project] as const);
    this.#projects.set(stack, opened);
    return opened;
  }

  async close(): Promise<void> {
    await this.#place.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function stackOf(stack: Stack | undefined): Stack {
  if (stack === undefined) throw new Error('no stack was loaded');
  return stack;
}

/** Parses the flags of a command line. */
function limitsOf(flags: readonly string[]): PlanOptions {
  const collateral = /^--allow-collateral=(\d+)$/m.exec(flags.join('\n'))?.[1];
  return {
    ...(flags.includes('--max-deletes') ? { maxDeletes: 50 } : {}),
    ...(collateral === undefined ? {} : { allowCollateral: Number(collateral) }),
  };
}
