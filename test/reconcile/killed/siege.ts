import { setTimeout as sleep } from 'node:timers/promises';
import type { Board, WaitingPlan } from '../../../src/reconcile/model.ts';
import { openBoard } from '../../../src/reconcile/store/board.ts';
import { openStore, type StoreAddress } from '../../../src/reconcile/store/openStore.ts';
import { borrowBoard } from '../../../src/reconcile/store/remoteBoard.ts';
import { demand, equal } from '../../attack/attack.ts';
import { gantry, makeFolder, type Running, start } from '../../attack/cli.ts';
import { type Platform, remote, startPlatform } from '../../attack/platform.ts';
import { startPostgres } from '../../server/postgres/startPostgres.ts';
import { type ApprovedText, type AuditedWrite, disorderOf, type FencedRun, unapprovedOf } from './fences.ts';

/*
 * Workers as processes of the built command line, which are killed and restarted while the code of their stacks
 * changes, people change the platform by hand, plans are approved, and the platform and the database fail.
 */
export interface SiegeSize {
  /** Several workers need PostgreSQL; a folder (PGlite) has one worker. */
  readonly store: 'postgres' | 'folder';
  readonly workers: number;
  /** Every fourth stack is proposed, the others are applied. */
  readonly stacks: number;
  readonly kills: number;
  readonly killEveryMs: number;
  /** Crashes of the database, spread over the kills. */
  readonly restarts: number;
  /** The share of failing answers of the platform, in [0, 1). */
  readonly failing: number;
  /** The interval of each stack, at least 5 s. */
  readonly intervalMs: number;
  /** How long everything may take to be in line after the last disturbance. */
  readonly settleMs: number;
  readonly tell: (text: string) => void;
}

export interface SiegeFigures {
  readonly seconds: number;
  readonly settledAfterSeconds: number;
  readonly started: number;
  readonly kills: number;
  readonly restarts: number;
  readonly runs: number;
  /** Runs by outcome. `lost`: their worker was killed. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly writes: number;
  readonly refusedWrites: number;
  readonly handWrites: number;
  readonly codeChanges: number;
  readonly approvals: number;
  readonly faults: number;
  readonly takeovers: number;
  readonly peakMiB: number;
}

interface Worker {
  readonly name: string;
  readonly running: Running;
  /** Resolves when the worker takes stacks, or has ended. */
  readonly ready: Promise<unknown>;
}

interface Town {
  readonly size: SiegeSize;
  readonly platform: Platform;
  readonly folder: ReturnType<typeof makeFolder>;
  readonly address: StoreAddress;
  /** The declared records of each stack, with their text. */
  readonly wanted: Map<string, ReadonlyMap<string, string>>;
  readonly approved: ApprovedText[];
  readonly counts: { started: number; handWrites: number; codeChanges: number; approvals: number };
}

const refusedText = 'never-to-be-approved';

function isProposed(index: number): boolean {
  return index % 4 === 3;
}

function stackName(index: number): string {
  return `s${index}`;
}

