import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { usePlatform } from '../../e2e/harness/usePlatform.ts';
import { startCollector } from '../../integrations/tracing/collectorStandIn.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { writeNewStore } from '../newStore.ts';
import { openTown, writeStack } from '../town.ts';

const platform = usePlatform();
const collector = await startCollector();
const folder = temporaryFolder('reconcile-traces');

afterEach(() => collector.forget());

test('each run is its own trace, with the id of history and log, and contains its phases and requests', async () => {
  await writeNewStore(join(folder, '.gantry/reconcile'));
  writeStack(folder, 'seen', { 'seen-1': 'one' });
  writeStack(folder, 'broken', {});
  writeFileSync(join(folder, 'broken/groups.yaml'), 'kind: group\nname: 7\n');
  writeFileSync(
    join(folder, 'reconcile.yaml'),
    'stacks: { seen: { folder: seen, mode: auto }, broken: { folder: broken, mode: auto } }\n',
  );
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    // The trace of a pipeline would make all runs one trace.
    TRACEPARENT: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  };
  const ended = await inProcess(platform, ['reconcile', 'once'], { cwd: folder, env });
  expect(ended.code).toBe(1);

  await using town = await openTown(platform.url, { kind: 'folder', folder: join(folder, '.gantry/reconcile') });
  const [seen] = await town.board.runs('seen');
  const [broken] = await town.board.runs('broken');
  const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  expect(roots.map(({ name }) => name)).toEqual(['gantry reconcile', 'gantry reconcile']);
  const rootOf = (id = '') => roots.find(({ attributes }) => attributes['gantry.run.id'] === id);
  expect(rootOf(seen?.id)).toMatchObject({
    attributes: {
      'gantry.stack': 'seen',
      'gantry.worker': seen?.worker,
      'gantry.fence': 1,
      'gantry.outcome': 'applied',
    },
    status: 0,
  });
  expect(rootOf(broken?.id)).toMatchObject({
    attributes: { 'gantry.stack': 'broken', 'gantry.outcome': 'failed', 'error.type': broken?.error?.code },
    status: 2,
  });
  expect(rootOf(seen?.id)?.traceId).not.toBe(rootOf(broken?.id)?.traceId);
  const logged = ended.stderr.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  const ids = logged.flatMap(({ run, stack }) => (run === undefined ? [] : [`${stack} ${run}`]));
  expect(ids.toSorted()).toEqual([`broken ${broken?.id}`, `seen ${seen?.id}`]);

  const within = (root: ReturnType<typeof rootOf>) =>
    collector.spans.filter(({ traceId, spanId }) => traceId === root?.traceId && spanId !== root?.spanId);
  const spans = within(rootOf(seen?.id));
  const phases = spans.filter(({ kind }) => kind === 1);
  expect(phases.map(({ name }) => name).toSorted()).toEqual(['apply', 'fetch', 'load', 'plan']);
  const phaseOf = (id: string | undefined) => phases.find(({ spanId }) => spanId === id)?.name;
  const created = spans.filter(({ attributes }) => attributes['http.response.status_code'] === 201);
  expect(created.map(({ name, parentSpanId }) => [name, phaseOf(parentSpanId)])).toEqual([['POST', 'apply']]);
  expect(spans.filter(({ kind }) => kind === 3)).toHaveLength(seen?.requests ?? 0);
  expect(within(rootOf(broken?.id)).map(({ name }) => name)).toEqual(['fetch', 'load']);
});

test('an unreachable collector is reported once, and blocks nothing', async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
  const ended = await inProcess(platform, ['reconcile', 'once', 'seen'], { cwd: folder, env });
  expect(ended.code).toBe(0);
  expect(ended.stderr).toContain('"level":"warn","message":"note: not all traces were taken by http://127.0.0.1:1"');
});
