import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt } from '../../../src/base/json/json.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { compiledSources } from '../durability/servers.ts';
import { names, type TestPlatform, testPlatform } from '../platform.ts';

const count = 2_000;
const folder = temporaryFolder('load');
let platform: TestPlatform;
/** A state with `count` GVCs. */
let large: JsonObject;
beforeAll(async () => {
  platform = await testPlatform();
  await platform.send('POST', 'gvc', { name: 'model', description: 'x'.repeat(200) });
  const { body } = await platform.send('GET', '/-snapshot?secrets=true');
  await platform.send('DELETE', 'gvc/model');
  await platform.send('POST', 'gvc', { name: 'old' });
  large = withRecords(body, (records) => {
    const model = records.find((row) => row['kind'] === 'gvc') ?? {};
    const copies = Array.from({ length: count }, (_, at) => {
      const name = `new-${at}`;
      return { ...model, name, uid: name, record: { ...objectAt(model, 'record'), name } };
    });
    return [...records.filter((row) => row !== model), ...copies];
  });
});
afterAll(() => platform.close());

function withRecords(body: JsonObject, change: (records: readonly JsonObject[]) => readonly JsonObject[]): JsonObject {
  const local = objectAt(objectAt(body, 'orgs'), 'local');
  const records = change(listAt(local, 'records').filter(isObject));
  return { ...body, orgs: { local: { ...local, records } } };
}

test('a problem at the very end of a large state leaves everything unchanged', async () => {
  const bad = withRecords(large, (records) => [...records, { kind: 'gvc', name: 'bad' }]);
  const whole = JSON.stringify(bad);
  const good = JSON.stringify(large);
  const sameId = good.replace('"uid":"new-1999"', '"uid":"new-1998"');
  const samePlace = good.replace('"name":"new-1999"', '"name":"new-1998"');
  for (const text of [whole, good.slice(0, -2), `${good}}`, sameId, samePlace]) {
    const { status } = await platform.send('PUT', '/-snapshot', text);
    expect([status, names(await platform.send('GET', 'gvc'))]).toEqual([400, ['old']]);
  }
  const twice = JSON.stringify(large).replace('{"local":', '{"local":{"facts":{"created":"1"}},"local":');
  expect((await platform.send('PUT', '/-snapshot', twice)).status).toBe(400);
});

test.each([
  ['version', 1.5, 'must be a whole number from 0 to 9007199254740991'],
  ['createdMs', 1e300, 'must be a whole number from 0 to 8640000000000000'],
  ['modifiedMs', -1, 'must be a whole number from 0 to 8640000000000000'],
  ['name', 'a\0b', 'must not contain the character NUL'],
])('a record whose %s is %j is refused at its place', async (member, value, message) => {
  const bad = withRecords(large, (records) => records.map((row) => ({ ...row, [member]: value })).slice(0, 1));
  const { status, body } = await platform.send('PUT', '/-snapshot', bad);
  expect(status).toBe(400);
  const path = `orgs.local.records.0.${member}`;
  expect(listAt(objectAt(body, 'details'), 'problems')).toContainEqual(expect.objectContaining({ path, message }));
});

test('an unknown job is refused at its place', async () => {
  const work = { key: 'x', atMs: 1, job: 'volume.grwoth', about: {} };
  const local = { ...objectAt(objectAt(large, 'orgs'), 'local'), due: [work] };
  const { status, body } = await platform.send('PUT', '/-snapshot', { ...large, orgs: { local } });
  expect(status).toBe(400);
  const path = 'orgs.local.due.0.job';
  expect(listAt(objectAt(body, 'details'), 'problems')).toContainEqual(expect.objectContaining({ path }));
});

test('other requests are answered from the old state until a new one is loaded', async () => {
  const seen: unknown[] = [];
  let isLoaded = false;
  const loading = platform.send('PUT', '/-snapshot', large).then(({ status }) => {
    isLoaded = true;
    return status;
  });
  while (!isLoaded) {
    const answers = [await platform.send('GET', 'gvc/old'), await platform.send('GET', 'gvc/new-0')];
    seen.push(answers.map(({ status }) => status).join());
  }
  expect(await loading).toBe(200);
  expect(seen.length).toBeGreaterThan(5);
  // The state can change between the two requests of one turn.
  expect(seen.map((pair) => `${pair} `).join('')).toMatch(/^(200,404 )+(200,200 )?(404,200 )*$/);
  expect(names(await platform.send('GET', 'gvc?limit=1000'))).toHaveLength(1_000);
  expect(await platform.send('GET', 'gvc/old')).toMatchObject({ status: 404 });
  expect((await platform.send('POST', 'gvc', { name: 'after' })).status).toBe(201);
  const creations = '/audit/org/local?resourceType=gvc&actionType=create';
  for (const path of [creations, '/audit/org/local/resource/name/after']) {
    const { status, body } = await platform.send('GET', path);
    expect([path, status, listAt(body, 'items').length > 0]).toEqual([path, 200, true]);
  }
});

test('spaces, line breaks and the order of members do not matter', async () => {
  const few = withRecords(large, (records) => records.slice(0, -count + 3));
  const orgs = objectAt(few, 'orgs');
  const { records, facts, ...more } = objectAt(orgs, 'local');
  const text = JSON.stringify({ orgs: { local: { ...more, records, facts } }, format: 1 }, undefined, '\t');
  expect((await platform.send('PUT', '/-snapshot', `\n${text}\r\n`)).status).toBe(200);
  expect(names(await platform.send('GET', 'gvc'))).toEqual(['new-0', 'new-1', 'new-2']);
});

test.each([1, 15, 40])(
  'a server that is killed while it loads, after %d answers, has the old state or the new one',
  async (answers) => {
    const data = join(folder, `killed-${answers}.db`);
    const begun = await testPlatform({ data });
    await begun.send('POST', 'gvc', { name: 'old' });
    await begun.close();
    const options = JSON.stringify({ data, token: 'secret-token' });
    const child = fork(new URL('../durability/serverProcess.ts', import.meta.url).pathname, [options], {
      env: { ...process.env, ...compiledSources },
    });
    const [{ url }] = await once(child, 'message');
    const headers = { authorization: 'secret-token' };
    const loading = fetch(`${url}/-snapshot`, { method: 'PUT', headers, body: JSON.stringify(large) }).catch(
      () => 'lost',
    );
    for (let sent = 0; sent < answers; sent += 1) await (await fetch(`${url}/org/local/gvc/old`, { headers })).text();
    child.kill('SIGKILL');
    await Promise.all([once(child, 'exit'), loading]);
    const again = await testPlatform({ data });
    const [first, ...others] = names(await again.send('GET', 'gvc?limit=1000'));
    expect([first, others.length]).toEqual(first === 'old' ? ['old', 0] : ['new-0', 999]);
    expect((await again.send('PUT', '/-snapshot', large)).status).toBe(200);
    expect((await again.send('GET', 'gvc/old')).status).toBe(404);
    await again.close();
  },
);