export async function besiege(size: SiegeSize): Promise<SiegeFigures> {
  const startedMs = performance.now();
  const postgres = size.store === 'postgres' ? await startPostgres({ durable: true }) : undefined;
  const folder = makeFolder();
  const platform = await startPlatform();
  const address: StoreAddress =
    postgres === undefined
      ? { kind: 'folder', folder: `${folder.path}/.gantry/reconcile` }
      : { kind: 'postgres', url: postgres.freshUrl() };
  const town: Town = {
    size,
    platform,
    folder,
    address,
    wanted: new Map(),
    approved: [],
    counts: { started: 0, handWrites: 0, codeChanges: 0, approvals: 0 },
  };
  const workers: Worker[] = [];
  const ending = new AbortController();
  const approving = new AbortController();
  const others: Promise<void>[] = [];
  try {
    for (let index = 0; index < size.stacks; index += 1) writeCode(town, index, 'v0');
    folder.write('reconcile.yaml', configText(size, 'as they are'));
    await ask(town, 'POST', '/org/local/group', { name: 'foreign', description: 'of nobody here' });
    const foreign = await ask(town, 'GET', '/org/local/group/foreign');
    await setFaults(town);

    for (let index = 0; index < size.workers; index += 1) workers.push(await startWorker(town));
    const { signal } = ending;
    others.push(changeCode(town, signal), writeByHand(town, signal));
    others.push(approve(town, approving.signal));

    const restartAt = new Set(
      Array.from({ length: size.restarts }, (_, index) => Math.floor(((index + 1) * size.kills) / (size.restarts + 1))),
    );
    let restarts = 0;
    let peakMiB = 0;
    for (let kill = 0; kill < size.kills; kill += 1) {
      const index = kill % size.workers;
      const worker = workers[index];
      if (worker === undefined) throw new Error('there is a worker');
      // Some workers are killed while they start.
      if (kill % 5 !== 4) await worker.ready;
      await sleep(size.killEveryMs * (0.5 + Math.random()));
      await demandRuns(worker);
      worker.running.child.kill('SIGKILL');
      peakMiB = Math.max(peakMiB, (await worker.running.ended).peakMiB);
      if (postgres !== undefined && restartAt.has(kill)) {
        await postgres.crash();
        await sleep(1_000);
        await postgres.restart();
        restarts += 1;
        size.tell('the database was restarted');
      }
      workers[index] = await startWorker(town);
      if (kill % 10 === 9) size.tell(`${kill + 1} of ${size.kills} kills`);
    }
    ending.abort();
    await Promise.all(others.slice(0, 2));
    size.tell('nothing disturbs it any more');
    const calmMs = performance.now();
    // Which plan waits last is random: the last code is one that gets its approval.
    for (let index = 0; index < size.stacks; index += 1) if (isProposed(index)) writeCode(town, index, 'last');
    await settled(town);
    const settledAfterSeconds = seconds(performance.now() - calmMs);
    size.tell(`settled after ${settledAfterSeconds} s`);
    approving.abort();
    await Promise.all(others);

    for (const worker of workers) await demandRuns(worker);
    for (const { running } of workers) running.child.kill('SIGTERM');
    for (const { name, running } of workers) {
      const outcome = await running.ended;
      peakMiB = Math.max(peakMiB, outcome.peakMiB);
      equal([outcome.code, outcome.signal], [0, null], `how worker ${name} ended`);
    }
    const faults = await faultsStruck(town);
    await ask(town, 'DELETE', '/-faults');
    await demandInLine(town);
    equal(await ask(town, 'GET', '/org/local/group/foreign'), foreign, 'the record of nobody');
    const { writes, refused } = await writesOf(town);
    const { runs, outcomes } = await runsOf(town);
    const disorder = disorderOf(writes, runs);
    demand(disorder.length === 0, 'two workers wrote to a stack at once', disorder.join('\n'));
    const proposed = writes.filter(({ stack }) => isProposed(Number(stack.slice(1))));
    const unapproved = unapprovedOf(proposed, town.approved);
    demand(unapproved.length === 0, 'what was not approved was applied', unapproved.join('\n'));
    demand(proposed.length > 0 && writes.length > proposed.length, 'too little was written to show anything');
    return {
      seconds: seconds(performance.now() - startedMs),
      settledAfterSeconds,
      kills: size.kills,
      restarts,
      runs: runs.length,
      outcomes,
      writes: writes.length,
      refusedWrites: refused,
      ...town.counts,
      faults,
      takeovers: takeoversOf(writes),
      peakMiB: Math.round(peakMiB),
    };
  } finally {
    ending.abort();
    approving.abort();
    for (const { running } of workers) if (running.child.exitCode === null) running.child.kill('SIGKILL');
    await Promise.allSettled(workers.map(({ running }) => running.ended));
    await platform.stop();
    await postgres?.stop();
    folder.remove();
  }
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

/** Whatever happens to its database, no worker ends by itself. */
async function demandRuns({ name, running }: Worker): Promise<void> {
  if (running.child.exitCode === null) return;
  const { code, stderr } = await running.ended;
  demand(false, `worker ${name} ended by itself with ${code}`, stderr.slice(-3_000));
}

/** Each text occurs in one change only, so that the audit trail shows which changes were carried out. */
function writeCode(town: Town, index: number, text: string, hasThird = false): void {
  const name = stackName(index);
  const records = ['a', 'b', ...(hasThird ? ['c'] : [])].map((each) => `${name}-${each}`);
  const manifests = records.map((record) => `kind: group\nname: ${record}\ndescription: ${text}\n`);
  town.folder.write(`stacks/${name}/gantry.yaml`, `stack: ${name}\norg: local\n`);
  town.folder.write(`stacks/${name}/groups.yaml`, manifests.join('---\n'));
  town.wanted.set(name, new Map(records.map((record) => [record, text])));
}

function configText({ stacks, intervalMs }: SiegeSize, modes: 'as they are' | 'detect'): string {
  const lines = Array.from({ length: stacks }, (_, index) => {
    const mode = modes === 'detect' ? 'detect' : isProposed(index) ? 'propose' : 'auto';
    const name = stackName(index);
    return `  ${name}: { folder: stacks/${name}, mode: ${mode}, interval: ${intervalMs / 1_000}s }`;
  });
  return `stacks:\n${lines.join('\n')}\n`;
}

async function setFaults({ platform, size: { failing } }: Town): Promise<void> {
  const third = failing / 3;
  const faults = [
    { path: '/org/local/**', probability: third, status: 503 },
    { path: '/org/local/**', probability: third, drop: true },
    { path: '/org/local/**', probability: third, reset: true },
    // Writes are slow, so that kills interrupt applies.
    { path: '/org/local/group/**', latency: '20ms', jitter: '150ms' },
    { path: '/org/local/group', method: 'POST', latency: '20ms', jitter: '150ms' },
  ];
  const { status, body } = await platform.call('POST', '/-faults', { seed: 'siege', faults });
  demand(status < 300, 'the faults are taken', body);
}

async function faultsStruck({ platform }: Town): Promise<number> {
  const { body } = await platform.call('GET', '/-faults');
  const counts = body['counts'] as readonly { readonly struck: number }[];
  return counts.slice(0, 3).reduce((sum, { struck }) => sum + struck, 0);
}

/** Each process has its own account, so that the audit trail distinguishes them. */
async function startWorker(town: Town): Promise<Worker> {
  town.counts.started += 1;
  const name = `w-${town.counts.started}`;
  await ask(town, 'POST', '/org/local/serviceaccount', { name });
  const { key } = await ask(town, 'POST', `/org/local/serviceaccount/${name}/-addKey`, { description: name });
  const { memberLinks } = await ask(town, 'GET', '/org/local/group/superusers');
  const links = [...(memberLinks as readonly string[]), `/org/local/serviceaccount/${name}`];
  await ask(town, 'PATCH', '/org/local/group/superusers', { memberLinks: links });
  // biome-ignore format: a row is a case
  const running = start(['reconcile', 'run', '--name', name], {
    cwd: town.folder.path,
    withinMs: 24 * 3_600_000,
    env: { NO_COLOR: '1', GANTRY_ENDPOINT: town.platform.url, GANTRY_ORG: 'local', GANTRY_TOKEN: String(key),
      ...(town.address.kind === 'postgres' ? { GANTRY_RECONCILE_STORE: town.address.url } : {}) },
  });
  const ready = new Promise((resolve) => {
    running.child.stderr?.on('data', (text: string) => {
      if (text.includes(' reconciles;')) resolve(undefined);
    });
    running.ended.then(resolve, resolve);
  });
  return { name, running, ready };
}

/** Sends a request as an administrator, and retries if the platform fails. */
async function ask({ platform }: Town, method: string, path: string, body?: unknown) {
  for (let tries = 0; ; tries += 1) {
    const answered = await platform.call(method, path, body).catch(() => undefined);
    const isDone = answered !== undefined && (answered.status < 300 || (tries > 0 && answered.status === 409));
    if (isDone) return answered.body;
    const isFailing = answered === undefined || answered.status >= 500;
    demand(isFailing && tries < 50, `${method} ${path}`, answered);
    await sleep(20);
  }
}

type Item = Readonly<Record<string, unknown>>;

/** All pages. */
async function list(town: Town, path: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const page: Item = await ask(town, 'GET', next);
    items.push(...(page['items'] as readonly Item[]));
    const links = page['links'] as readonly { readonly rel: string; readonly href: string }[];
    next = links.find(({ rel }) => rel === 'next')?.href;
  }
  return items;
}

