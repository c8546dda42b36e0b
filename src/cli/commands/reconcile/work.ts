import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { present } from '../../../base/json/present.ts';
import { ToolError } from '../../../base/toolError.ts';
import { collectorOf } from '../../../integrations/collector.ts';
import { addressesIn, parseHook } from '../../../integrations/hook.ts';
import { openHost, type PlatformHost } from '../../../project/platform/platform.ts';
import type { Environment } from '../../../project/session/session.ts';
import { openProject } from '../../../project/settings/project.ts';
import { defaultData } from '../../../project/settings/resolveSettings.ts';
import { settingByUser } from '../../../project/settings/settingsTable.ts';
import { type NotifyTarget, type ReadConfig, type StackEvent, stackEvents } from '../../../reconcile/model.ts';
import { openSources } from '../../../reconcile/sources/openSources.ts';
import { openBoard } from '../../../reconcile/store/board.ts';
import { openStore, type StoreAddress } from '../../../reconcile/store/openStore.ts';
import { lendBoard } from '../../../reconcile/store/remoteBoard.ts';
import { storeError, whenThere } from '../../../reconcile/store/storeError.ts';
import { reportsStatuses } from '../../../reconcile/work/notifier.ts';
import { type LogEntry, stackEnvironment, type WorkerSurroundings } from '../../../reconcile/work/surroundings.ts';
import { Worker } from '../../../reconcile/work/worker.ts';
import { readSigningKey } from '../../../signing/signingKey.ts';
import type { CommandContext } from '../../../terminal/context.ts';
import type { Ending } from '../../../terminal/ending.ts';
import { exitCode } from '../../../terminal/exitCode.ts';
import { listenForInterrupt } from '../../../terminal/interrupt.ts';
import { UsageError } from '../../../terminal/usageError.ts';
import { version } from '../../../terminal/version.ts';
import { showStacks } from './board.ts';
import { chosenStacks, storeAddress } from './openBoard.ts';
import type { WorkerOptions } from './options.ts';

type WorkerContext = CommandContext<WorkerOptions>;

/**
 * Runs a worker until SIGTERM, SIGINT or SIGHUP: the first signal lets current runs finish, a second one interrupts
 * them. If the store is unavailable at the start, the worker waits.
 */
export async function runWorker(context: WorkerContext): Promise<Ending> {
  const { answer, terminal } = context;
  const prepared = await prepareWorker(context);
  let running: Worker | undefined;
  const interrupt = listenForInterrupt(() => {
    if (running === undefined) return;
    terminal.message('Finishing what is under way. Once more interrupts it: the next worker goes on.');
    running.stop();
  });
  try {
    await using opened = await whenThere(() => openWorker(prepared, context), {
      signal: interrupt.signal,
      waits({ message }, ms) {
        const warning = { level: 'warn', message: `${message}; again in ${ms / 1_000} s` } as const;
        terminal.message(logLine(warning, Date.now()));
      },
    });
    if (opened === undefined) return exitCode.ok;
    const { worker, board, address, name } = opened;
    await using page = await openPage(opened, context);
    await using _lent = await lendTo(board, address);
    const where = address.kind === 'folder' ? address.folder : 'postgres';
    if (context.options.output === 'text')
      terminal.message(
        `Worker ${name} reconciles; the store is ${where}.${page === undefined ? '' : ` The page: ${page.url}`}`,
      );
    else await answer.publish({ worker: name, store: where, ...present({ url: page?.url }) });
    running = worker;
    if (interrupt.signal.aborted) worker.stop();
    await worker.run();
  } finally {
    interrupt.release();
  }
  return exitCode.ok;
}

async function lendTo(board: OpenedWorker['board'], address: StoreAddress): Promise<AsyncDisposable | undefined> {
  if (address.kind !== 'folder') return undefined;
  const unlend = await lendBoard(board, address.folder);
  return { [Symbol.asyncDispose]: unlend };
}

