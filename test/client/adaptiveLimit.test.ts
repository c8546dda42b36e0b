import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AdaptiveLimit, type Place } from '../../src/client/adaptiveLimit.ts';
import type { Exchange } from '../../src/client/exchange.ts';
import { Requester } from '../../src/client/requester.ts';
import { RetryBudget } from '../../src/client/retryPolicy.ts';
import { record, serve } from './fakeServer.ts';

/** As many places as there are at once. */
async function enterAll(limit: AdaptiveLimit, count = limit.limit): Promise<Place[]> {
  return Promise.all(Array.from({ length: count }, () => limit.enter(false)));
}

function makeLimit(most: number) {
  let nowMs = 0;
  const limit = new AdaptiveLimit({ most, now: () => nowMs });
  return {
    limit,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe('additive increase, multiplicative decrease', () => {
  test('it starts at the most, and half of it is left after a sign of strain', async () => {
    const { limit } = makeLimit(64);
    const [place] = await enterAll(limit, 1);
    expect(limit.limit).toBe(64);
    if (place !== undefined) limit.leave(place, 'strained');
    expect(limit.limit).toBe(32);
  });

  test('one decrease for a round trip, however many of its requests are refused', async () => {
    const { limit } = makeLimit(64);
    const places = await enterAll(limit);
    for (const place of places) limit.leave(place, 'strained');
    expect(limit.limit).toBe(32);
    for (const place of await enterAll(limit)) limit.leave(place, 'strained');
    expect(limit.limit).toBe(16);
  });

  test('never below one', async () => {
    const { limit } = makeLimit(4);
    for (let round = 0; round < 10; round += 1) {
      const [place] = await enterAll(limit, 1);
      if (place !== undefined) limit.leave(place, 'strained');
    }
    expect(limit.limit).toBe(1);
  });

  test('it grows by one in a full round trip, and by no more than one in 100 ms', async () => {
    const { limit, pass } = makeLimit(64);
    const [first] = await enterAll(limit, 1);
    if (first !== undefined) limit.leave(first, 'strained');
    const roundTrip = async (ms: number) => {
      const places = await enterAll(limit);
      pass(ms);
      for (const place of places) {
        limit.leave(place, 'well');
        const [next] = await enterAll(limit, 1); // somebody else wants the place
        if (next !== undefined) limit.leave(next, 'well');
      }
    };
    const before = limit.limit;
    for (let round = 0; round < 8; round += 1) await roundTrip(200);
    expect(limit.limit).toBeGreaterThan(before + 2);
    expect(limit.limit).toBeLessThanOrEqual(before + 8);
    const grown = limit.limit;
    for (let round = 0; round < 8; round += 1) await roundTrip(10);
    expect(limit.limit).toBeLessThanOrEqual(grown + 1);
  });

  test('it does not grow while less than half of it is used', async () => {
    const { limit, pass } = makeLimit(16);
    const [strained] = await enterAll(limit, 1);
    if (strained !== undefined) limit.leave(strained, 'strained');
    for (let round = 0; round < 50; round += 1) {
      const places = await enterAll(limit, 2);
      pass(500);
      for (const place of places) limit.leave(place, 'well');
    }
    expect(limit.limit).toBe(8);
  });
});

test('law: never more under way than the limit at the time of entry, nobody is forgotten, 1 ≤ limit ≤ most', async () => {
  const event = fc.record({ wanted: fc.integer({ min: 0, max: 5 }), strained: fc.boolean(), ms: fc.nat(300) });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 16 }), fc.array(event, { maxLength: 40 }), async (most, events) => {
      const { limit, pass } = makeLimit(most);
      const under: Place[] = [];
      let wanted = 0;
      let served = 0;
      const settle = () => new Promise((resolve) => setImmediate(resolve));
      for (const { wanted: more, strained, ms } of events) {
        for (let index = 0; index < more; index += 1) {
          wanted += 1;
          void limit.enter(index % 2 === 0).then((place) => {
            under.push(place);
            served += 1;
            expect(under.length).toBeLessThanOrEqual(most);
          });
        }
        await settle();
        pass(ms);
        const place = under.shift();
        if (place !== undefined) limit.leave(place, strained ? 'strained' : 'well');
        await settle();
        expect(limit.limit).toBeGreaterThanOrEqual(1);
        expect(limit.limit).toBeLessThanOrEqual(most);
      }
      while (under.length > 0) {
        const place = under.shift();
        if (place !== undefined) limit.leave(place, 'well');
        await settle();
      }
      expect(served).toBe(wanted);
    }),
    { numRuns: 50 },
  );
});