async function changeCode(town: Town, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const index = Math.floor(Math.random() * town.size.stacks);
    town.counts.codeChanges += 1;
    const isRefused = isProposed(index) && Math.random() < 0.3;
    const text = isRefused ? `${refusedText}-${town.counts.codeChanges}` : `v${town.counts.codeChanges}`;
    // Some changes remove the third record, but keep the first. If a killed worker created only the third one, its
    // deletion is rightly refused, because no declared record would belong to the stack.
    const path = `/org/local/group/${stackName(index)}-a`;
    const first = await town.platform.call('GET', path).catch(() => undefined);
    writeCode(town, index, text, first?.status === 200 && town.counts.codeChanges % 3 === 0);
    await sleep(200 + (20_000 * Math.random()) / town.size.stacks);
  }
}

async function writeByHand(town: Town, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const index = Math.floor(Math.random() * town.size.stacks);
    const path = `/org/local/group/${stackName(index)}-a`;
    const answered = await town.platform.call('PATCH', path, { description: 'by hand' }).catch(() => undefined);
    if (answered?.status === 200) town.counts.handWrites += 1;
    await sleep(2_000 * Math.random());
  }
}

/** Approves waiting plans, except those with a text that must never be applied. */
async function approve(town: Town, signal: AbortSignal): Promise<void> {
  const opened = town.address.kind === 'postgres' ? await openBoardOf(town.address) : undefined;
  try {
    while (!signal.aborted) {
      try {
        const board =
          opened?.board ?? (town.address.kind === 'folder' ? await borrowBoard(town.address.folder) : undefined);
        if (board !== undefined) await approveAll(town, board, signal);
      } catch {
        // The worker was killed, the database is away, or the plan is superseded.
      }
      await sleep(500);
    }
  } finally {
    await opened?.close();
  }
}

