import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { type JsonObject, type JsonValue, objectAt } from '../../../src/base/json/json.ts';
import {
  customRecordSchema,
  documentedRecordSchema,
  manifestSchema,
  recordSchema,
} from '../../../src/kinds/jsonSchema.ts';
import type { CreatableKind } from '../../../src/schema/record/kinds.ts';

function takes(schema: JsonObject, value: JsonValue): boolean {
  return new Ajv2020({ strict: false, validateFormats: false }).compile(schema)(value) === true;
}

function fieldAt(schema: JsonObject, path: string): JsonObject {
  return path.split('.').reduce((node, name) => objectAt(objectAt(node, 'properties'), name), schema);
}

describe('the lifecycle of a manifest (docs/lifecycle.md)', () => {
  test.each<[string, JsonValue, JsonValue]>([
    ['protect', true, 'yes'],
    ['retain', false, 1],
    ['adopt', true, 'yes'],
    ['adopt', { from: 'shop/main' }, {}],
    ['adopt', { from: 'shop/main' }, { from: 'shop/main', more: 1 }],
    ['adopt', { from: 'shop/main' }, { from: 5 }],
    ['handOver', 'other', true],
    ['previously', 'old', ['old']],
    ['part', true, 'tags'],
    ['replace', true, 'data'],
    ['wait', false, '5m'],
    ['waitTimeout', '5m', '5 minutes'],
    ['waitTimeout', '1h', 5],
    ['ignore', ['spec.x'], 'spec.x'],
    ['untyped', [], [1]],
    ['sensitive', ['data'], {}],
    ['dependsOn', ['gvc/shop'], 'gvc/shop'],
  ])('%s accepts %j, not %j', (instruction, right, wrong) => {
    const schema = manifestSchema('agent');
    const written = [right, wrong].map((value) => ({ kind: 'agent', name: 'a', lifecycle: { [instruction]: value } }));
    expect(written.map((value) => takes(schema, value))).toEqual([true, false]);
  });
});

test.each<[string, CreatableKind, JsonObject, boolean]>([
  ['an identity lives in a GVC', 'identity', { kind: 'identity', name: 'i', gvc: 'shop' }, true],
  ['a name that is not a string', 'identity', { kind: 'identity', name: 'i', gvc: 5 }, false],
  ['an agent lives in the org', 'agent', { kind: 'agent', name: 'a', gvc: 'shop' }, false],
  ['it has a kind', 'agent', { name: 'a' }, false],
  ['it has a name', 'agent', { kind: 'agent' }, false],
  ['its schema, for editors', 'agent', { $schema: './agent.json', kind: 'agent', name: 'a' }, true],
  ['no other schema', 'agent', { $schema: 5, kind: 'agent', name: 'a' }, false],
])('a manifest: %s', (_it, kind, manifest, isRight) => {
  expect(takes(manifestSchema(kind), manifest)).toBe(isRight);
});

describe('the data of a secret in a manifest', () => {
  test.each<[string, JsonValue]>([
    ['opaque', { payload: 'x' }],
    ['opaque', { payload: { fromEnv: 'TOKEN' } }],
    ['opaque', { payload: { fromFile: 'token.bin', base64: true } }],
    ['opaque', { payload: { fromCommand: ['pass', 'show'] }, encoding: 'base64' }],
    ['dictionary', { a: 'x', b: { fromEnv: 'B' } }],
    ['docker', '{}'],
    ['docker', { fromFile: 'config.json' }],
    ['ecr', { accessKey: 'a', secretKey: { fromEnv: 'KEY' }, repos: ['r', { fromEnv: 'REPO' }] }],
  ])('of type %s may be %j', (type, data) => {
    expect(takes(manifestSchema('secret'), { kind: 'secret', name: 's', type, data })).toBe(true);
  });

  test.each<[string, string, JsonValue]>([
    ['no source', 'opaque', { payload: {} }],
    ['another source', 'opaque', { payload: { fromNet: 'x' } }],
    ['a number as variable', 'opaque', { payload: { fromEnv: 5 } }],
    ['a list as file', 'opaque', { payload: { fromFile: ['x'] } }],
    ['a command as text', 'opaque', { payload: { fromCommand: 'pass show' } }],
    ['no command', 'opaque', { payload: { fromCommand: [] } }],
    ['base64 in words', 'opaque', { payload: { fromFile: 'x', base64: 'yes' } }],
    ['a word of the schema from outside', 'opaque', { payload: 'x', encoding: { fromEnv: 'E' } }],
    ['a field that the type does not have', 'opaque', { payload: 'x', text: 'y' }],
    ['the data of another type', 'userpass', { payload: 'x' }],
    ['a key that cannot be one', 'dictionary', { 'a b': 'x' }],
    ['a number', 'docker', 5],
  ])('is refused: %s', (_it, type, data) => {
    expect(takes(manifestSchema('secret'), { kind: 'secret', name: 's', type, data })).toBe(false);
  });

  test('cannot come from elsewhere in a request', () => {
    const record = { name: 's', type: 'opaque', data: { payload: { fromEnv: 'TOKEN' } } };
    expect(takes(recordSchema('secret'), record)).toBe(false);
    expect(takes(recordSchema('secret'), { ...record, data: { payload: 'x' } })).toBe(true);
  });

  test('is described by its type', () => {
    const schema = JSON.stringify(documentedRecordSchema('secret')['allOf']);
    expect(schema).toContain('Configuration of a registry client');
    expect(takes(documentedRecordSchema('secret'), { name: 's', type: 'docker', data: {} })).toBe(false);
  });
});

