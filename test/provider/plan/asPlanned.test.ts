import { expect, it, onTestFinished } from 'vitest';
import { type ObjectValue, unknown } from '../../../src/hcl/value.ts';
import { asPlanned } from '../../../src/provider/services/applyChange.ts';
import { startServer } from '../../../src/server/start.ts';
import { startProxy } from '../../e2e/harness/proxy.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { startCalls } from '../harness/calls.ts';

const folder = temporaryFolder('as-planned');

const planned: ObjectValue = { a: 'x', b: unknown, c: '50m', spec: { items: [{ a: '1', d: '5' }] } };
const found: ObjectValue = { a: 'x', b: 'y', c: '100m', spec: { items: [{ a: '2', d: '15' }] } };

it('a field stored otherwise than declared is an error at its attribute; an unknown value may become anything', () => {
  const config: ObjectValue = { a: 'x', b: null, c: '50m', spec: { items: [{ a: '1', d: '5' }] } };
  const { state, planDiagnostics: told } = asPlanned('group/ops', { planned, config, found, hidden: [] });
  expect(told.map(({ severity, path }) => [severity, path])).toEqual([
    ['error', ['c']],
    ['error', ['spec', 'items', 0, 'a']],
    ['error', ['spec', 'items', 0, 'd']],
  ]);
  expect(state).toEqual(found);
  expect(asPlanned('group/ops', { planned: found, config, found, hidden: [] }).planDiagnostics).toEqual([]);
});

it('an attribute that is not configured stays as planned, with a warning that shows the value of the platform', () => {
  const config: ObjectValue = { a: 'x', b: null, c: null, spec: { items: [{ a: '2', d: null }] } };
  const plan = { ...planned, spec: { items: [{ a: '2', d: '5' }] } };
  const { state, planDiagnostics: told } = asPlanned('group/ops', { planned: plan, config, found, hidden: [] });
  expect(told.map(({ severity, path }) => [severity, path])).toEqual([
    ['warning', ['c']],
    ['warning', ['spec', 'items', 0, 'd']],
  ]);
  expect(told[1]?.detail).toContain(
    'group/ops: it filled in "15" for spec.items[0].d, which the configuration leaves out',
  );
  expect(state).toEqual({ ...found, c: '50m', spec: { items: [{ a: '2', d: '5' }] } });
});

it('the warning shows no secret that the platform repeats in another attribute', async () => {
  const platform = await startServer({ port: 0, noAuth: true });
  onTestFinished(() => platform.close());
  const proxy = await startProxy(platform.url, async ({ method, path, isWrite, body }) => {
    if (!isWrite) return 'pass';
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(new URL(path, platform.url), { method, headers, body });
    return { status: answer.status, body: { ...JSON.parse(await answer.text()), description: `it has ${body}` } };
  });
  onTestFinished(() => proxy.close());
  const calls = await startCalls(folder);
  await calls.configure({ endpoint: proxy.url, org: 'local' });
  const config = { name: 'key', type: 'opaque', data: { opaque: { payload: 'hunter2' } } };
  const { diagnostics } = await calls.apply(
    'gantry_secret',
    config,
    undefined,
    await calls.plan('gantry_secret', config),
  );
  expect(diagnostics).toMatchObject([
    { severity: 'warning', summary: 'The platform has another default than planned' },
  ]);
  expect(diagnostics[0]?.detail).toContain('it filled in "it has {');
  expect(JSON.stringify(diagnostics)).not.toContain('hunter2');
});
