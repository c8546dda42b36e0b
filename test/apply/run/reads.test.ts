import { describe, expect, test } from 'vitest';
import { monotonicReads } from '../../../src/apply/monotonicReads.ts';
import type { PlatformPort, Written } from '../../../src/apply/port.ts';
import { UnchangedRecords } from '../../../src/apply/precondition.ts';
import { Capabilities } from '../../../src/capabilities/capabilities.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import { requestBody } from '../../../src/manifest/model/body.ts';
import type { Change } from '../../../src/plan/model/change.ts';
import type { Kind } from '../../../src/schema/record/kinds.ts';
import { formatRef } from '../../../src/schema/record/ref.ts';
import { FakeClock, FakePlatform } from '../harness/fakePlatform.ts';
import { change, plan, ref, stack } from '../harness/plans.ts';

const web = 'workload/shop/web';

function live(version: number, uid = 'ours', id = web): LiveResource {
  return { ref: ref(id), id, uid, version, record: {} };
}

describe('a response that is older than the known state', () => {
  type Answers = readonly (LiveResource | undefined)[];

  /** The port of a run with these responses, the last one repeated. `pinned` is the version in the plan. */
  function reading(answers: Answers, { pinned, written = [], halted = false }: Known = {}) {
    const clock = new FakeClock();
    let requests = 0;
    const next = async () => answers[Math.min(requests++, answers.length - 1)];
    const listed = async () => [await next()].flatMap((each) => each ?? []);
    const platform: PlatformPort = new FakePlatform({ clock });
    const port: PlatformPort = {
      ...{ create: platform.create, tryCreate: platform.tryCreate, delete: platform.delete },
      deployments: platform.deployments,
      read: next,
      children: listed,
      owned: listed,
      patch: async () => (await next()) ?? live(1),
    };
    const keeping = pinned === undefined ? [] : [change(web, { action: 'keep', liveUid: 'ours', liveVersion: pinned })];
    const halt = halted ? AbortSignal.abort() : new AbortController().signal;
    const patience = { consistencyMs: 10_000 };
    const capabilities = new Capabilities();
    const run = {
      plan: plan(...keeping),
      written: new Map(written),
      clock,
      random: () => 0.5,
      patience,
      capabilities,
      halt,
    };
    return { port: monotonicReads(port, run), requests: () => requests, clock };
  }
  interface Known {
    readonly pinned?: number;
    readonly written?: readonly [string, Written][];
    readonly halted?: boolean;
  }

  interface Case extends Known {
    readonly it: string;
    readonly answers: Answers;
    readonly requests: number;
  }
  const stored: Written = { as: 'stored', live: live(3) };
  // biome-ignore format: one case a line
  const cases: readonly Case[] = [
    { it: 'nothing is known about the record', answers: [live(1)], requests: 1 },
    { it: 'it has the version of the plan', answers: [live(3)], pinned: 3, requests: 1 },
    { it: 'it is older than the plan', answers: [live(2), live(2), live(3)], pinned: 3, requests: 3 },
    { it: 'it is another record of that name', answers: [live(1, 'theirs')], pinned: 3, requests: 1 },
    { it: 'it was deleted by this run', answers: [live(3), live(1, 'next')],
      written: [[web, { as: 'deleted', uid: 'ours' }]], requests: 2 },
    { it: 'another record of that name was deleted', answers: [live(3)],
      written: [[web, { as: 'deleted', uid: 'theirs' }]], requests: 1 },
    { it: 'it was released', answers: [live(3)], written: [[web, { as: 'forgotten' }]], requests: 1 },
  ];
  test.each(cases)('a record is read until it is new enough: $it', async ({ answers, requests, ...known }) => {
    const of = reading(answers, known);
    expect(await of.port.read(ref(web))).toEqual(answers.at(-1));
    expect(of.requests()).toBe(requests);
  });
  test.each(cases)(
    'the content of a GVC and the records of a stack are too: $it',
    async ({ answers, requests, ...known }) => {
      const [inside, owned] = [reading(answers, known), reading(answers, known)];
      expect(await inside.port.children('shop')).toEqual([answers.at(-1)]);
      expect(await owned.port.owned(stack)).toEqual([answers.at(-1)]);
      expect([inside.requests(), owned.requests()]).toEqual([requests, requests]);
    },
  );

  // biome-ignore format: one case a line
  const rows: readonly Case[] = [
    { it: 'that this run wrote is read again', answers: [undefined, live(3)], written: [[web, stored]],
      requests: 2 },
    { it: 'that this run deleted is not read again',
      answers: [undefined], written: [[web, { as: 'deleted', uid: 'ours' }]],
      requests: 1 },
    { it: 'that this run did not write is not read again', answers: [undefined], pinned: 3, requests: 1 },
    { it: 'that remains missing counts as deleted after ten seconds',
      answers: [undefined], written: [[web, stored]], requests: 16 },
  ];

  test.each(rows)('a missing record $it', async ({ answers, requests, ...known }) => {
    const of = reading(answers, known);
    expect(await of.port.read(ref(web))).toEqual(answers.at(-1));
    expect(of.requests()).toBe(requests);
    expect(of.clock.now()).toBeLessThan(11_000);
  });

  test('a response is remembered: the highest version of the last record', async () => {
    const of = reading([live(5), live(4), live(6), live(5), live(6), live(1, 'next'), live(2, 'next')]);
    const versions = [];
    for (let round = 0; round < 4; round += 1) versions.push((await of.port.read(ref(web)))?.version);
    expect(versions).toEqual([5, 6, 6, 1]);
    expect(await of.port.patch(ref(web), requestBody({}))).toEqual(live(2, 'next'));
  });

  test('the response to a write is remembered too', async () => {
    const of = reading([live(5), live(4), live(5)], { pinned: 4 });
    await of.port.patch(ref(web), requestBody({}));
    expect((await of.port.read(ref(web)))?.version).toBe(5);
    expect(of.requests()).toBe(3);
  });

  test('is an error if it remains, and is returned if the run is stopped', async () => {
    await expect(reading([live(2)], { pinned: 3 }).port.read(ref(web))).rejects.toMatchObject({
      code: 'apply.stale-read',
      message: `the platform still returns an older version of ${web} (version 2) than this run has seen`,
    });
    const stopped = reading([live(2)], { pinned: 3, halted: true });
    expect(await stopped.port.read(ref(web))).toEqual(live(2));
    expect(stopped.requests()).toBe(1);
  });
});

