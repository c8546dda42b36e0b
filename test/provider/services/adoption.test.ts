import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isObject, type JsonObject } from '../../../src/base/json/json.ts';
import { startServer } from '../../../src/server/start.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { errorsOf, startCalls } from '../harness/calls.ts';

const folder = temporaryFolder('adoption');
const type = 'gantry_group';

/** A group that an apply of this folder created, and that no state has; and the plan that takes it over. */
async function leftBehind(name: string) {
  const platform = await startServer({ port: 0, noAuth: true });
  onTestFinished(() => platform.close());
  const block = { endpoint: platform.url, org: 'local' };
  const first = await startCalls(join(folder, name));
  await first.configure(block);
  await first.run(type, { name: 'one', description: 'first' });
  const calls = await startCalls(join(folder, name));
  await calls.configure(block);
  const config = { name: 'one', description: 'second' };
  const plan = await calls.plan(type, config);
  expect(plan.diagnostics.map(({ summary }) => summary)).toEqual(['group/one exists already, and is taken over']);
  const call = (method: string, path: string, body?: object) =>
    fetch(`${platform.url}/org/local/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const live = async (): Promise<JsonObject> => {
    const record: unknown = await (await call('GET', 'group/one')).json();
    if (!isObject(record)) throw new Error('it is not there');
    return record;
  };
  return { calls, config, plan, call, live };
}

it('takes over the record that the plan found, by its id', async () => {
  const { calls, config, plan, live } = await leftBehind('same');
  const before = await live();
  const applied = await calls.apply(type, config, undefined, plan);
  expect(errorsOf(applied.diagnostics)).toEqual([]);
  expect(applied.state).toMatchObject({ id: before['id'], description: 'second' });
});

it('takes over no other record that got its name since, not even one with the same tags', async () => {
  const { calls, config, plan, call, live } = await leftBehind('other');
  const { tags = null } = await live();
  await call('DELETE', 'group/one');
  expect((await call('POST', 'group', { name: 'one', description: 'theirs', tags })).status).toBe(201);
  const theirs = await live();
  const applied = await calls.apply(type, config, undefined, plan);
  expect(applied.state).toBeUndefined();
  expect(errorsOf(applied.diagnostics)).toEqual([expect.stringContaining('group/one exists already')]);
  expect(await live()).toEqual(theirs);
});