async function openBoardOf(address: StoreAddress) {
  const store = await openStore(address, { tell: () => {} });
  const board = await openBoard(store);
  return {
    board,
    async close() {
      await board.close();
      await store.close();
    },
  };
}

async function approveAll(town: Town, board: Pick<Board, 'waiting' | 'approve'>, signal: AbortSignal): Promise<void> {
  for (let index = 3; index < town.size.stacks && !signal.aborted; index += 4) {
    const stack = stackName(index);
    const plan = await board.waiting(stack);
    if (plan === undefined || plan.approvals.given.length > 0) continue;
    const text = JSON.stringify(plan.document);
    if (text.includes(refusedText)) continue;
    // Recorded before the request: an approval counts even if its answer is lost.
    for (const each of textsOf(plan)) town.approved.push({ stack, text: each, atMs: Date.now() });
    await board.approve(stack, plan.name, { by: 'ana' });
    town.counts.approvals += 1;
  }
}

/** The texts that a plan writes; the empty text for a deletion. */
function textsOf({ document }: WaitingPlan): ReadonlySet<string> {
  const text = JSON.stringify(document);
  return new Set([...(text.match(/\b(?:v\d+|last)\b/g) ?? []), ...(/"action":"delete"/.test(text) ? [''] : [])]);
}

/** Waits until the platform matches the code. */
async function settled(town: Town): Promise<void> {
  const untilMs = performance.now() + town.size.settleMs;
  for (let looks = 1; ; looks += 1) {
    const differences = await differencesOf(town);
    if (differences.length === 0) return;
    if (looks % 30 === 0) town.size.tell(`${differences.length} records are not in line yet, as ${differences[0]}`);
    // Read no earlier: a command that opens the folder excludes the worker.
    if (performance.now() > untilMs)
      demand(false, 'the platform is not as the code says', await whyNot(town, differences));
    await sleep(1_000);
  }
}

async function differencesOf(town: Town): Promise<readonly string[]> {
  const live = new Map(
    (await list(town, '/org/local/group'))
      .filter(({ name }) => /^s\d+-/.test(String(name)))
      .map(({ name, description }) => [String(name), String(description)]),
  );
  const wanted = new Map([...town.wanted.values()].flatMap((records) => [...records]));
  return [...new Set([...live.keys(), ...wanted.keys()])]
    .filter((name) => live.get(name) !== wanted.get(name))
    .map((name) => `${name} is ${live.get(name) ?? '(absent)'}, and should be ${wanted.get(name) ?? '(absent)'}`);
}