describe('unchanged records that are awaited', () => {
  /** This number of records to await, and one that is not awaited. */
  function waiting(count: number, there: (id: string) => LiveResource | undefined = (id) => live(4, 'ours', id)) {
    const requests: (string | readonly Kind[])[] = [];
    const ids = Array.from({ length: count }, (_, index) => `workload/shop/w${index}`);
    const changes: Change[] = ids.map((id) => change(id, { action: 'keep', wait: true }));
    const source = {
      async read(of: LiveResource['ref']) {
        requests.push(formatRef(of));
        return there(formatRef(of));
      },
      async owned(_: string, kinds?: readonly Kind[], refs: readonly LiveResource['ref'][] = []) {
        requests.push(kinds ?? []);
        expect(refs).toEqual(ids.map(ref));
        return ids.slice(1).map((id) => live(4, 'ours', id));
      },
    };
    const others = [change('gvc/shop', { action: 'keep' }), change('secret/a', { action: 'create', wait: true })];
    return { requests, records: new UnchangedRecords(plan(...others, ...changes), source) };
  }
  const [first, second] = ['workload/shop/w0', 'workload/shop/w1'];

  test('up to ten are read one by one', async () => {
    const { requests, records } = waiting(10);
    for (const id of [first, second]) expect(await records.read(ref(id))).toEqual(live(4, 'ours', id));
    expect(requests).toEqual([first, second]);
  });

  test('more are listed once for their kinds, and those missing in the list are read', async () => {
    const { requests, records } = waiting(11);
    for (const id of [second, first, second]) expect(await records.read(ref(id))).toEqual(live(4, 'ours', id));
    expect(requests).toEqual([['workload'], first]);
  });

  test('are remembered if they exist', async () => {
    const { records } = waiting(2, (id) => (id === first ? undefined : live(4, 'ours', id)));
    expect(await records.read(ref(first))).toBeUndefined();
    await records.read(ref(second));
    expect([first, second].map((id) => records.seen(id))).toEqual([undefined, live(4, 'ours', second)]);
  });
});

// biome-ignore format: a row is a case
test.each([
  { it: 'that the plan keeps is read', changes: [change('gvc/shop', { action: 'keep' })], reads: 1 },
  { it: 'that is not in the plan is read', changes: [change('gvc/bank', { action: 'delete' })], reads: 1 },
  { it: 'with the name of a changed record of another kind is read',
    changes: [change('secret/shop', { action: 'delete' })], reads: 1 },
  { it: 'that the plan changes is not read', changes: [change('gvc/shop', { action: 'delete' })], reads: 0 },
])('a GVC $it, once', async ({ changes, reads }) => {
  const platform = new FakePlatform({ clock: new FakeClock() });
  const shop = platform.put(ref('gvc/shop'), {});
  const records = new UnchangedRecords(plan(...changes), platform);
  for (const _ of [1, 2]) expect(await records.gvc('shop')).toEqual(reads === 0 ? undefined : shop);
  expect(platform.log).toHaveLength(reads);
});
