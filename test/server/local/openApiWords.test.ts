import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../../src/base/json/json.ts';
import { routes } from '../../../src/server/routeTable.ts';
import { openApiDocument } from './openApiDocument.ts';

const document = openApiDocument;
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
  expect(Object.keys(responses)).toEqual('201 400 401 403 404 409 413 415 429 503 default'.split(' '));
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

/** The places of fields below a schema that have no description. */
function undescribed(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => undescribed(item, path));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    if (['default', 'enum', 'example', 'if'].includes(key)) return [];
    if (key !== 'properties' || !isObject(child)) return undescribed(child, path);
    return Object.entries(child).flatMap(([name, field]) => {
      const said = isObject(field) && (field['description'] !== undefined || field['$ref'] !== undefined);
      return [...(said ? [] : [`${path}.${name}`]), ...undescribed(field, `${path}.${name}`)];
    });
  });
}

test('every field of a record has a description', () => {
  const schemas = Object.entries(objectAt(objectAt(document, 'components'), 'schemas'));
  const found = schemas.flatMap(([name, schema]) => undescribed(schema, name));
  expect(found).toEqual([]);
});