type OpenedWorker = Awaited<ReturnType<typeof openWorker>>;

/** The page, webhooks, and the API for machines. Undefined if not requested. */
async function openPage({ board, config, sources, store, worker }: OpenedWorker, context: WorkerContext) {
  const { http, tokens } = context.options;
  if (http === undefined) {
    if (tokens !== undefined) throw new UsageError('--tokens has no effect without --http', 'Add --http.');
    return undefined;
  }
  const [{ servePage, usualAddress }, { Sessions }, { webhookHandler }, { operationRoutes }, { reconcileMetrics }] =
    await Promise.all([
      import('../../../reconcile/http/servePage.ts'),
      import('../../../reconcile/store/sessions.ts'),
      import('../../../reconcile/http/webhooks.ts'),
      import('../../../reconcile/http/operations.ts'),
      import('../../../reconcile/http/metrics.ts'),
    ]);
  const log = (entry: LogEntry) => context.terminal.message(logLine(entry, store.now()));
  const webhooks = webhookHandler({
    config: config.last,
    secrets: sources.webhookSecrets,
    async now({ stacks, config: isConfig }) {
      if (isConfig) await store.follow(await config.read(AbortSignal.timeout(configMs)));
      for (const stack of stacks) await board.now(stack, 'webhook');
    },
  });
  const page = await servePage(board, {
    address: http === true ? usualAddress : http,
    ...present({ tokensFile: tokens === undefined ? undefined : resolve(context.cwd, tokens) }),
    signIn: {
      settings: () => config.last().signIn,
      secret: sources.secret,
      sessions: new Sessions(store),
      nowMs: store.now.bind(store),
      log,
    },
    handlers: (mayRead) => [
      operationRoutes({
        metrics: reconcileMetrics(board, store.now.bind(store)),
        mayRead,
        unready: async () => worker.unready,
        webhooks,
      }),
    ],
    onMistake: (error) => log({ level: 'error', message: String(error) }),
  });
  return { url: page.url, [Symbol.asyncDispose]: () => page.close() };
}

/** Runs one pass. Errors: `reconcile.failing` if a stack fails. */
export async function runOnce(context: WorkerContext, names: readonly string[]): Promise<Ending> {
  await using opened = await openWorker(await prepareWorker(context), context);
  const { worker, board } = opened;
  await chosenStacks(board, names);
  const interrupt = listenForInterrupt(() => worker.stop());
  try {
    await worker.once(names.length === 0 ? undefined : (stack) => names.includes(stack));
  } finally {
    interrupt.release();
  }
  await showStacks(context, board, names);
  const failing = (await chosenStacks(board, names)).filter(({ state }) => state.state === 'failing');
  if (failing.length === 0) return exitCode.ok;
  return new ToolError({
    code: 'reconcile.failing',
    message: `failing: ${failing.map(({ entry }) => entry.name).join(', ')}`,
    hint: 'The reason is beside each of them.',
    causes: failing.map(({ entry, state }) => ({
      code: 'reconcile.failing',
      message: `${entry.name}: ${state.because ?? 'it fails'}`,
    })),
  });
}

const configMs = 120_000;

