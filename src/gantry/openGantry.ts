import { resolve } from 'node:path';
import { outcomeOf } from '../apply/events.ts';
import type { JsonObject } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import { meantOrAvailable } from '../base/text/suggestion.ts';
import { ToolError } from '../base/toolError.ts';
import type { Exchange } from '../client/http/exchange.ts';
import { refusedPlan } from '../plan/model/refusal.ts';
import type { ResourceGraph } from '../plan/order/desiredGraph.ts';
import {
  openHost,
  orgOf,
  type Platform,
  type PlatformHost,
  type PlatformOptions,
} from '../project/platform/platform.ts';
import { isNotice } from '../project/session/event.ts';
import type { Session, Trust } from '../project/session/session.ts';
import { openProject, type Project, projectWithoutSettings } from '../project/settings/project.ts';
import { type DeclarableKind, declarableKinds } from '../schema/record/kinds.ts';
import { type Ref, refNamed } from '../schema/record/ref.ts';
import type { Signing } from '../signing/signPlan.ts';
import type { Adoption } from './adoptLive.ts';
import { confirmAndRun } from './apply.ts';
import {
  type Abortable,
  type AdoptOptions,
  type Applied,
  ApplyError,
  type ApplyOptions,
  type ApproveOptions,
  type Gantry,
  type LoadOptions,
  type NewPlan,
  type OpenOptions,
  type OutputValues,
  type PlanOptions,
  type RehearseOptions,
  type SignOptions,
  type Stack,
  type StackSource,
  type StoredPlan,
  type UndoOptions,
  type Validation,
} from './gantry.ts';
import { interruptByAbort, unlessAborted } from './interruptByAbort.ts';
import { changesOf } from './loading/changesOf.ts';
import { emptiedStack } from './loading/destroyedStacks.ts';
import { severalStacksError } from './loading/loadStack.ts';
import { checkSource, graphOfSource, loadSource } from './loadSource.ts';
import { planStack, Rehearsals, rehearsePlan } from './plan.ts';
import { refuseUnknownOptions } from './refuseUnknownOptions.ts';

/**
 * Reads the settings of a project. Its platform is opened when it is needed. Errors: `settings.file`,
 * `automation.option`.
 */
export async function openGantry(options: OpenOptions): Promise<Gantry> {
  refuseUnknownOptions('open', options);
  const { project: given = '.', embedded, records, environment = process.env, onNotice = () => {}, ...names } = options;
  const session: Session = {
    options: {
      ...names,
      embedded: embedded !== undefined,
      ...present({ data: embedded === undefined || embedded === 'memory' ? undefined : embedded }),
    },
    environment,
    cwd: resolve(given === false ? '.' : given),
    stdin: nothing(),
    now: () => performance.now(),
    tell: (event) => (isNotice(event) ? onNotice(event) : undefined),
  };
  const project = given === false ? projectWithoutSettings(session) : await openProject(session, []);
  const open = () =>
    embedded === 'memory' ? openMemory(orgOf(session, project.settings), records) : openHost(session, project.settings);
  return new OpenedGantry(session, project, open);
}

const usualValidityMs = 7 * 24 * 60 * 60_000;

async function* nothing(): AsyncGenerator<string> {}

class OpenedGantry implements Gantry {
  readonly #session: Session;
  readonly #project: Project;
  readonly #open: () => Promise<PlatformHost>;
  /** The rehearsals that a later plan continues from. */
  readonly #rehearsals = new WeakMap<NewPlan, Rehearsals>();
  #host: Promise<PlatformHost> | undefined;
  #isClosed = false;

  constructor(session: Session, project: Project, open: () => Promise<PlatformHost>) {
    this.#session = session;
    this.#project = project;
    this.#open = open;
  }

