import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  own,
} from '../../../src/base/json/json.ts';
import { bodyExample } from '../../../src/server/api/openapi/operation.ts';
import { routes } from '../../../src/server/routeTable.ts';
import { container, makeShop, platformForAll } from '../platform.ts';
import { openApiDocument } from './openApiDocument.ts';

const document = openApiDocument;
const schemas = objectAt(objectAt(document, 'components'), 'schemas');

const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } });
ajv.addSchema(document, 'api');

/** Whether the schema at a pointer in the document accepts a value. */
function fits(pointer: string, value: unknown): boolean {
  return ajv.compile({ $ref: `api#${pointer}` })(value) === true;
}

function escaped(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}

interface Found {
  readonly pointer: string;
  readonly schema: JsonObject;
}

/** Every schema in the document: those below `schema`, and the components. */
function schemasBelow(value: JsonValue, pointer: string, isSchema: boolean): readonly Found[] {
  if (isArray(value)) return value.flatMap((item, at) => schemasBelow(item, `${pointer}/${at}`, isSchema));
  if (!isObject(value)) return [];
  const inside = Object.entries(value).flatMap(([key, member]) =>
    key.startsWith('example') || key === 'x-default' || key === 'enum'
      ? []
      : schemasBelow(member, `${pointer}/${escaped(key)}`, isSchema || key === 'schema' || key === 'schemas'),
  );
  return isSchema ? [{ pointer, schema: value }, ...inside] : inside;
}

const everySchema = schemasBelow(document, '', false);

describe('the schemas of the API description', () => {
  test('define the items of a list as records of its kind, and those of a query as records or links', () => {
    for (const kind of ['gvc', 'workload', 'secret', 'quota']) {
      const items = (name: string) => objectAt(objectAt(objectAt(schemas, name), 'properties'), 'items')['items'];
      expect(items(`${kind}List`)).toEqual({ $ref: `#/components/schemas/${kind}` });
      expect(JSON.stringify(items(`${kind}QueryResult`))).toContain(`"#/components/schemas/${kind}"`);
    }
    const listed = ['/org/{org}/gvc', '/org/{org}/workload', '/org/{org}/gvc/{gvc}/workload'].map((path) => {
      const answer = objectAt(
        objectAt(objectAt(objectAt(objectAt(document, 'paths'), path), 'get'), 'responses'),
        '200',
      );
      return own(objectAt(objectAt(objectAt(answer, 'content'), 'application/json'), 'schema'), '$ref');
    });
    expect(listed).toEqual(['gvcList', 'workloadList', 'workloadList'].map((name) => `#/components/schemas/${name}`));
    const untyped = everySchema.filter(({ schema }) => {
      const items = own(schema, 'items');
      return isObject(items) && Object.keys(items).length === 0 && own(schema, 'type') === 'array';
    });
    expect(untyped.map(({ pointer }) => pointer).filter((pointer) => /List|QueryResult/.test(pointer))).toEqual([]);
  });

  test('give a type to every member that only the platform writes', () => {
    const untyped = everySchema.filter(
      ({ schema }) =>
        own(schema, 'readOnly') === true && !['type', 'anyOf', '$ref', 'const'].some((key) => key in schema),
    );
    expect(untyped.map(({ pointer }) => pointer)).toEqual([]);
  });

  test('state defaults in x-default and in words, because the keyword makes a member required in generated clients', () => {
    const inComponents = everySchema.filter(({ pointer }) => pointer.startsWith('/components/schemas'));
    const isSchema = ({ pointer }: Found) => !/\/properties$/.test(pointer);
    expect(
      inComponents
        .filter((each) => isSchema(each) && Object.hasOwn(each.schema, 'default'))
        .map((each) => each.pointer),
    ).toEqual([]);
    const spec = objectAt(objectAt(objectAt(objectAt(schemas, 'workload'), 'properties'), 'spec'), 'properties');
    const field = objectAt(objectAt(objectAt(spec, 'defaultOptions'), 'properties'), 'timeoutSeconds');
    expect(field).toMatchObject({ 'x-default': 5, description: expect.stringMatching(/Default: `5`\.$/) });
  });

  test('refuse unknown members of records, patches, queries and commands', () => {
    const workload = { name: 'web', spec: { type: 'standard', containers: [{ name: 'main', image: 'a' }] } };
    const schema = '/components/schemas';
    expect(fits(`${schema}/workload`, workload)).toBe(true);
    expect(fits(`${schema}/workload`, { ...workload, colour: 'red' })).toBe(false);
    expect(fits(`${schema}/workload`, { ...workload, spec: { ...workload.spec, colour: 'red' } })).toBe(false);
    expect(fits(`${schema}/workloadPatch`, { spec: { '$drop/containers': ['a'] } })).toBe(true);
    expect(fits(`${schema}/workloadPatch`, { spec: { colour: 'red' } })).toBe(false);
    expect(fits(`${schema}/Query`, { kind: 'gvc', spec: { terms: [{ tag: 'a', op: 'exists' }] } })).toBe(true);
    expect(fits(`${schema}/Query`, { spec: { terms: [{ tags: 'a' }] } })).toBe(false);
    expect(fits(`${schema}/Query`, { spec: { sort: { by: 'name', colour: 1 } } })).toBe(false);
  });
});

