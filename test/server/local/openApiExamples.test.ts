import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../../src/base/json/json.ts';
import { container, platformForAll } from '../platform.ts';
import { openApiDocument } from './openApiDocument.ts';

const paths = objectAt(openApiDocument, 'paths');

interface Documented {
  readonly method: string;
  readonly path: string;
  readonly operation: JsonObject;
}

/** Every operation in the document that has a body, by its id. */
const withBody = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).flatMap(([method, operation]): [string, Documented][] => {
      if (!isObject(operation) || operation['requestBody'] === undefined) return [];
      return [[stringAt(operation, 'operationId') ?? '', { method: method.toUpperCase(), path, operation }]];
    }),
  ),
);

function documented(id: string): Documented {
  const found = withBody.get(id);
  if (found === undefined) throw new Error(`the document has no operation ${id} with a body`);
  return found;
}

function exampleOf(id: string): JsonObject {
  const content = objectAt(objectAt(documented(id).operation, 'requestBody'), 'content');
  return objectAt(objectAt(content, 'application/json'), 'example');
}

/** The address made from the examples of the parameters, or from `known`: values that only the server knows. */
function addressOf(id: string, known: Readonly<Record<string, string>>): string {
  const { path, operation } = documented(id);
  const given = listAt(operation, 'parameters').filter(isObject);
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const example = given.find((parameter) => parameter['name'] === name)?.['example'];
    return known[name] ?? (typeof example === 'string' ? example : '');
  });
}

const posted = new Set<string>();
const refused: unknown[] = [];

const platform = platformForAll({ clock: 'virtual' });

/** Sends the example of an operation as the page does; returns the body of the answer. */
async function send(id: string, known: Readonly<Record<string, string>> = {}): Promise<JsonObject> {
  posted.add(id);
  const { status, body } = await platform.send(documented(id).method, addressOf(id, known), exampleOf(id));
  if (status >= 300) refused.push([id, status, body['message'], objectAt(body, 'details')['problems']]);
  return body;
}

const creatable = [
  ...['agent', 'auditctx', 'cloudaccount', 'location', 'gvc', 'secret', 'identity', 'volumeset', 'workload'],
  ...['ipset', 'domain', 'group', 'serviceaccount', 'policy'],
];

/** Creates the replica `web-0` and its volume, which the examples of commands name. */
async function statefulWorkload(): Promise<void> {
  await platform.send('POST', 'gvc', { ...exampleOf('gvc.create'), name: 'data' });
  await platform.send('POST', 'gvc/data/volumeset', exampleOf('volumeset.create'));
  const volumes = [{ uri: 'scheme://volumeset/uploads', path: '/uploads' }];
  const spec = { type: 'stateful', containers: [container({ volumes })] };
  await platform.send('POST', 'gvc/data/workload', { name: 'web', spec });
  await platform.stepTo(Date.now() + 60_000);
}

/** Starts a command of a workload that runs until it is cancelled; returns its id. */
async function runningJob(): Promise<string> {
  const spec = { type: 'cron', containers: [container({ ports: [] })], job: { schedule: '0 0 * * *' } };
  await platform.send('POST', 'gvc/data/workload', { name: 'job', spec });
  const run = { type: 'runCronWorkload', spec: { location: 'aws-eu-central-1' } };
  const { body } = await platform.send('POST', 'gvc/data/workload/job/-command', run);
  return stringAt(body, 'id') ?? '';
}

test('the server accepts every example of the document at the address that its examples make', async () => {
  await send('domain.simulateDns');
  for (const kind of creatable) await send(`${kind}.create`);
  for (const kind of creatable) {
    for (const operation of ['upsert', 'replace', 'edit', 'query']) await send(`${kind}.${operation}`);
  }
  for (const kind of ['identity', 'volumeset', 'workload']) await send(`${kind}.queryInOrg`);

  for (const operation of ['edit', 'replace', 'query', 'create', 'createInAccount']) await send(`org.${operation}`);
  await send('audit.write');
  await send('serviceaccount.addKey');
  await send('user.invite');
  for (const id of ['user.edit', 'user.query', 'quota.edit', 'quota.replace', 'quota.query']) await send(id);
  for (const operation of ['simulate', 'edit', 'replace', 'query']) await send(`image.${operation}`);

  for (const operation of ['task.answer', 'task.answerInOrg']) {
    const id = stringAt(await send('task.simulate'), 'id') ?? '';
    await send(operation, { id, name: id });
  }
  await send('task.query');

  await send('domain.simulate');
  await send('workload.simulate');
  await statefulWorkload();
  const gvc = 'data';
  await send('volumeset.simulate', { gvc });
  for (const kind of ['org', 'workload', 'volumeset']) {
    const id = stringAt(await send(`${kind}.command.create`, { gvc }), 'id') ?? '';
    await send(`${kind}.command.query`, { gvc });
    if (kind !== 'workload') await send(`${kind}.command.cancel`, { gvc, id });
  }
  await send('workload.command.cancel', { gvc, name: 'job', id: await runningJob() });
  await send('clock.advance');
  await send('faults.set');

  // This comes last because it replaces the whole state.
  await send('snapshot.load');
  expect((await platform.send('GET', '/org/local/gvc/shop')).status).toBe(200);
  await send('gvc.edit');

  expect(refused).toEqual([]);
  expect([...withBody.keys()].filter((id) => !posted.has(id))).toEqual([]);
});
