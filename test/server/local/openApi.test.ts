import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { isObject, listAt, objectAt } from '../../../src/base/json/json.ts';
import { openApiPage } from '../../../src/server/api/openapi/page.ts';
import { routes } from '../../../src/server/routeTable.ts';
import { platformForAll } from '../platform.ts';
import { knownCodes } from '../refusal.ts';
import { openApiDocument } from './openApiDocument.ts';

const platform = platformForAll();

test('the description is valid OpenAPI 3.1, and needs no token', async () => {
  const answer = await fetch(`${platform.url}/openapi.json`);
  const document: unknown = await answer.json();
  if (!isObject(document)) throw new Error('no object');
  const validator = new Validator();
  const result = await validator.validate({ ...document });
  expect([result.errors, result.valid, validator.version]).toEqual([undefined, true, '3.1']);
});

test('the description has every served operation, and all its references resolve', async () => {
  const { body } = await platform.send('GET', '/openapi.json');
  const paths = objectAt(body, 'paths');
  const missing = routes.filter(({ path, method }) => !Object.hasOwn(objectAt(paths, path), method.toLowerCase()));
  expect(missing.map(({ id }) => id)).toEqual([]);
  const schemas = objectAt(objectAt(body, 'components'), 'schemas');
  const named = [...JSON.stringify(body).matchAll(/"#\/components\/schemas\/(\w*)"/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !Object.hasOwn(schemas, name))).toEqual([]);
  expect(new Set(routes.map(({ id }) => id)).size).toBe(routes.length);
});

test('the page without the viewer lists every operation, and says how to install the viewer', () => {
  const text = openApiPage(openApiDocument);
  expect(routes.filter(({ path }) => !text.includes(`<code>${path}</code>`)).map(({ id }) => id)).toEqual([]);
  expect(text).toContain('npm install openapi-explorer');
  expect(text).toContain('href="/openapi.json"');
  expect(text).not.toContain('<script');
});

const described = objectAt(openApiDocument, 'paths');

test('the description of the API has the filters of the audit trail (platform/audit.trail)', () => {
  for (const path of [
    '/audit/org/{org}',
    '/audit/org/{org}/resource/id/{id}',
    '/audit/org/{org}/resource/name/{name}',
  ]) {
    const parameters = listAt(objectAt(objectAt(described, path), 'get'), 'parameters').filter(isObject);
    const inQuery = parameters.filter((parameter) => parameter['in'] === 'query').map(({ name }) => name);
    expect(inQuery, path).toEqual(
      expect.arrayContaining([
        ...['resourceType', 'contextName', 'fromEvent', 'toEvent', 'subjectName'],
        ...['location', 'gvcAlias', 'podId', 'actionType', 'limit', 'next'],
      ]),
    );
  }
});

test('the description has the success statuses of writing an event and of creating an org', () => {
  const statuses = (path: string) => {
    const answers = Object.keys(objectAt(objectAt(objectAt(described, path), 'post'), 'responses'));
    return answers.filter((status) => status.startsWith('2'));
  };
  expect(statuses('/audit/org/{org}/auditctx/{ctx}')).toEqual(['201', '202']);
  expect(statuses('/org')).toEqual(['201']);
  expect(statuses('/account/{account}/org')).toEqual(['201']);
});

test('the description lists the codes of refusals, each with its status (platform/errors.body)', () => {
  const schemas = objectAt(objectAt(openApiDocument, 'components'), 'schemas');
  const code = objectAt(objectAt(objectAt(schemas, 'Error'), 'properties'), 'code');
  expect(listAt(code, 'enum').toSorted()).toEqual(Object.keys(knownCodes).toSorted());
  for (const [name, status] of Object.entries(knownCodes)) {
    expect(code['description']).toMatch(new RegExp(`^${name} \\(${status}\\): .{10,}$`, 'm'));
  }
});
