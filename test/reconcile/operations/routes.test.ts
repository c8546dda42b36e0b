import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { reconcileMetrics } from '../../../src/reconcile/http/metrics.ts';
import { operationRoutes } from '../../../src/reconcile/http/operations.ts';
import type { BoardFigures, EndedRun, StackState, StackSummary, TargetState } from '../../../src/reconcile/model.ts';

const startMs = 1_000_000;

function stack(name: string, state: Partial<StackState>): StackSummary {
  const source = { kind: 'folder', path: '/srv' } as const;
  return {
    entry: { name, source, mode: 'auto', intervalMs: 60_000, jitterMs: 0, after: [] },
    state: { state: 'in line', sinceMs: 0, failures: 0, ...state },
  };
}

const board: {
  readonly stacks: readonly StackSummary[];
  readonly figures: BoardFigures;
  readonly ended: readonly EndedRun[];
  readonly targets: readonly TargetState[];
} = {
  targets: [
    { name: 'chat', delivered: 8, waiting: 0, lost: 0 },
    {
      name: 'down',
      delivered: 1,
      waiting: 5,
      lost: 2,
      failing: { sinceMs: startMs - 60_000, because: 'it answered 500' },
    },
  ],
  stacks: [
    stack('a', { lastSuccessMs: startMs - 90_000 }),
    stack('b "quoted"\n', { state: 'drifted', drifted: 3, lastSuccessMs: startMs + 5_000 }),
    stack('new', { state: 'failing', failures: 4 }),
  ],
  figures: { queued: 7, active: 2, requests: 40, hours: [] },
  ended: [
    { id: 'before', startMs: startMs - 9_000, endMs: startMs - 1, outcome: 'applied' },
    { id: 'one', startMs, endMs: startMs + 3_000, outcome: 'applied' },
    { id: 'two', startMs, endMs: startMs + 3_000, outcome: 'failed' },
  ],
};

function metricsOf(given: () => typeof board) {
  const metrics = reconcileMetrics(
    {
      list: () => Promise.resolve(given().stacks),
      figures: () => Promise.resolve(given().figures),
      ended: (sinceMs) => Promise.resolve(given().ended.filter(({ endMs }) => endMs >= sinceMs)),
      targets: () => Promise.resolve(given().targets),
    },
    () => startMs,
  );
  const lines = async (): Promise<readonly string[]> => (await metrics.text()).split('\n');
  return { metrics, lines };
}

test('metrics contain the age of the last success, drift, states, queue, requests and runs', async () => {
  const { lines } = metricsOf(() => board);
  expect(await lines()).toEqual(
    expect.arrayContaining([
      'gantry_reconcile_last_success_age_seconds{stack="a"} 90',
      'gantry_reconcile_last_success_age_seconds{stack="b \\"quoted\\"\\n"} 0',
      'gantry_reconcile_drifted_resources{stack="b \\"quoted\\"\\n"} 3',
      'gantry_reconcile_failures{stack="new"} 4',
      'gantry_reconcile_stacks{state="in line"} 1',
      'gantry_reconcile_stacks{state="drifted"} 1',
      'gantry_reconcile_stacks{state="paused"} 0',
      'gantry_reconcile_queue_length{state="queued"} 7',
      'gantry_reconcile_queue_length{state="active"} 2',
      'gantry_reconcile_requests_total 40',
      'gantry_reconcile_run_seconds_count{outcome="applied"} 1',
      'gantry_reconcile_run_seconds_sum{outcome="failed"} 3',
      'gantry_reconcile_notifications_waiting{target="down"} 5',
      'gantry_reconcile_notifications_failing_seconds{target="down"} 60',
      'gantry_reconcile_notifications_failing_seconds{target="chat"} 0',
      'gantry_reconcile_notifications_total{target="chat",result="delivered"} 8',
      'gantry_reconcile_notifications_total{target="down",result="lost"} 2',
    ]),
  );
  expect((await lines()).join('\n')).not.toContain('age_seconds{stack="new"}');
});

test('a run counts once however often metrics are read, even if it is seen late; a removed stack is not listed', async () => {
  let now = board;
  const { lines } = metricsOf(() => now);
  await Promise.all([lines(), lines(), lines()]);
  expect(await lines()).toContain('gantry_reconcile_run_seconds_count{outcome="applied"} 1');
  const [first] = board.stacks;
  const next = { id: 'next', startMs, endMs: startMs + 100_000, outcome: 'applied' } as const;
  now = { ...board, stacks: first === undefined ? [] : [first], ended: [...board.ended, next] };
  await lines();
  const late = { id: 'late', startMs, endMs: startMs + 50_000, outcome: 'applied' } as const;
  now = { ...now, ended: [...board.ended, late, next] };
  await lines();
  const after = await lines();
  expect(after).toContain('gantry_reconcile_run_seconds_count{outcome="applied"} 3');
  expect(after.filter((line) => line.includes('stack="'))).toHaveLength(3);
});

interface Served {
  ask(path: string, method?: string): Promise<readonly [number, string]>;
}

async function serve(
  more: { readonly mayRead?: boolean; readonly unready?: () => Promise<string | undefined> } = {},
): Promise<Served> {
  const route = operationRoutes({
    metrics: metricsOf(() => board).metrics,
    mayRead: () => Promise.resolve(more.mayRead ?? true),
    unready: more.unready ?? (() => Promise.resolve(undefined)),
    webhooks: async (_, response) => void response.writeHead(202).end('taken'),
  });
  const server = createServer((request, response) => {
    void route(request, response).then((isTaken) => isTaken || response.writeHead(404).end('another'));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  onTestFinished(() => server.closeAllConnections());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    async ask(path, method = 'GET') {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
      return [response.status, await response.text()];
    },
  };
}

test('health describes the process, readiness also the store, and other paths are not handled', async () => {
  const { ask } = await serve();
  expect(await ask('/-health')).toEqual([200, 'ok\n']);
  expect(await ask('/-ready?full')).toEqual([200, 'ready\n']);
  expect(await ask('/-hooks', 'POST')).toEqual([202, 'taken']);
  expect(await ask('/')).toEqual([404, 'another']);
  expect(await ask('/-metrics', 'POST')).toEqual([404, 'another']);
  const ending = await serve({ unready: () => Promise.resolve('it is ending') });
  expect(await ending.ask('/-ready')).toEqual([503, 'it is ending\n']);
  const down = await serve({ unready: () => Promise.reject(new Error('postgres://user:password@host')) });
  expect(await down.ask('/-ready')).toEqual([503, 'the store does not answer\n']);
  expect(await down.ask('/-health')).toEqual([200, 'ok\n']);
});

test('metrics contain names of stacks, so a caller who cannot read gets none', async () => {
  expect((await (await serve()).ask('/-metrics'))[1]).toContain('gantry_reconcile_stacks{state="in line"} 1');
  expect(await (await serve({ mayRead: false })).ask('/-metrics')).toEqual([401, 'a token is needed\n']);
});
