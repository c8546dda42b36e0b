import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { textAt, unknown } from '../../../src/hcl/value.ts';
import { descriptionProblems, serviceAccountKey } from '../../../src/provider/changes/serviceAccountKey.ts';
import { startServer } from '../../../src/server/start.ts';
import { startProxy, type Verdict } from '../../e2e/harness/proxy.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { type Calls, errorsOf, startCalls } from '../harness/calls.ts';

const folder = temporaryFolder('service-account-key');

it.each<[string, Verdict]>([
  ['The answer with a new key of serviceaccount/bot was lost', 'cut-after'],
  ['The platform has answered with no key of serviceaccount/bot', { status: 200, body: {} }],
])('a creation that fails with "%s" says how to find and remove the key', async (summary, verdict) => {
  const platform = await startServer({ port: 0, noAuth: true, readyAfterMs: 0 });
  const proxy = await startProxy(platform.url, ({ path }) => (path.endsWith('/-addKey') ? verdict : 'pass'));
  onTestFinished(async () => {
    await proxy.close();
    await platform.close();
  });
  const calls = await startCalls(folder);
  await calls.configure({ endpoint: proxy.url, org: 'local' });
  await calls.run('gantry_serviceaccount', { name: 'bot' });
  const type = 'gantry_service_account_key';
  const config = { serviceaccount: 'bot', description: 'for CI' };
  const applied = await calls.apply(type, config, undefined, await calls.plan(type, config));
  expect(errorsOf(applied.diagnostics)).toEqual([summary]);
  const [error] = applied.diagnostics;
  expect(error?.detail).toContain('no plan shows it');
  expect(error?.detail).toContain('gantry serviceaccount remove-key bot --key NAME');
  expect(error?.detail).not.toContain('new plan shows');
  expect(applied.state).toBeUndefined();
});

it('after an apply that was killed while it created a key, the next one names what may be left', async () => {
  const platform = await startServer({ port: 0, noAuth: true, readyAfterMs: 0 });
  onTestFinished(() => platform.close());
  const [type, config] = ['gantry_service_account_key', { serviceaccount: 'bot', description: 'for CI' }];
  const start = async (): Promise<Calls> => {
    const calls = await startCalls(join(folder, 'killed'));
    await calls.configure({ endpoint: platform.url, org: 'local' });
    return calls;
  };
  const create = async (calls: Calls) => calls.apply(type, config, undefined, await calls.plan(type, config));
  const killed = await start();
  await killed.run('gantry_serviceaccount', { name: 'bot' });
  const [lost, ofTheSameApply] = [await create(killed), await create(killed)];
  expect(ofTheSameApply.diagnostics).toEqual([]);

  const next = await start();
  const { state = {}, diagnostics } = await create(next);
  expect(diagnostics).toEqual([
    {
      severity: 'warning',
      summary: 'serviceaccount/bot may have a key whose value was lost',
      detail: expect.anything(),
    },
  ]);
  expect(diagnostics[0]?.detail).toContain(`${textAt(lost.state, 'name')} (${textAt(lost.state, 'created')})`);
  expect(diagnostics[0]?.detail).not.toContain(textAt(state, 'name'));
  expect(diagnostics[0]?.detail).toContain('gantry serviceaccount remove-key bot --key NAME');

  // A refresh shows that a state has it.
  await (await start()).read(type, state);
  expect((await create(await start())).diagnostics).toEqual([]);
});

it.each([
  [2, []],
  [3, [expect.stringContaining('')]],
])('a removal is tried three times on conflicts: %i conflicts', async (most, errors) => {
  const platform = await startServer({ port: 0, noAuth: true, readyAfterMs: 0 });
  let conflicts = 0;
  const proxy = await startProxy(platform.url, ({ method }) => {
    if (method !== 'PATCH' || conflicts === most) return 'pass';
    conflicts += 1;
    return { status: 409 };
  });
  onTestFinished(async () => {
    await proxy.close();
    await platform.close();
  });
  const calls = await startCalls(folder);
  await calls.configure({ endpoint: proxy.url, org: 'local' });
  await calls.run('gantry_serviceaccount', { name: 'bot' });
  const type = 'gantry_service_account_key';
  const state = await calls.run(type, { serviceaccount: 'bot', description: 'for CI' });
  const applied = await calls.apply(type, undefined, state, await calls.plan(type, undefined, state));
  expect(errorsOf(applied.diagnostics)).toEqual(errors);
  expect(applied.state).toEqual(errors.length === 0 ? undefined : state);
});

const config = { serviceaccount: 'bot', description: 'for CI' };
const made = { ...config, name: 'k1', key: 's.k1', created: '2026-11-20T10:00:00Z', link: '/org/o/serviceaccount/bot' };
const open = { name: unknown, key: unknown, created: unknown, link: unknown };

// biome-ignore format: a row is a case
it.each([
  { it: 'a new one', prior: undefined, wanted: config, planned: { ...config, ...open }, replaces: [] },
  { it: 'one that stays', prior: made, wanted: config, planned: made, replaces: [] },
  ...[{ serviceaccount: 'other' }, { description: 'for CD' }].map((change) => ({ it: `another ${Object.keys(change)}`,
    prior: made, wanted: { ...config, ...change }, planned: { ...config, ...change, ...open },
    replaces: [Object.keys(change)] })),
  { it: 'one that goes', prior: made, wanted: undefined, planned: undefined, replaces: [] },
])('a plan of $it', ({ prior, wanted, planned, replaces }) => {
  expect(serviceAccountKey.plan(wanted, prior, { org: 'o' })).toEqual({
    planned,
    requiresReplace: replaces,
    diagnostics: [],
  });
});

it.each([
  ['x', 0],
  ['x'.repeat(250), 0],
  ['x'.repeat(251), 1],
  [' ', 1],
  ['', 1],
])('a description must have 1 to 250 characters, not only spaces: %j', (description, problems) => {
  expect(descriptionProblems({ ...config, description })).toHaveLength(problems);
});

it.each([
  ['bot/k1', { serviceaccount: 'bot', name: 'k1' }],
  ['bot', undefined],
  ['bot/', undefined],
  ['/k1', undefined],
  ['bot/k1/x', undefined],
])('an import of %s', (id, state) => {
  expect(serviceAccountKey.imported(id)).toEqual(state);
});
