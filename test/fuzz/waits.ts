import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { maxBodyBytes } from '../../src/schema/facts/limits.ts';
import type { Route } from '../../src/server/http/dispatch/route.ts';
import { routes } from '../../src/server/routeTable.ts';
import { crowd } from './crowd.ts';
import { Dice } from './dice.ts';
import { largeQuery, largeReads } from './nearBudgets.ts';
import { enlarged, largePatch } from './nearLimits.ts';
import { validRequest } from './validRequest.ts';
import { type Sent, Wire } from './wire.ts';
import { World } from './world.ts';

export interface WaitsOptions {
  readonly seed: string;
  readonly records: number;
  /** How often each route is requested. */
  readonly rounds: number;
  /** The longest time for which a request may occupy the thread. */
  readonly mostMs: number;
}

export interface WaitsReport {
  readonly requests: number;
  /** Requests that occupied the thread for too long, and answers of 500 and more. */
  readonly faults: readonly string[];
}

/** How often an outlier is repeated, alone. */
const tries = 5;
const token = 'fuzz-token';

/** A query may take long if it lets other requests through. */
const patienceMs = 300_000;

/** Sends bodies near every limit and queries near every budget, one by one, to a platform that measures itself. */
export async function waits({ seed, records, rounds, mostMs }: WaitsOptions): Promise<WaitsReport> {
  const options = { token, clock: 'virtual', readyAfterMs: 0 };
  const server = fork(new URL('./meteredServer.ts', import.meta.url).pathname, [JSON.stringify(options)]);
  const [{ url }] = await once(server, 'message');
  const wire = new Wire(url, token, patienceMs);
  const faults: string[] = [];
  let requests = 0;

  async function held(sent: Sent): Promise<number> {
    await longestOf(server);
    const outcome = await wire.send(sent).then(
      ({ status, text }) => (status >= 500 ? `${status} ${text.slice(0, 200)}` : ''),
      (error: unknown) => `no answer: ${error}`,
    );
    if (outcome !== '') faults.push(`${described(sent)}: ${outcome}`);
    requests += 1;
    return longestOf(server);
  }

  async function tried(next: () => Promise<Sent>): Promise<void> {
    const sent = await next();
    let leastMs = await held(sent);
    // Compilation and garbage collection are not work of the request, which is the same each time.
    for (let again = 0; again < tries && leastMs > mostMs; again += 1)
      leastMs = Math.min(leastMs, await held(await next()));
    if (leastMs > mostMs) faults.push(`${described(sent)}: ${leastMs.toFixed(0)} ms`);
  }

  try {
    const world = new World(wire, new Dice(seed), 'w0');
    await world.prepare();
    await crowd(wire, world.ground.gvc, records);
    for (const path of largeReads) await tried(async () => ({ method: 'GET', path }));
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, route] of asked.entries()) {
        // A repetition makes the same choices, with other records.
        await tried(() => largeRequest(route, world, new Dice(`${seed} ${round} ${at}`)));
      }
      await world.tidy();
    }
    return { requests, faults };
  } finally {
    await wire.close();
    server.disconnect();
  }
}

/** Routes with a body. Injected faults would hit all others, and a snapshot would remove the records. */
const asked = routes.filter(({ body, id }) => body !== undefined && id !== 'faults.set' && id !== 'snapshot.load');

async function largeRequest(route: Route, world: World, dice: Dice): Promise<Sent> {
  const { path, body = {} } = await validRequest(route, world);
  const { method, mostBodyBytes = maxBodyBytes } = route;
  const large =
    route.body === 'query' && dice.percent(70)
      ? largeQuery(dice)
      : route.body === 'patch' && dice.percent(50)
        ? largePatch(dice)
        : enlarged(body, dice, mostBodyBytes);
  return { method, path, body: JSON.stringify(large) };
}

async function longestOf(server: ChildProcess): Promise<number> {
  server.send('longest');
  const [{ longestMs }] = await once(server, 'message');
  return Number(longestMs);
}

function described({ method, path, body = '' }: Sent): string {
  const shown = body.length > 240 ? `${body.slice(0, 200)} … ${body.slice(-40)}` : body;
  return `${method} ${path} (${body.length} bytes) ${shown}`;
}
