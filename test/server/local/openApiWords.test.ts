import { afterAll, beforeAll, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../../src/schema/json.ts';
import { routes } from '../../../src/server/routes/table.ts';
import { openApiDocument } from '../../../src/server/rules/openapi/document.ts';
import { testPlatform, type TestPlatform } from '../platform.ts';

const document = openApiDocument(routes, 'http://127.0.0.1');
const operations = new Map(
  routes.map(({ id, path, method }) => [
    id,
    objectAt(objectAt(objectAt(document, 'paths'), path), method.toLowerCase()),
  ]),
);

function exampleOf(id: string): JsonObject {
  const body = objectAt(operations.get(id) ?? {}, 'requestBody');
  return objectAt(objectAt(objectAt(body, 'content'), 'application/json'), 'example');
}

let platform: TestPlatform;
beforeAll(async () => {
  platform = await testPlatform();
});
afterAll(() => platform.close());

test.each([...operations])(
  '%s has a summary, a described tag, a description and described parameters',
  (_, described) => {
    expect(stringAt(described, 'summary')).toMatch(/^[A-Z][a-z]+ .{3,}[^.]$/);
    expect(stringAt(described, 'description')).toMatch(/.{15,}\.$/);
    const tags = listAt(document, 'tags').filter(isObject);
    const [tag] = listAt(described, 'tags');
    expect(stringAt(tags.find(({ name }) => name === tag) ?? {}, 'description')).toMatch(/.{15,}\.$/);
    for (const parameter of listAt(described, 'parameters').filter(isObject)) {
      expect(stringAt(parameter, 'description'), stringAt(parameter, 'name')).toMatch(/^.{5,}$/);
    }
  },
);

test('every body has an example', () => {
  const without = routes.filter(({ id, body }) => body !== undefined && Object.keys(exampleOf(id)).length === 0);
  expect(without.map(({ id }) => id)).toEqual([]);
});

test('no two operations of one tag have the same summary', () => {
  const said = [...operations.values()].map(
    (described) => `${listAt(described, 'tags')[0]}: ${stringAt(described, 'summary')}`,
  );
  expect(said.filter((text, at) => said.indexOf(text) !== at)).toEqual([]);
});

test('refusals are documented by status, with their codes and an example', () => {
  const responses = objectAt(operations.get('workload.create') ?? {}, 'responses');
  expect(Object.keys(responses)).toEqual([
    '201',
    '400',
    '401',
    '403',
    '404',
    '409',
    '413',
    '415',
    '429',
    '503',
    'default',
  ]);
  const conflict = objectAt(objectAt(objectAt(document, 'components'), 'responses'), 'Refused409');
  expect(stringAt(conflict, 'description')).toContain('- `already_exists`: The name is taken.');
  const example = objectAt(objectAt(objectAt(conflict, 'content'), 'application/json'), 'example');
  expect(example).toMatchObject({ status: 409, code: 'conflict' });
});

test('schemas of records have descriptions', () => {
  const schemas = objectAt(objectAt(document, 'components'), 'schemas');
  const properties = objectAt(objectAt(schemas, 'domain'), 'properties');
  expect(stringAt(objectAt(properties, 'version'), 'description')).toContain('409');
  const spec = objectAt(objectAt(properties, 'spec'), 'properties');
  expect(stringAt(objectAt(spec, 'dnsMode'), 'description')).toContain('cname');
});

const created = [
  'agent',
  'auditctx',
  'cloudaccount',
  'location',
  'gvc',
  'secret',
  'identity',
  'volumeset',
  'workload',
  'ipset',
  'domain',
  'group',
  'serviceaccount',
  'policy',
] as const;

/** The address of a route, as the examples fill it. */
function addressOf(id: string, more: Readonly<Record<string, string>> = {}): string {
  const path = routes.find((route) => route.id === id)?.path ?? '';
  const values: Readonly<Record<string, string>> = { org: 'local', gvc: 'shop', ...more };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

test('the examples are taken by the server, from creation to query', async () => {
  const refused: unknown[] = [];
  async function taken(id: string, method: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
    const { status, body } = await platform.send(method, addressOf(id, more), exampleOf(id));
    if (status >= 300) refused.push([id, status, body['message'], objectAt(body, 'details')['problems']]);
  }
  await platform.send('POST', '/org/local/domain/-simulate', {
    txt: [{ host: '_platform.example.com', value: 'local' }],
  });
  for (const kind of created) await taken(`${kind}.create`, 'POST');
  for (const kind of created) {
    const name = stringAt(exampleOf(`${kind}.create`), 'name') ?? '';
    await taken(`${kind}.upsert`, 'PUT', { name });
    await taken(`${kind}.replace`, 'PUT', { name });
    await taken(`${kind}.edit`, 'PATCH', { name });
    await taken(`${kind}.query`, 'POST');
  }
  await taken('org.edit', 'PATCH');
  await taken('org.replace', 'PUT');
  await taken('org.query', 'POST');
  await taken('org.create', 'POST');
  await taken('org.command.create', 'POST');
  await taken('audit.write', 'POST', { ctx: 'releases' });
  await taken('serviceaccount.addKey', 'POST', { name: 'deployer' });
  await taken('user.invite', 'POST');
  await taken('image.simulate', 'POST');
  await taken('image.edit', 'PATCH', { name: 'web:1' });
  await taken('image.replace', 'PUT', { name: 'web:1' });
  await taken('task.simulate', 'POST');
  await taken('domain.simulateDns', 'POST');
  await taken('domain.simulate', 'POST', { name: 'shop.example.com' });
  await taken('workload.simulate', 'POST', { name: 'web' });
  expect(refused).toEqual([]);
});
