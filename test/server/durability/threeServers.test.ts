import { setTimeout as passes } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../../src/base/json/json.ts';
import { type RunningPostgres, startPostgres } from '../postgres/startPostgres.ts';
import { expectAgreement } from './agreement.ts';
import { askingAny, Ended } from './manyEndpoints.ts';
import { ask, type ServerProcess, startProcess } from './servers.ts';
import { held, type Send, Told, writeOn } from './told.ts';

let postgres: RunningPostgres | undefined;
const servers: ServerProcess[] = [];
beforeAll(async () => {
  postgres = await startPostgres({ durable: true });
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await postgres?.stop();
});

const location = 'aws-us-west-2';
/** Each keeps 10 executions, enough for its share of the runs and one run of its schedule. */
const crons = ['tick-0', 'tick-1', 'tick-2', 'tick-3', 'tick-4', 'tick-5'];
const runsOfOne = 12;
const runsBeforeKill = 9;
const runPauseMs = 150;
/** Time until the next full minute on the servers' clock, so that the schedule runs during the load. */
const untilMinuteMs = 12_000;
const loadMs = 1_500;

const gvc: JsonObject = { name: 'shop', spec: { staticPlacement: { locationLinks: [`//location/${location}`] } } };
const workload = (name: string): JsonObject => ({
  name,
  spec: {
    type: 'cron',
    containers: [{ name: 'main', image: 'shop/tick:1' }],
    job: { schedule: '* * * * *', concurrencyPolicy: 'Allow', historyLimit: 10, restartPolicy: 'Never' },
  },
});

async function made(url: string, path: string, body: JsonObject): Promise<readonly unknown[]> {
  const said = await ask(url, 'POST', path, body);
  return [said.status, own(said.body, 'message')];
}

interface Run {
  readonly cron: string;
  readonly id: string;
}

interface Runs {
  readonly answered: Run[];
  /** Resolves when the server was killed. The last runs of each client are sent after that. */
  readonly killed: Promise<void>;
}

/** Sends run-now commands one after the other, and adds the answered ones. */
async function runSome(send: Send, first: number, { answered, killed }: Runs): Promise<void> {
  for (let turn = 0; turn < runsOfOne; turn += 1) {
    if (turn === runsBeforeKill) await killed;
    const cron = crons[(first + turn) % crons.length] ?? '';
    const body = { type: 'runCronWorkload', spec: { location } };
    const said = await send('POST', `gvc/shop/workload/${cron}/-command`, body);
    if (said.status === 201) answered.push({ cron, id: stringAt(said.body, 'id') ?? '' });
    await passes(runPauseMs);
  }
}

/** The names of the executions of a workload. */
async function executions(url: string, cron: string): Promise<readonly string[]> {
  const { body } = await ask(url, 'GET', `gvc/shop/workload/${cron}/deployment/${location}`);
  return listAt(objectAt(body, 'status'), 'jobExecutions')
    .filter(isObject)
    .map((execution) => stringAt(execution, 'name') ?? '');
}

/** A busy machine can miss the intended minute, so this allows for the next one. */
const patience = { timeout: 90_000, interval: 250 };

test('if one of three servers is killed under load, clients lose no write, and every job takes effect once', {
  timeout: 240_000,
}, async () => {
  const store = postgres?.freshUrl() ?? '';
  const aheadMs = 60_000 - (Date.now() % 60_000) - untilMinuteMs;
  for (let number = 0; number < 3; number += 1) {
    servers.push(startProcess({ store, secretKey: 'shared', readyAfterMs: 0, aheadMs }));
  }
  const urls = await Promise.all(servers.map(({ url }) => url));
  const [first = '', second = ''] = urls;
  expect(await made(first, 'gvc', gvc)).toEqual([201, undefined]);
  for (const cron of crons) {
    expect(await made(second, 'gvc/shop/workload', workload(cron))).toEqual([201, undefined]);
  }

  const told = new Told();
  const runs: Run[] = [];
  const killed = Promise.withResolvers<void>();
  let ends = false;
  const clients = Array.from({ length: 9 }, (_, number) => {
    return writeOn(
      askingAny(urls, number, told, () => ends),
      told,
      `c${number}`,
    );
  });
  const runners = urls.map((_, number) =>
    runSome(
      askingAny(urls, number, told, () => false),
      2 * number,
      { answered: runs, killed: killed.promise },
    ),
  );
  const all = Promise.allSettled(clients);
  await passes(loadMs);
  await expect.poll(() => runs.length).toBeGreaterThan(0);
  const runsBefore = runs.length;
  await servers[0]?.kill();
  killed.resolve();
  await passes(loadMs);
  ends = true;
  await Promise.all(runners);
  for (const one of await all) expect(one.status === 'rejected' && one.reason).toBeInstanceOf(Ended);

  expect(runs.length).toBeGreaterThan(runsBefore);
  expect(told.unanswered).toBeGreaterThan(0);
  expectAgreement(told, await held(second));
  expect(await held(urls[2] ?? '')).toEqual(await held(second));

  // No client sends requests now, so the other servers do the killed server's jobs on their own, within seconds.
  const stages = async () => {
    const said = await Promise.all(
      runs.map(({ cron, id }) => ask(second, 'GET', `gvc/shop/workload/${cron}/-command/${id}`)),
    );
    return new Set(said.map(({ body }) => own(body, 'lifecycleStage')));
  };
  await expect.poll(stages, patience).toEqual(new Set(['completed']));
  for (const cron of crons) {
    const commands = runs.filter((run) => run.cron === cron).map(({ id }) => `command-${id}`);
    const scheduled = async () => (await executions(second, cron)).filter((name) => !name.startsWith('command-'));
    await expect.poll(async () => (await scheduled()).length, patience).toBeGreaterThan(0);
    const names = await executions(second, cron);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(commands));
  }
});