describe('a time to come back at', () => {
  test('nobody is let in before it, and repetitions go first after it', async () => {
    const { limit } = makeLimit(1);
    const wait = Promise.withResolvers<void>();
    limit.pauseFor(wait.promise);
    const order: string[] = [];
    const enter = async (name: string, again: boolean) => {
      const place = await limit.enter(again);
      order.push(name);
      limit.leave(place, 'well');
    };
    const all = Promise.all([enter('new', false), enter('repeated', true)]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual([]);
    wait.resolve();
    await all;
    expect(order).toEqual(['repeated', 'new']);
  });

  test('is kept by all requests of a client: one 429, not one for each', async () => {
    let open = false;
    const gvc = (name: string) => ({ kind: 'gvc', name }) as const;
    const { client, seen } = await serve(
      () => (open ? { body: record('gvc', 'a') } : { status: 429, headers: { 'retry-after': '1' } }),
      {
        sleep: async () => {
          await new Promise((resolve) => setTimeout(resolve, 5));
          open = true;
        },
        concurrency: 1,
      },
    );
    await Promise.all(Array.from({ length: 10 }, (_, index) => client.read(gvc(`g${index}`))));
    expect(seen).toHaveLength(11);
  });

  test('costs nothing of the budget; being refused without a time does', async () => {
    const refused = { status: 429, headers: { 'retry-after': '1' } };
    const told = await serve((_, count) => (count <= 5 ? refused : { body: record('gvc', 'a') }), { retryBudget: 0 });
    expect((await told.client.read({ kind: 'gvc', name: 'a' }))?.uid).toBe('uid--a');
    const untold = await serve(() => ({ status: 429 }), { retryBudget: 0 });
    await expect(untold.client.read({ kind: 'gvc', name: 'a' })).rejects.toMatchObject({ code: 'api.unavailable' });
  });
});

test.each([
  ['429', { status: 429 }],
  ['500', { status: 500 }],
  ['503', { status: 503 }],
  ['no answer in time', 'UND_ERR_HEADERS_TIMEOUT'],
] as const)('after %s fewer requests are under way at the same time', async (_, answer) => {
  let ailing = true;
  let [under, busiest] = [0, 0];
  const exchange: Exchange = {
    async send() {
      under += 1;
      busiest = Math.max(busiest, under);
      await new Promise((resolve) => setImmediate(resolve));
      under -= 1;
      if (!ailing) return { status: 200, body: {}, retryAfter: undefined, date: undefined };
      if (typeof answer === 'string') throw Object.assign(new Error('silence'), { code: answer });
      return { ...answer, body: undefined, retryAfter: undefined, date: undefined };
    },
    close: () => Promise.resolve(),
  };
  const limit = new AdaptiveLimit({ most: 8, now: () => 0 });
  const requester = new Requester({
    exchange,
    budget: new RetryBudget(0),
    limit,
    attempts: 1,
    random: () => 0.5,
    sleep: () => Promise.resolve(),
    onRetry: () => {},
  });
  const wave = () =>
    Promise.allSettled(Array.from({ length: 20 }, () => requester.send({ method: 'GET', path: '/x' }, { safe: true })));
  await wave();
  expect(busiest).toBe(8);
  ailing = false;
  busiest = 0;
  await wave();
  expect(busiest).toBeLessThan(4); // three waves of 8, 4 and more were refused: halved each time
});
