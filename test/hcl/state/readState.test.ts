import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/json.ts';
import { readState } from '../../../src/hcl/values/readState.ts';

test('a state of version 4: every instance of a managed resource, without data sources and deposed ones', () => {
  const step = (type: string, value: JsonValue) => ({ type, value });
  const marks = [
    [step('get_attr', 'tags'), step('index', { value: 'a b', type: 'string' })],
    [step('get_attr', 'keys'), step('index', { value: 0, type: 'number' }), step('get_attr', 'key')],
    [step('get_attr', 'spec'), step('index', { value: { a: 1 }, type: 'dynamic' })],
  ];
  const state = {
    version: 4,
    resources: [
      {
        mode: 'managed',
        type: 'gantry_gvc',
        name: 'shop',
        instances: [{ attributes: { name: 'shop' }, sensitive_attributes: marks }],
      },
      { mode: 'data', type: 'gantry_org', name: 'o', instances: [{ attributes: { name: 'acme' } }] },
      {
        module: 'module.a["x"]',
        mode: 'managed',
        type: 'random_id',
        name: 'r',
        instances: [
          { index_key: 0, attributes: { id: 'p' } },
          { index_key: 'k"', attributes: { id: 'q' } },
          { deposed: '1a2b', attributes: { id: 'old' } },
        ],
      },
    ],
  };
  expect(readState(state)).toEqual({
    resources: [
      {
        address: 'gantry_gvc.shop',
        type: 'gantry_gvc',
        values: { name: 'shop' },
        sensitive: [['tags', 'a b'], ['keys', 0, 'key'], ['spec']],
      },
      { address: 'module.a["x"].random_id.r[0]', type: 'random_id', values: { id: 'p' }, sensitive: [] },
      { address: 'module.a["x"].random_id.r["k\\""]', type: 'random_id', values: { id: 'q' }, sensitive: [] },
    ],
  });
});

test('the output of terraform show -json, with child modules', () => {
  const resource = (address: string, mode = 'managed') => ({
    address,
    mode,
    type: 'gantry_gvc',
    values: { name: 'n' },
  });
  const state = {
    format_version: '1.0',
    values: {
      root_module: {
        resources: [resource('gantry_gvc.a'), resource('data.gantry_gvc.d', 'data')],
        child_modules: [
          {
            resources: [resource('module.m.gantry_gvc.b')],
            child_modules: [{ resources: [resource('module.m.module.n.gantry_gvc.c')] }],
          },
        ],
      },
    },
  };
  const read = readState(state);
  expect('resources' in read && read.resources.map(({ address }) => address)).toEqual([
    'gantry_gvc.a',
    'module.m.gantry_gvc.b',
    'module.m.module.n.gantry_gvc.c',
  ]);
});

test('an empty state has no resources', () => {
  expect(readState({ format_version: '1.0' })).toEqual({ resources: [] });
  expect(readState({ version: 4 })).toEqual({ resources: [] });
});

function modules(levels: number): JsonObject {
  let module: JsonObject = {};
  for (let level = 0; level < levels; level += 1) module = { child_modules: [module] };
  return module;
}

test.each<[JsonValue, string]>([
  [[], 'this is not a state: it is not an object'],
  [{}, 'this is not a state: it has neither version nor values'],
  [{ version: 3, modules: [] }, 'this is not a state: its version is 3, not 4'],
  [{ encrypted_data: 'x', meta: {} }, 'the state is encrypted'],
  [{ values: { root_module: modules(10_000) } }, 'this is not a state: it is nested too deep'],
  [{ format_version: '1.2', planned_values: {} }, 'this is a plan, not a state'],
])('%# is refused', (state, mistake) => {
  expect(readState(state)).toMatchObject({ mistake, hint: expect.stringMatching(/^Give /) });
});