async function whyNot(town: Town, differences: readonly string[]): Promise<string> {
  const args = ['reconcile', 'status', ...(town.address.kind === 'postgres' ? ['--store', town.address.url] : [])];
  const { stdout } = await gantry(args, { cwd: town.folder.path, env: { NO_COLOR: '1' } });
  const lines = stdout.split('\n').filter((line) => !line.includes(' in line '));
  return [...differences.slice(0, 30), ...lines.slice(0, 30)].join('\n');
}

/** Demands that a worker with its own store, in mode detect, and `gantry plan` find nothing to do. */
async function demandInLine(town: Town): Promise<void> {
  equal(await differencesOf(town), [], 'the platform and the code');
  town.folder.write('look.yaml', configText(town.size, 'detect'));
  // Creating a store in a folder takes seconds.
  const store = town.address.kind === 'postgres' ? ['--store', `${town.address.url}_look`] : ['--data', 'look'];
  const looked = await gantry(
    remote(town.platform.url, 'reconcile', 'once', '--config', 'look.yaml', ...store, '-o', 'json'),
    { cwd: town.folder.path, withinMs: 600_000 },
  );
  equal(looked.code, 0, `a look at the stacks\n${looked.stderr.slice(-2_000)}`);
  const { stacks } = JSON.parse(looked.stdout) as { readonly stacks: readonly { readonly state: string }[] };
  equal(Map.groupBy(stacks, ({ state }) => state).size, 1, 'the number of states');
  equal([stacks.length, stacks[0]?.state], [town.size.stacks, 'in line'], 'the states of the stacks');
  for (const index of [0, 3]) {
    const args = remote(town.platform.url, 'plan', `stacks/${stackName(index)}`, '--detailed-exitcode');
    const planned = await gantry(args, { cwd: town.folder.path });
    demand(planned.code === 0, 'the plan is not empty', planned);
  }
}

/** Writes of workers to records of stacks, oldest first. */
async function writesOf(town: Town): Promise<{ readonly writes: readonly AuditedWrite[]; readonly refused: number }> {
  const events = (await list(town, '/audit/org/local?resourceType=group')).toReversed();
  let refused = 0;
  const writes = events.flatMap((event): readonly AuditedWrite[] => {
    const { resource, subject, action, result, eventTime } = event as {
      readonly resource: { readonly name: string; readonly data: { readonly description?: string } };
      readonly subject: { readonly data: { readonly principalLink: string } };
      readonly action: { readonly type: string };
      readonly result: { readonly status: string };
      readonly eventTime: string;
    };
    const worker = subject.data.principalLink.split('/').at(-1) ?? '';
    const stack = /^(s\d+)-[abc]$/.exec(resource.name)?.[1];
    if (!worker.startsWith('w-')) return [];
    // A request that was cut off in the middle has no name.
    if (result.status !== 'OK') refused += 1;
    if (result.status !== 'OK') return [];
    demand(stack !== undefined, 'a worker wrote to what is none of its own', event);
    const text = action.type === 'delete' ? undefined : resource.data.description;
    return [{ stack, record: resource.name, worker, atMs: Date.parse(eventTime), text }];
  });
  return { writes, refused };
}

async function runsOf({ address }: Town): Promise<{
  readonly runs: readonly FencedRun[];
  readonly outcomes: Readonly<Record<string, number>>;
}> {
  const store = await openStore(address, { tell: () => {} });
  try {
    const rows = await store.sql.query('SELECT stack, worker, fence, start_ms, outcome FROM runs ORDER BY start_ms');
    const outcomes: Record<string, number> = {};
    for (const { outcome } of rows) outcomes[String(outcome)] = (outcomes[String(outcome)] ?? 0) + 1;
    const runs = rows.map(({ stack, worker, fence, start_ms: start }) => ({
      stack: String(stack),
      worker: String(worker),
      fence: Number(fence),
      startMs: Number(start),
    }));
    return { runs, outcomes };
  } finally {
    await store.close();
  }
}

/** How often a stack was written by another worker than before. */
function takeoversOf(writes: readonly AuditedWrite[]): number {
  const last = new Map<string, string>();
  let count = 0;
  for (const { stack, worker } of writes) {
    if (last.get(stack) !== undefined && last.get(stack) !== worker) count += 1;
    last.set(stack, worker);
  }
  return count;
}
