import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../../src/server/start.ts';
import { startProxy, type Verdict } from '../../e2e/harness/proxy.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { errorsOf, startCalls } from '../harness/calls.ts';

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
  expect(errorsOf(applied.told)).toEqual([summary]);
  const [error] = applied.told;
  expect(error?.detail).toContain('no plan shows it');
  expect(error?.detail).toContain('gantry serviceaccount remove-key bot --key NAME');
  expect(error?.detail).not.toContain('new plan shows');
  expect(applied.state).toBeUndefined();
});