/** The operations whose body can have several forms. */
const choices = routes.flatMap((route) => {
  const { body, id, path, method } = route;
  const forms = isObject(body) ? listAt(body, 'oneOf') : [];
  const pointer = `/paths/${escaped(path)}/${method.toLowerCase()}/requestBody/content/application~1json/schema`;
  return forms.length === 0 ? [] : [{ id, forms, pointer, example: bodyExample(route) }];
});

test.each(choices)('accept the example of $id in exactly one of its forms', ({ forms, pointer, example }) => {
  expect(forms.filter((_, at) => fits(`${pointer}/oneOf/${at}`, example))).toHaveLength(1);
  expect(fits(pointer, example)).toBe(true);
});

test('accept every example of a body', () => {
  const wrong = routes.filter((route) => {
    const example = bodyExample(route);
    if (example === undefined) return false;
    const { path, method } = route;
    return !fits(
      `/paths/${escaped(path)}/${method.toLowerCase()}/requestBody/content/application~1json/schema`,
      example,
    );
  });
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

describe('the server agrees with the schemas', () => {
  const platform = platformForAll({ clock: 'virtual' }, async ({ send }) => {
    await makeShop({ send }, 'aws-us-west-2');
    await send('POST', 'gvc/shop/workload', { name: 'web', spec: { type: 'serverless', containers: [container()] } });
  });

  test.each([
    ['gvc', 'gvcList'],
    ['gvc/shop/workload', 'workloadList'],
    ['quota', 'quotaList'],
    ['location', 'locationList'],
    ['policy', 'policyList'],
  ])('GET %s is answered with a valid %s', async (path, name) => {
    await platform.stepTo(Date.now() + 60_000);
    const { body } = await platform.send('GET', path);
    const validate = ajv.compile({ $ref: `api#/components/schemas/${name}` });
    expect([validate(body), validate.errors]).toEqual([true, null]);
  });

  test('an unknown member of an object that the schema closes is refused', async () => {
    const bodies: readonly (readonly [string, JsonObject])[] = [
      ['gvc', { name: 'other', colour: 1 }],
      ['gvc/-query', { colour: 1 }],
      ['gvc/-query', { spec: { sort: { by: 'name', colour: 1 } } }],
      ['gvc/shop/workload/web/-command', { type: 'stopReplica', colour: 1 }],
    ];
    for (const [path, body] of bodies) expect((await platform.send('POST', path, body)).status, path).toBe(400);
  });
});
