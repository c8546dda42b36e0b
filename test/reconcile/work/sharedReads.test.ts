import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openPlatform } from '../../e2e/harness/platform.ts';
import { type Passing, startProxy, type Verdict } from '../../e2e/harness/proxy.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { entryOf, openTown, writeStack } from '../town.ts';

const folder = temporaryFolder('reconcile-reads');
const platform = await openPlatform();
/** Called before the platform gets a request, and after it has carried it out. */
let before: (passing: Passing) => Promise<void> | void = () => {};
let after: (passing: Passing) => Promise<void> | void = () => {};
const proxy = await startProxy(
  platform.url,
  async (passing): Promise<Verdict> => {
    await before(passing);
    return 'pass';
  },
  (passing) => after(passing),
);
afterAll(async () => {
  await town[Symbol.asyncDispose]();
  await proxy.close();
  await platform.stop();
});
beforeEach(() => {
  before = () => {};
  after = () => {};
});

const hourMs = 3_600_000;
const town = await openTown(proxy.url, { kind: 'folder', folder: join(folder, 'store') });

/** Stacks that are in line, each with a group that refers to an account outside the stack. */
async function inLine(prefix: string, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`);
  for (const name of names) await platform.call('POST', '/org/local/serviceaccount', { name: `${name}-robot` });
  town.entries = names.map((name) => entryOf(write(name, 'one'), { name, intervalMs: hourMs }));
  await town.once();
}

function write(name: string, description: string): string {
  const path = writeStack(folder, name, { [name]: description });
  appendFileSync(join(path, 'groups.yaml'), `memberLinks: [//serviceaccount/${name}-robot]\n`);
  return path;
}

const byHand = (name: string, description: string) =>
  platform.call('PATCH', `/org/local/group/${name}`, { description });
const descriptionOf = async (name: string) =>
  (await platform.call('GET', `/org/local/group/${name}`)).body['description'];

/** Runs all stacks, which are due, one after another in their order. */
async function oneByOne(): Promise<void> {
  town.pass(2 * hourMs);
  const fromMs = town.store.now();
  for (const [index, { name }] of town.entries.entries()) await town.store.postpone(name, fromMs - hourMs + index);
  const worker = town.worker({ concurrency: 1 });
  await worker.start();
  const running = worker.run();
  const left = async () => (await town.board.list()).filter(({ state }) => (state.lastRunMs ?? 0) < fromMs).length;
  await expect.poll(left, { timeout: 30_000 }).toBe(0);
  worker.stop();
  await running;
}

/** Acts once, after the records of all stacks are read and before the first stack has the answer. */
function onceRead(act: () => Promise<unknown>): void {
  const isOfAll = ({ path, body }: Passing) =>
    path.startsWith('/org/local/group/-query') && town.entries.every(({ name }) => body.includes(`"${name}"`));
  let isDone = false;
  after = async (passing) => {
    if (isDone || !isOfAll(passing)) return;
    isDone = true;
    await act();
  };
}

const outcomesOf = async () =>
  Object.fromEntries(
    await Promise.all(town.entries.map(async ({ name }) => [name, (await town.board.runs(name))[0]?.outcome] as const)),
  );

test('the number of requests does not grow with the stacks, whatever records they refer to', async () => {
  const requests = async (prefix: string, count: number) => {
    await inLine(prefix, count);
    const from = platform.requests.length;
    await oneByOne();
    expect(new Set(Object.values(await outcomesOf()))).toEqual(new Set(['in line']));
    return platform.requests.slice(from).map(({ method, path }) => `${method} ${path}`);
  };
  const ofThree = await requests('few', 3);
  expect(ofThree.filter((each) => each === 'POST /org/local/serviceaccount/-query')).toHaveLength(3);
  expect((await requests('many', 12)).toSorted()).toEqual(ofThree.toSorted());
});

test('a stack that a user requested to run is read again after the request', async () => {
  await inLine('asked', 2);
  onceRead(async () => {
    await byHand('asked-2', 'by hand');
    await town.board.now('asked-2', 'ana');
    // The clock of the request is behind that of the worker.
    await town.store.sql.query('UPDATE stacks SET asked_ms = asked_ms - 5000');
  });
  await oneByOne();
  expect(await outcomesOf()).toEqual({ 'asked-1': 'in line', 'asked-2': 'applied' });
  expect(await descriptionOf('asked-2')).toBe('one');
});

test("a read ahead of the stack's turn leads to no write: the record is read again", async () => {
  await inLine('early', 2);
  await byHand('early-2', 'by hand');
  onceRead(() => byHand('early-2', 'one'));
  await oneByOne();
  expect(await outcomesOf()).toEqual({ 'early-1': 'in line', 'early-2': 'in line' });
});

test('a read from before a write of the worker is not used', async () => {
  await inLine('written', 2);
  write('written-1', 'two');
  before = async ({ isWrite }) => {
    if (isWrite) await byHand('written-2', 'by hand');
  };
  await oneByOne();
  expect(await outcomesOf()).toEqual({ 'written-1': 'applied', 'written-2': 'applied' });
  expect(await descriptionOf('written-2')).toBe('one');
});

test('a stack whose worker has died is read again', async () => {
  await inLine('left', 2);
  onceRead(async () => {
    const lease = await town.store.leases.take('left-2', 'dead');
    if (lease === undefined) throw new Error('it is free');
    await town.store.begin(lease, 'dead');
    await byHand('left-2', 'by hand');
    await town.store.leases.release(lease);
  });
  await oneByOne();
  expect(await outcomesOf()).toEqual({ 'left-1': 'in line', 'left-2': 'applied' });
});
