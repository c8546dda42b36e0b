import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isCreatableKind } from '../../src/schema/record/kinds.ts';
import type { Route } from '../../src/server/http/dispatch/route.ts';
import { routes } from '../../src/server/routeTable.ts';
import { startServer } from '../../src/server/start.ts';
import { Dice } from './dice.ts';
import { mutated, randomBody } from './mutate.ts';
import { operationOf, validRequest } from './validRequest.ts';
import { type Answered, type Sent, Wire } from './wire.ts';
import { World } from './world.ts';

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: string;
}

interface Count {
  sent: number;
  /** Requests that were sent neither changed nor random. */
  valid: number;
  succeeded: number;
}

export interface FuzzReport {
  readonly requests: number;
  /** Answers of 500 and more, refusals in another form, and requests without an answer. */
  readonly faults: readonly string[];
  readonly counts: ReadonlyMap<string, Count>;
  readonly unhandled: readonly string[];
  /** MiB of the heap after a collection: after a third of the requests, and at the end. */
  readonly heap: readonly [number, number];
}

const workers = 4;
const token = 'fuzz-token';

/** Valid, changed and random requests on every route of a platform in memory. */
export async function fuzz({ requests, seed }: FuzzOptions): Promise<FuzzReport> {
  const unhandled: string[] = [];
  const note = (error: unknown) => unhandled.push(String(error));
  process.on('unhandledRejection', note);
  const server = await startServer({ port: 0, token, clock: 'virtual', readyAfterMs: 0, metrics: true });
  const wire = new Wire(server.url, token);
  const faults: string[] = [];
  const counts = new Map<string, Count>(routes.map(({ id }) => [id, { sent: 0, valid: 0, succeeded: 0 }]));
  let sent = 0;
  let heapEarly = 0;

  /** The audit event of each request makes the state larger, so a long run reads it as seldom as a short one. */
  const pause = Math.max(400, Math.floor(requests / 50));

  /** Every route has its turn, in a random order: random choices would omit some routes. */
  const turns = new Dice(`${seed}-turns`);
  let turn: Route[] = [];
  function chosen(number: number): Route {
    if (turn.length === 0) turn = [...weighted];
    const place = turns.whole(turn.length);
    const route = number % pause === 0 ? seldom[(number / pause) % seldom.length] : turn.splice(place, 1)[0];
    if (route === undefined) throw new Error('no routes');
    return route;
  }

  /** The first round is valid. */
  function seldomIsValid(number: number): boolean {
    return Math.floor(number / pause / seldom.length) % 2 === 0;
  }

  async function work(index: number): Promise<void> {
    const world = new World(wire, new Dice(`${seed}-${index}`), `w${index}`);
    await world.prepare();
    while (sent < requests) {
      const number = sent;
      sent += 1;
      if (number === Math.floor(requests / 3)) heapEarly = heapMiB();
      const route = chosen(number);
      const isValid = isSeldom(route) ? seldomIsValid(number) : world.dice.percent(60);
      const outcome = await one(route, isValid, world);
      if (outcome.fault !== undefined) faults.push(outcome.fault);
      const count = counts.get(route.id);
      if (count !== undefined) {
        count.sent += 1;
        if (isValid) count.valid += 1;
        if (isValid && outcome.succeeded) count.succeeded += 1;
      }
      if (number % 50 === index) await world.prepare();
      if (number % 100 === index) await world.tidy();
    }
  }

  try {
    await Promise.all(Array.from({ length: workers }, (_, index) => work(index)));
    return { requests: sent, faults, counts, unhandled, heap: [heapEarly, heapMiB()] };
  } finally {
    await wire.close();
    await server.close();
    process.off('unhandledRejection', note);
  }
}

function isSeldom({ id }: Route): boolean {
  return id.startsWith('snapshot.') || id.startsWith('org.create');
}

/** Routes that write have twice the weight; those that read or replace the whole state have little. */
const weighted: readonly Route[] = routes.flatMap((route) => {
  if (isSeldom(route)) return [];
  return route.method === 'GET' ? [route] : [route, route];
});
const seldom: readonly Route[] = routes.filter(isSeldom);

async function one(
  route: Route,
  isValid: boolean,
  world: World,
): Promise<{ readonly succeeded: boolean; readonly fault?: string }> {
  const { dice } = world;
  const valid = await validRequest(route, world);
  // Injected faults would hit the other requests.
  const isKept = isValid || route.id === 'faults.set';
  const sent = isKept ? asSent(route, valid) : spoilt(route, valid, dice);
  const answer = await world.wire.send(sent).catch((error: unknown) => String(error));
  if (typeof answer === 'string') return { succeeded: false, fault: `${described(sent)}: no answer: ${answer}` };
  const succeeded = answer.status < 300;
  remember(route, valid.name, world, succeeded && isKept);
  const fault = faultOf(answer);
  return fault === undefined ? { succeeded } : { succeeded, fault: `${described(sent)}: ${fault}` };
}

function asSent({ method }: Route, { path, body }: { readonly path: string; readonly body?: unknown }): Sent {
  return body === undefined ? { method, path } : { method, path, body: JSON.stringify(body) };
}

const oddPaths = ['%00', '%2e%2e', '-x', '%F0%9F%92%A5', 'a'.repeat(300), '__proto__', '%', ' '];
const oddQueries = ['?limit=0', '?limit=x', '?next=x', '?next=e30', '?query=e30', '?query=%00', '?dryRun=true', '?a=%'];

function spoilt(route: Route, valid: { readonly path: string; readonly body?: unknown }, dice: Dice): Sent {
  const sent = asSent(route, valid);
  if (dice.percent(60) && sent.body !== undefined) {
    return { ...sent, body: JSON.stringify(mutated(JSON.parse(sent.body), dice)) };
  }
  if (dice.percent(50)) return { ...sent, body: randomBody(dice) };
  if (dice.percent(50)) return { ...sent, path: sent.path + (dice.any(oddQueries) ?? '') };
  const parts = sent.path.split('/');
  return {
    ...sent,
    path: parts
      .with(dice.whole(parts.length - 1) + 1, dice.any(oddPaths) ?? '')
      .join('/')
      .replaceAll(' ', '%20'),
  };
}

function remember({ kind, id }: Route, name: string | undefined, world: World, done: boolean): void {
  if (!done || kind === undefined || name === undefined || !isCreatableKind(kind)) return;
  const operation = id.split('.').at(-1);
  if (operation === 'create' || operation === 'upsert') world.made(kind, name);
  if (id === `${kind}.delete`) world.gone(kind, name);
}

function faultOf({ status, text, body }: Answered): string | undefined {
  if (status >= 500) return `${status} ${text.slice(0, 200)}`;
  if (status < 400) return undefined;
  const { status: stated, message, id } = body;
  if (stated === status && typeof message === 'string' && typeof id === 'string' && !text.includes('    at '))
    return undefined;
  return `a refusal without its form: ${status} ${text.slice(0, 200)}`;
}

function described({ method, path, body = '' }: Sent): string {
  return `${method} ${path} ${body.slice(0, 300)}`;
}

export function writable(): readonly Route[] {
  return routes.filter((route) => route.method !== 'GET' && operationOf(route) !== 'none');
}

function heapMiB(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