  get org(): string {
    return orgOf(this.#session, this.#project.settings);
  }

  get project(): string {
    return this.#project.folder;
  }

  async load(source: StackSource = '.', options: LoadOptions = {}): Promise<Stack> {
    const stacks = await this.#load(source, options);
    const [stack, second] = stacks;
    if (stack !== undefined && second === undefined) return stack;
    const owners = stacks.map(({ owner }) => owner);
    throw severalStacksError(owners, 'Name one, load(source, { stack }), or use loadAll(source).');
  }

  loadAll(source: StackSource = '.', options: LoadOptions = {}): Promise<readonly Stack[]> {
    return this.#load(source, options);
  }

  async #load(source: StackSource, loading: LoadOptions): Promise<readonly Stack[]> {
    refuseUnknownOptions('load', loading);
    const { signal, values = true, stack } = loading;
    const { options } = this.#session;
    const session = {
      ...this.#session,
      options: stack === undefined ? options : { ...options, stack },
      interruptible: interruptByAbort(signal),
    };
    const { settings } = this.#project;
    const project =
      stack === undefined ? this.#project : { ...this.#project, settings: { ...settings, stack, chosenStack: stack } };
    const how = { values: values ? 'read' : 'unread', all: true } as const;
    return unlessAborted(signal, () => loadSource(session, project, source, how));
  }

