import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeClient } from '../../src/client/client.ts';
import { AdaptiveLimit, type Place } from '../../src/client/http/adaptiveLimit.ts';
import type { Exchange } from '../../src/client/http/exchange.ts';
import { Requester } from '../../src/client/http/requester.ts';
import { RetryBudget } from '../../src/client/http/retryPolicy.ts';
import { FakeClock } from '../apply/harness/fakePlatform.ts';
import { record, serve } from './fakeServer.ts';

/** Enters `count` requests, by default as many as the limit allows. */
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
  test('it starts at the maximum, and is halved by a sign of overload', async () => {
    const { limit } = makeLimit(64);
    const [place] = await enterAll(limit, 1);
    expect(limit.limit).toBe(64);
    if (place !== undefined) limit.leave(place, 'strained');
    expect(limit.limit).toBe(32);
  });

  test('it decreases once in a round trip, however many of its requests are refused', async () => {
    const { limit } = makeLimit(64);
    const places = await enterAll(limit);
    for (const place of places) limit.leave(place, 'strained');
    expect(limit.limit).toBe(32);
    for (const place of await enterAll(limit)) limit.leave(place, 'strained');
    expect(limit.limit).toBe(16);
  });

  test('it never falls below one', async () => {
    const { limit } = makeLimit(4);
    for (let round = 0; round < 10; round += 1) {
      const [place] = await enterAll(limit, 1);
      if (place !== undefined) limit.leave(place, 'strained');
    }
    expect(limit.limit).toBe(1);
  });

  test('it grows by one in a full round trip, and by at most one in 100 ms', async () => {
    const { limit, pass } = makeLimit(64);
    const [first] = await enterAll(limit, 1);
    if (first !== undefined) limit.leave(first, 'strained');
    const roundTrip = async (ms: number) => {
      const places = await enterAll(limit);
      pass(ms);
      for (const place of places) {
        limit.leave(place, 'well');
        const [next] = await enterAll(limit, 1); // Another request waits for the place.
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

test('law: never more requests in flight than the limit at entry, every request is served, 1 ≤ limit ≤ most', async () => {
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

describe('a Retry-After', () => {
  test('lets no request enter before it ends, and retries enter first afterwards', async () => {
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

  test('applies to all requests of a client: one 429, not one for each', async () => {
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

  test.each([{ 'retry-after': '1' }, undefined])(
    'costs nothing of the retry budget, nor does waiting after 429 without it: %j',
    async (headers) => {
      const refused = headers === undefined ? { status: 429 } : { status: 429, headers };
      const { client } = await serve((_, count) => (count <= 5 ? refused : { body: record('gvc', 'a') }), {
        retryBudget: 0,
      });
      expect((await client.read({ kind: 'gvc', name: 'a' }))?.uid).toBe('uid--a');
    },
  );
});

/** A client of a platform that gives the answer of `answer` after `rttMs`, or none. */
function clientOf(rttMs: number, answer: (nowMs: number) => number | 'ECONNREFUSED') {
  const clock = new FakeClock();
  const exchange: Exchange = {
    async send() {
      await clock.sleep(rttMs);
      const status = answer(clock.now());
      if (typeof status === 'string') throw Object.assign(new Error('nobody listens'), { code: status });
      return { status, body: { id: 'u', kind: 'gvc', name: 'a', version: 1 }, retryAfter: undefined, date: undefined };
    },
    close: () => Promise.resolve(),
  };
  const client = makeClient({
    endpoint: 'http://platform.invalid',
    org: 'acme',
    exchange,
    random: () => 0.5,
    now: () => clock.now(),
    sleep: (ms) => clock.sleep(ms),
  });
  /** Sends `count` requests, 64 at a time, and returns how many failed. */
  async function send(count: number, request: () => Promise<unknown>): Promise<number> {
    let [left, failed] = [count, 0];
    const work = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await request().catch(() => {
          failed += 1;
        });
      }
    };
    await Promise.all(Array.from({ length: 64 }, work));
    return failed;
  }
  const gvc = { kind: 'gvc', name: 'a' } as const;
  return {
    clock,
    client,
    create: (count: number) => send(count, () => client.create(gvc, {})),
    read: (count: number) => send(count, () => client.read(gvc)),
  };
}

/** A platform that accepts `aSecond` requests a second, and never sends Retry-After. */
function metered(aSecond: number, rttMs: number) {
  let [allowed, sinceMs] = [aSecond, 0];
  return clientOf(rttMs, (nowMs) => {
    allowed = Math.min(aSecond, allowed + ((nowMs - sinceMs) / 1000) * aSecond);
    sinceMs = nowMs;
    if (allowed < 1) return 429;
    allowed -= 1;
    return 200;
  });
}

test.each([
  { down: 'ECONNREFUSED', as: 'create' },
  { down: 'ECONNREFUSED', as: 'read' },
  { down: 502, as: 'read' },
] as const)('no $as fails while the platform restarts for 20 s ($down)', async ({ down, as }) => {
  const restarting = clientOf(20, (nowMs) => (nowMs > 300 && nowMs < 20_300 ? down : 200));
  expect(await restarting[as](2_000)).toBe(0);
  expect(restarting.clock.now()).toBeLessThan(40_000);
});

describe('a limit of requests a second that only answers of 429 reveal', () => {
  test.each([
    { aSecond: 5, rttMs: 2 },
    { aSecond: 50, rttMs: 5 },
    { aSecond: 50, rttMs: 50 },
  ])('$aSecond a second at $rttMs ms: none fails, and 95 % of the limit is reached', async ({ aSecond, rttMs }) => {
    const { clock, create } = metered(aSecond, rttMs);
    expect(await create(700)).toBe(0);
    expect(clock.now()).toBeLessThan((((700 - aSecond) / aSecond) * 1000) / 0.95);
  });

  test('requests that are all refused end within some minutes, however many there are', async () => {
    const { clock, client, create } = metered(0, 5);
    expect(await create(3_000)).toBe(3_000);
    expect(clock.now()).toBeLessThan(4 * 60_000);
    expect(client.requests()).toBeLessThan(3_000 + 1_000);
  });
});

test('the read before a deletion is repeated if the deletion had to wait for its place, and only then', async () => {
  const clock = new FakeClock();
  const sent: string[] = [];
  const exchange: Exchange = {
    async send({ method }) {
      sent.push(method);
      await clock.sleep(5);
      const status = method === 'POST' && sent.length === 1 ? 429 : 200;
      return { status, body: { id: 'u', kind: 'gvc', name: 'a', version: 1 }, retryAfter: '30', date: undefined };
    },
    close: () => Promise.resolve(),
  };
  const now = () => clock.now();
  const sleep = (ms: number) => clock.sleep(ms);
  const client = makeClient({ endpoint: 'http://platform.invalid', org: 'acme', exchange, now, sleep });
  const gvc = { kind: 'gvc', name: 'a' } as const;
  const look = async () => (await client.read(gvc)) !== undefined;
  const created = client.create(gvc, {});
  await clock.sleep(10);
  await Promise.all([created, client.delete(gvc, look)]);
  expect(sent).toEqual(['POST', 'POST', 'GET', 'DELETE']);
  await client.delete(gvc, look);
  expect(sent).toEqual(['POST', 'POST', 'GET', 'DELETE', 'DELETE']);
});

test.each([
  ['429', { status: 429 }],
  ['500', { status: 500 }],
  ['503', { status: 503 }],
  ['no answer in time', 'UND_ERR_HEADERS_TIMEOUT'],
] as const)('after %s fewer requests are in flight together', async (_, answer) => {
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
  expect(busiest).toBeLessThan(4); // Three waves of 8, 4 and more were refused, and each halved the limit.
});

test.each([
  ['429', { status: 429 }, 'rejects too many requests'],
  ['500', { status: 500 }, 'when the platform is well again'],
  ['a refused connection', 'ECONNREFUSED', 'Check that the platform runs'],
] as const)('if the retries end after %s, the hint names that cause', async (_, answer, hint) => {
  let isFirst = true;
  const exchange: Exchange = {
    send() {
      const ok = isFirst || typeof answer !== 'string';
      const reply = isFirst
        ? { status: 200, body: {} }
        : { body: undefined, ...(typeof answer === 'string' ? { status: 0 } : answer) };
      isFirst = false;
      if (!ok) return Promise.reject(Object.assign(new Error('refused'), { code: answer }));
      return Promise.resolve({ ...reply, retryAfter: undefined, date: undefined });
    },
    close: () => Promise.resolve(),
  };
  const requester = new Requester({
    exchange,
    budget: new RetryBudget(0),
    limit: new AdaptiveLimit({ most: 8, now: () => 0 }),
    attempts: 1_000,
    random: () => 0.5,
    sleep: () => Promise.resolve(),
    onRetry: () => {},
  });
  const read = () => requester.send({ method: 'GET', path: '/x' }, { safe: true });
  await read();
  await expect(read()).rejects.toMatchObject({
    code: 'api.unavailable',
    message: expect.stringContaining('this run has no retries left'),
    hint: expect.stringContaining(hint),
  });
});