/** Prepares everything that needs no store, so its errors are reported before anything begins. */
async function prepareWorker(context: WorkerContext) {
  const { options, environment, cwd } = context;
  const address = storeAddress(context);
  const { settings, profile } = await openProject(context, []);
  // A named profile outranks gantry.yaml, as in gantry plan; the default one does not.
  const isNamed = profile?.namedBy === 'user';
  const org = settingByUser('org', options, environment) ?? (isNamed ? profile.profile.org : undefined);
  const usualOrg = isNamed ? undefined : profile?.profile.org;
  const platform: WorkerSurroundings['options'] = {
    embedded: options.embedded,
    insecure: settings.insecure,
    ...present({ endpoint: settings.endpoint, token: settings.token, org, data: options.data }),
    ...present({ dialect: options.dialect === undefined ? undefined : resolve(cwd, options.dialect) }),
  };
  const signing =
    options.sign === undefined
      ? undefined
      : { key: await readSigningKey(options.sign, context), validForMs: options.validFor };
  const name = options.name ?? `${hostname()}/${process.pid}`;
  const data = resolve(cwd, options.data ?? defaultData);
  const stateFolder = address.kind === 'folder' ? address.folder : join(data, 'reconcile-work', String(process.pid));
  const sources = openSources({ stateFolder, environment, cwd });
  const config = await rememberLast(sources.readConfig(options.config));
  const messenger = {
    ...{ version, targets: givenTargets(options.notify, environment) },
    ...{ open: sources.openTarget, openForge: sources.openForge },
  };
  const { notify = [], stacks } = config.last();
  for (const target of [...notify, ...messenger.targets]) await messenger.open(target);
  for (const { source } of stacks) if (reportsStatuses(source)) await messenger.openForge(source);
  return { address, settings, platform, usualOrg, signing, name, sources, config, messenger };
}

/** Errors: `reconcile.store-away`, and those of the store. */
async function openWorker(prepared: Awaited<ReturnType<typeof prepareWorker>>, context: WorkerContext) {
  const { address, settings, platform, usualOrg, signing, name, sources, config, messenger } = prepared;
  const { options, environment, terminal } = context;
  const store = await openStore(address, { tell: terminal.message });
  const board = await openBoard(store);
  const log = (entry: LogEntry): void => terminal.message(logLine(entry, store.now()));
  const collector = collectorOf(environment);
  const traces =
    collector === undefined
      ? undefined
      : (await import('../../../integrations/openTracing.ts')).openTracing({
          ...{ collector, environment: {}, version },
          onLost: (message) => log({ level: 'warn', message }),
        });
  let host: PlatformHost | undefined;
  let worker: Worker | undefined;
  async function close(): Promise<void> {
    await worker?.close();
    const note = await traces?.close();
    if (note !== undefined) log({ level: 'warn', message: note });
    await board.close();
    await host?.close();
    await store.close();
  }
  try {
    await store.follow(config.last(), options).catch((error: unknown) => {
      throw storeError(error);
    });
    host = options.embedded ? await openHost(context, settings) : undefined;
    worker = new Worker({
      store,
      name,
      readConfig: config.read,
      fetchStack: sources.fetchStack,
      environment: stackEnvironment(environment),
      options: platform,
      usualOrg,
      concurrency: options.parallelism,
      mostRunMs: options.runTimeout,
      log,
      random: Math.random,
      messenger,
      ...present({ traces, host, signing }),
    });
    await worker.start();
    return { worker, store, board, address, name, config, sources, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The targets from the command line and the environment, which receive all events. Errors: `notify.address`. */
function givenTargets(addresses: readonly string[], { GANTRY_NOTIFY }: Environment): readonly NotifyTarget[] {
  const shown = new Map<string, number>();
  return [...addresses, ...addressesIn(GANTRY_NOTIFY)].map((url) => {
    const address = parseHook(url).shown;
    const count = (shown.get(address) ?? 0) + 1;
    shown.set(address, count);
    const events = Object.keys(stackEvents) as StackEvent[];
    return { name: count === 1 ? address : `${address} (${count})`, to: { url }, events };
  });
}

/**
 * Remembers the newest configuration from any read: the webhooks of a stack count as soon as a worker knows the stack.
 */
async function rememberLast(readConfig: ReadConfig) {
  let last = await readConfig(AbortSignal.timeout(configMs));
  const read: ReadConfig = async (signal) => {
    last = await readConfig(signal);
    return last;
  };
  return { read, last: () => last };
}

/** One JSON object per line, like the server's log. */
function logLine(entry: LogEntry, nowMs: number): string {
  return JSON.stringify({ time: new Date(nowMs).toISOString(), ...entry });
}