describe('the schema of a field', () => {
  test.each<[CreatableKind, string, JsonValue | undefined]>([
    ['volumeset', 'spec.autoscaling.predictive.lookbackHours', 24],
    ['volumeset', 'spec.autoscaling.predictive.enabled', false],
    ['gvc', 'spec.endpointNamingFormat', undefined],
    ['volumeset', 'spec.initialCapacity', undefined],
  ])('%s.%s has the default %j (platform/volumeset; none if the platform chooses)', (kind, path, value) => {
    expect(fieldAt(manifestSchema(kind), path)['default']).toBe(value);
    expect(fieldAt(recordSchema(kind), path)['default']).toBe(value);
  });

  test('is read-only if only the platform sets it (platform/concepts.record)', () => {
    const properties = objectAt(recordSchema('agent'), 'properties');
    const readOnly = Object.keys(properties).filter((name) => Object.hasOwn(objectAt(properties, name), 'readOnly'));
    expect(readOnly).toEqual(
      expect.arrayContaining(['id', 'kind', 'version', 'created', 'lastModified', 'links', 'status']),
    );
    expect(readOnly).not.toContain('name');
    expect(objectAt(properties, 'id')['readOnly']).toBe(true);
  });

  test('contains its type, its bounds and its description, and nothing else', () => {
    expect(fieldAt(manifestSchema('agent'), 'description')).toStrictEqual({
      type: 'string',
      maxLength: 250,
      description: expect.stringMatching(/^Text for people/),
    });
    expect(fieldAt(recordSchema('agent'), 'description')).toStrictEqual({ type: 'string', maxLength: 250 });
  });

  test('also exists inside lists and maps', () => {
    const containers = fieldAt(manifestSchema('workload'), 'spec.containers');
    expect(fieldAt(objectAt(containers, 'items'), 'cpu')).toMatchObject({
      default: '50m',
      description: expect.stringMatching(/\.$/),
    });
    expect(JSON.stringify(manifestSchema('workload'))).not.toContain('x-gantry');
  });
});

test.each<[string, JsonObject]>([
  ['id', { type: 'string' }],
  ['kind', { type: 'string' }],
  ['version', { type: 'integer' }],
  ['created', { type: 'string', format: 'date-time' }],
  ['lastModified', { type: 'string', format: 'date-time' }],
  [
    'links',
    { type: 'array', items: { type: 'object', properties: { rel: { type: 'string' }, href: { type: 'string' } } } },
  ],
  ['status', { type: 'object' }],
])('a response has %s as %j, which no request sets (platform/concepts.record)', (name, type) => {
  const field = fieldAt(documentedRecordSchema('workload'), name);
  expect(field).toMatchObject({ ...type, readOnly: true, description: expect.any(String) });
  expect(fieldAt(recordSchema('workload'), name)).toStrictEqual({ readOnly: true });
});

test('a field that clients set has the same type in responses', () => {
  expect(fieldAt(documentedRecordSchema('agent'), 'description')).toStrictEqual(
    fieldAt(manifestSchema('agent'), 'description'),
  );
});

test('a record of a custom kind has the fields of every record, and any others', () => {
  const schema = customRecordSchema();
  expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
  expect(takes(schema, { name: 'w', gvc: 'g', tags: { a: 1 }, spec: { anything: [1] } })).toBe(true);
  expect(takes(schema, { name: 5 })).toBe(false);
  expect(takes(schema, { name: 'w', tags: { a: [] } })).toBe(false);
});
