import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isObject, objectAt } from '../../../src/schema/json.ts';
import { routes } from '../../../src/server/routes/table.ts';
import { testPlatform, type TestPlatform } from '../platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await testPlatform();
});
afterAll(() => platform.close());

test('the description is valid OpenAPI 3.1, and needs no token', async () => {
  const answer = await fetch(`${platform.url}/openapi.json`);
  const document: unknown = await answer.json();
  if (!isObject(document)) throw new Error('no object');
  const validator = new Validator();
  const result = await validator.validate({ ...document });
  expect([result.errors, result.valid, validator.version]).toEqual([undefined, true, '3.1']);
});

test('every operation that is served is described, and every reference in it leads somewhere', async () => {
  const { body } = await platform.send('GET', '/openapi.json');
  const paths = objectAt(body, 'paths');
  const missing = routes.filter(({ path, method }) => !Object.hasOwn(objectAt(paths, path), method.toLowerCase()));
  expect(missing.map(({ id }) => id)).toEqual([]);
  const schemas = objectAt(objectAt(body, 'components'), 'schemas');
  const named = [...JSON.stringify(body).matchAll(/"#\/components\/schemas\/(\w*)"/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !Object.hasOwn(schemas, name))).toEqual([]);
  expect(new Set(routes.map(({ id }) => id)).size).toBe(routes.length);
});

test('the page for people names every operation', async () => {
  const answer = await fetch(`${platform.url}/-docs`);
  const text = await answer.text();
  expect(answer.headers.get('content-type')).toContain('text/html');
  expect(routes.filter(({ path }) => !text.includes(`<code>${path}</code>`)).map(({ id }) => id)).toEqual([]);
  expect(text).not.toContain('<script');
});