  async validate(source: StackSource = '.', options: Abortable = {}): Promise<Validation> {
    refuseUnknownOptions('validate', options);
    const { signal } = options;
    const session = { ...this.#session, interruptible: interruptByAbort(signal) };
    return unlessAborted(signal, () => checkSource(session, this.#project, source));
  }

  async graph(source: StackSource = '.', options: Abortable = {}): Promise<ResourceGraph> {
    refuseUnknownOptions('graph', options);
    const { signal } = options;
    const session = { ...this.#session, interruptible: interruptByAbort(signal) };
    return unlessAborted(signal, () => graphOfSource(session, this.#project, source));
  }

  async adopt(resources: readonly string[] | 'all', options: AdoptOptions = {}): Promise<Adoption> {
    refuseUnknownOptions('adopt', options);
    const { signal, format = 'yaml', split = false } = options;
    const refs = resources === 'all' ? resources : resources.map(refOf);
    const { adoptLive } = await import('./adoptLive.ts');
    const layout = { format, split, stack: this.#project.settings.stack ?? 'stack' };
    const session = { ...this.#session, interruptible: interruptByAbort(signal) };
    const work = (platform: Platform) => adoptLive(platform, this.#project, session, { resources: refs, layout });
    return this.#onPlatform(work, signal);
  }

  async plan(stack: Stack, options: PlanOptions = {}): Promise<NewPlan> {
    refuseUnknownOptions('plan', options);
    const { signal, destroy = false, rehearse, after = [], ...permits } = options;
    const planned = destroy ? emptiedStack(stack) : stack;
    const last = after.at(-1);
    const rehearsals = new Rehearsals(last === undefined ? undefined : this.#rehearsals.get(last));
    const how = { permits, rehearsals, before: changesOf(after), ...present({ rehearse }) };
    const plan = await this.#onPlatform((platform) => planStack(this.#session, platform, planned, how), signal);
    this.#rehearsals.set(plan, rehearsals);
    return plan;
  }

  async rehearse(plan: NewPlan, options: RehearseOptions = {}) {
    refuseUnknownOptions('rehearse', options);
    const { crash = false, onPoint = () => {} } = options;
    if (plan.refused !== undefined) throw plan.refused;
    return rehearsePlan(plan, { crash, onPoint });
  }

  explain(plan: NewPlan, resource: string, field?: string) {
    return this.#onPlatform(async (platform) => {
      const { explainResource } = await import('./explainResource.ts');
      return explainResource(plan, { resource, path: field }, platform);
    });
  }

  async save(
    plans: NewPlan | StoredPlan | readonly (NewPlan | StoredPlan)[],
    path: string,
    options: Partial<SignOptions> = {},
  ): Promise<void> {
    refuseUnknownOptions('save', options);
    const { sign, ...more } = options;
    const all = 'plan' in plans ? [plans] : plans;
    for (const { refused } of all) if (refused !== undefined) throw refused;
    const signing = sign === undefined ? undefined : await this.#signing({ sign, ...more });
    const { save } = await import('./saved.ts');
    await save(this.#session, all, path, { signing });
  }

  async approve(file: string, options: ApproveOptions): Promise<void> {
    refuseUnknownOptions('approve', options);
    const { signedBy, ...key } = options;
    const { openApproval } = await import('./savedPlan/openApproval.ts');
    const trust = present({ signedBy });
    const approval = await openApproval(file, { signing: await this.#signing(key), trust }, this.#session);
    await approval.sign();
  }

  async #signing({ sign, validForMs = usualValidityMs }: SignOptions): Promise<Signing> {
    const { readSigningKey } = await import('../signing/signingKey.ts');
    return { key: await readSigningKey(sign, this.#session), validForMs };
  }

  async open(file: string): Promise<StoredPlan> {
    const plans = await this.openAll(file);
    const [stored, second] = plans;
    if (stored !== undefined && second === undefined) return stored;
    const owners = plans.map(({ plan }) => plan.stack);
    throw severalStacksError(owners, 'Use openAll(file).');
  }

  async openAll(file: string): Promise<readonly StoredPlan[]> {
    const { openSaved } = await import('./saved.ts');
    return openSaved(this.#session, file);
  }

  async apply(plan: NewPlan | StoredPlan, given: ApplyOptions = {}): Promise<Applied> {
    refuseUnknownOptions('apply', given);
    const { stack, on, ...how } = given;
    if (plan.refused !== undefined) throw plan.refused;
    const { signal, parallelism, signedBy, approvedBy } = how;
    const trust: Trust = { ...(signedBy && { signedBy }), ...(approvedBy && { approvedBy }) };
    const { checkSaved, resumeSaved, verify } = await import('./saved.ts');
    const refused = 'saved' in plan ? refusedPlan(await checkSaved(plan, trust)) : await verify(plan, trust);
    if (refused !== undefined) throw refused;
    const session = { ...this.#session, tell: withRunEvents(this.#session, on) };
    const options = present({ parallelism });
    const outputStack = 'saved' in plan ? stack : { owner: plan.plan.stack, outputs: plan.outputs };
    return this.#onPlatform(
      async (platform) => {
        const resume = (stored: StoredPlan) =>
          resumeSaved(session, platform, stored, { ...trust, desired: stack?.desired });
        const stop = () => platform.client.stopRetrying();
        const { remaining, runnable } =
          'saved' in plan
            ? await unlessAborted(signal, () => resume(plan), stop)
            : { remaining: plan.plan, runnable: plan };
        const { run, error } = runnable === undefined ? {} : await confirmAndRun(session, platform, runnable, how);
        if (run === undefined) {
          if (error !== undefined) throw error;
          const result = { done: [], failed: [], skipped: [], requests: 0, verified: true, interrupted: false };
          return {
            plan: remaining,
            outcome: 'done',
            result,
            elapsedMs: 0,
            outputs: await this.#outputsOf(platform, outputStack),
          };
        }
        const { result, elapsedMs } = run;
        const outputs = await this.#outputsOf(platform, outputStack);
        const applied = { plan: remaining, outcome: outcomeOf(result), result, elapsedMs, outputs };
        if (error !== undefined) throw new ApplyError(error, applied);
        return applied;
      },
      undefined,
      options,
    );
  }

  async undo(plan: NewPlan | StoredPlan, options: UndoOptions = {}): Promise<StoredPlan> {
    refuseUnknownOptions('undo', options);
    const { signal, rehearse, ...permits } = options;
    const { undoPlan } = await import('./undo.ts');
    const undo = await this.#onPlatform(
      (platform) => undoPlan(this.#session, platform, plan, { permits, rehearse }),
      signal,
    );
    if (undo.isEmpty && !plan.isEmpty) throw nothingToUndo(undo.plan.notes);
    return undo;
  }

  async drift(stack: Stack, options: Abortable = {}) {
    refuseUnknownOptions('drift', options);
    const { signal } = options;
    const { driftOf } = await import('./read.ts');
    return this.#onPlatform((platform) => driftOf(this.#session, platform, stack), signal);
  }

  async status(stack: Stack, options: Abortable = {}) {
    refuseUnknownOptions('status', options);
    const { signal } = options;
    const { statusOf } = await import('./read.ts');
    return this.#onPlatform((platform) => statusOf(this.#session, platform, stack), signal);
  }

  async outputs(stack: Stack, options: Abortable = {}) {
    refuseUnknownOptions('outputs', options);
    const { signal } = options;
    return this.#onPlatform((platform) => this.#outputsOf(platform, stack), signal);
  }

  async #outputsOf(platform: Platform, stack: Pick<Stack, 'owner' | 'outputs'> | undefined): Promise<OutputValues> {
    if (stack === undefined || stack.outputs.length === 0) return {};
    const { outputsOf } = await import('./read.ts');
    const { outputs } = await outputsOf(this.#session, platform, stack);
    return Object.fromEntries(outputs.map(({ name, value }) => [name, value]));
  }

  read(resource: string) {
    const ref = refOf(resource);
    return this.#onPlatform(({ client }) => client.read(ref));
  }

  async list(kind?: DeclarableKind) {
    if (kind !== undefined && !declarableKinds().includes(kind)) throw unknownKind(kind);
    return this.#onPlatform(async ({ client }) => {
      const { listRecords } = await import('./listRecords.ts');
      return listRecords(client, kind === undefined ? declarableKinds() : [kind]);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const host = this.#host;
    this.#host = undefined;
    await (await host)?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Each step has its own client, so interrupting one leaves the others running. */
  async #onPlatform<T>(
    work: (platform: Platform) => Promise<T>,
    signal?: AbortSignal,
    options: Pick<PlatformOptions, 'parallelism'> = {},
  ): Promise<T> {
    if (this.#isClosed) throw closedError();
    this.#host ??= this.#open();
    const host = await this.#host.catch((error: unknown) => {
      this.#host = undefined;
      throw error;
    });
    const platform = await host.connect({ ...this.#session, options: { ...this.#session.options, ...options } });
    try {
      return await unlessAborted(
        signal,
        () => work(platform),
        () => platform.client.stopRetrying(),
      );
    } finally {
      const closing = platform.close();
      // After an abort, does not wait for an answer that may never come.
      if (signal?.aborted === true) closing.catch(() => undefined);
      else await closing;
    }
  }
}

function closedError(): ToolError {
  return new ToolError({
    code: 'automation.closed',
    message: 'this session has been closed',
    hint: 'Open another one with Gantry.open().',
  });
}

function nothingToUndo(notes: readonly string[]): ToolError {
  return new ToolError({
    code: 'undo.impossible',
    message: ['nothing of this plan can be undone', ...notes].join('\n  '),
    hint: 'The message lists the reason for each resource.',
  });
}

/** Also passes the events of a run to the program. */
function withRunEvents({ tell }: Session, on: ApplyOptions['on']): Session['tell'] {
  return (event) => {
    if (event.type === 'run') on?.(event.event);
    return tell(event);
  };
}

function unknownKind(kind: string): ToolError {
  return new ToolError({
    code: 'automation.kind',
    message: `${JSON.stringify(kind)} is not a kind of records`,
    hint: meantOrAvailable(kind, declarableKinds()),
  });
}

/** Errors: `automation.resource`. */
function refOf(id: string): Ref {
  const ref = refNamed(id);
  if (ref !== undefined) return ref;
  throw new ToolError({
    code: 'automation.resource',
    message: `${JSON.stringify(id)} is not the id of a resource`,
    hint: 'Write kind/name, and for what lives in a GVC kind/gvc/name.',
  });
}

/**
 * A platform in the memory of this process, without a file or a port; its time passes when a step waits. `records`: its
 * initial records. Errors: `automation.records`.
 */
async function openMemory(org: string, records: readonly JsonObject[] = []): Promise<PlatformHost> {
  const [{ clientOn, exchangeWith, openStage }, { loadRecords }] = await Promise.all([
    import('../rehearsal/stage.ts'),
    import('../rehearsal/loadRecords.ts'),
  ]);
  const stage = await openStage({ org });
  if (records.length > 0) await loadRecords(stage.platform, records, org);
  const pendingRequests = new Set<Promise<unknown>>();
  const direct = exchangeWith(stage.platform);
  const exchange: Exchange = {
    async send(request) {
      const answer = direct.send(request);
      pendingRequests.add(answer);
      return answer.finally(() => pendingRequests.delete(answer));
    },
    close: () => Promise.resolve(),
  };
  return {
    org,
    async connect() {
      const client = clientOn(stage.clock, org, exchange);
      return { client, org, clock: stage.clock, tellRetriesTo() {}, close: () => client.close() };
    },
    async close() {
      await Promise.allSettled(pendingRequests); // requests of interrupted steps
      await stage.close();
    },
  };
}
