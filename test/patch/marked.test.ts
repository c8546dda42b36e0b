import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { fillMasks } from '../../src/kinds/fillMasks.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import { fieldChanges, maskSensitive } from '../../src/patch/fieldChanges.ts';
import { byMarks } from '../../src/patch/shouldMask.ts';

const shape = shapeOf('workload');
const masked = { sensitive: true };
const hidden = { sensitive: true, changed: true };
// biome-ignore format: a row is a case
const declared = {
  name: 'w',
  tags: { team: 'shop', credential: 'tag-credential' },
  spec: { containers: [{ name: 'main', args: ['--verbose', '--password=hunter22'],
        env: [{ name: 'A', value: 'plain' }, { name: 'DB_PASSWORD', value: 'correct horse' }] },
      { name: 'other', env: [{ name: 'DB_PASSWORD', value: 'nobody marked it' }] }] },
};
const marks = ['tags.credential', 'spec.containers.main.env.DB_PASSWORD.value', 'spec.containers.main.args.1'];
const of = byMarks(shape, marks, declared);

describe('marked values are masked in records and patches', () => {
  test('by the key of their item, and in all items of a list without keys', () => {
    expect(maskSensitive(of, declared)).toEqual({
      name: 'w',
      tags: { team: 'shop', credential: masked },
      spec: {
        containers: [
          {
            name: 'main',
            args: [masked, masked],
            env: [
              { name: 'A', value: 'plain' },
              { name: 'DB_PASSWORD', value: masked },
            ],
          },
          { name: 'other', env: [{ name: 'DB_PASSWORD', value: 'nobody marked it' }] },
        ],
      },
    });
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'patched items',
        patch: {
          spec: { '$patch/containers': [{ name: 'main', '$patch/env': [{ name: 'DB_PASSWORD', value: 'x' }] }] } },
        shown: {
          spec: { '$patch/containers': [{ name: 'main', '$patch/env': [{ name: 'DB_PASSWORD', value: masked }] }] } } },
      { it: 'appended items',
        patch: { spec: { '$append/containers': [{ name: 'main', env: [{ name: 'DB_PASSWORD', value: 'x' }] }] } },
        shown: { spec: { '$append/containers': [{ name: 'main', env: [{ name: 'DB_PASSWORD', value: masked }] }] } } },
      { it: 'a replaced object', patch: { '$replace/tags': { team: 'a', credential: 'x' } },
        shown: { '$replace/tags': { team: 'a', credential: masked } } },
      { it: 'names of items, which are shown',
        patch: { spec: { '$patch/containers': [{ name: 'main', '$drop/env': ['DB_PASSWORD'] }] } },
        shown: { spec: { '$patch/containers': [{ name: 'main', '$drop/env': ['DB_PASSWORD'] }] } } },
      { it: 'items named by their content',
        patch: { spec: { '$patch/containers': [{ name: 'main', '$drop/args': ['--password=x'] }] } },
        shown: { spec: { '$patch/containers': [{ name: 'main', '$drop/args': masked }] } } },
      { it: 'items kept by their content',
        patch: { spec: { '$patch/containers': [{ name: 'main', '$retain/args': ['--verbose'] }] } },
        shown: { spec: { '$patch/containers': [{ name: 'main', '$retain/args': masked }] } } },
      { it: 'items of another list that contain a marked value',
        patch: { spec: { firewallConfig: { external: { '$drop/outboundAllowHostname': ['a', 'correct horse'] } } } },
        shown: { spec: { firewallConfig: { external: { '$drop/outboundAllowHostname': masked } } } } },
      { it: 'items of another list without a marked value',
        patch: { spec: { firewallConfig: { external: { '$drop/inboundAllowCIDR': ['10.0.0.0/8'] } } } },
        shown: { spec: { firewallConfig: { external: { '$drop/inboundAllowCIDR': ['10.0.0.0/8'] } } } } },
      { it: 'an item without its key', patch: { spec: { containers: [{ env: [{ value: 'x' }] }] } },
        shown: { spec: { containers: [{ env: [{ value: masked }] }] } } },
    ],
  )('$it', ({ patch, shown }) => {
    expect(maskSensitive(of, patch)).toEqual(shown);
  });

  test.each(['$drop/env', '$retain/env', '$append/env', '$replace/env', 'env'])('%s of a marked list', (word) => {
    const whole = byMarks(shape, ['spec.containers.main.env'], declared);
    expect(maskSensitive(whole, { spec: { containers: [{ name: 'main', [word]: ['A'] }] } })).toEqual({
      spec: { containers: [{ name: 'main', [word]: masked }] },
    });
  });

  test('even if a string contains one elsewhere', () => {
    const moved = { spec: { containers: [{ name: 'new', workingDir: '/x/correct horse/y', image: 'plain' }] } };
    expect(maskSensitive(of, moved)).toEqual({
      spec: { containers: [{ name: 'new', workingDir: masked, image: 'plain' }] },
    });
  });

  test('a document without marks is returned unchanged', () => {
    expect(maskSensitive(byMarks(shape, [], declared), declared)).toBe(declared);
  });
});

describe('a field change reports that a marked value differs, without the values', () => {
  const withEnv = (env: readonly { readonly name: string; readonly value: string }[]) => ({
    spec: { containers: [{ name: 'main', env }] },
  });
  const [password, plain] = [
    { name: 'DB_PASSWORD', value: 'correct horse' },
    { name: 'A', value: 'plain' },
  ];
  const path = 'spec.containers.main.env';

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'a changed value', live: withEnv([{ name: 'DB_PASSWORD', value: 'before' }]), target: withEnv([password]),
        changes: [{ path: `${path}.DB_PASSWORD.value`, old: hidden, new: hidden }] },
      { it: 'a new item', live: withEnv([plain]), target: withEnv([plain, password]),
        changes: [{ path: `${path}.DB_PASSWORD.name`, new: 'DB_PASSWORD' },
          { path: `${path}.DB_PASSWORD.value`, new: hidden }] },
      { it: 'items in another order', live: withEnv([plain, { name: 'DB_PASSWORD', value: 'before' }]),
        target: withEnv([password, plain]), changes: [{ path, old: hidden, new: hidden }] },
      { it: 'one item of a list without keys',
        live: { spec: { containers: [{ name: 'main', args: ['--password=before'] }] } },
        target: { spec: { containers: [{ name: 'main', args: ['--verbose', '--password=hunter22'] }] } },
        changes: [{ path: 'spec.containers.main.args', old: hidden, new: hidden }] },
    ],
  )('$it', ({ live, target, changes }) => {
    expect(fieldChanges(of, live, target)).toEqual(changes);
  });
});

test.each([
  {
    it: 'items',
    path: 'spec.containers.main.env.DB_PASSWORD',
    patch: { spec: { '$patch/containers': [{ name: 'main', '$drop/env': ['DB_PASSWORD'] }] } },
  },
  { it: 'fields', path: 'tags.*', patch: { tags: { $drop: ['credential'] } } },
])('the names of $it are shown, even if the named values are marked', ({ path, patch }) => {
  expect(maskSensitive(byMarks(shape, [path], declared), patch)).toEqual(patch);
});

test('if one item is marked, the others are shown, and it only if it differs', () => {
  const item = byMarks(shape, ['spec.containers.main.env.DB_PASSWORD'], declared);
  const withEnv = (...env: readonly JsonObject[]) => ({ spec: { containers: [{ name: 'main', env }] } });
  const [plain, password] = [
    { name: 'A', value: 'plain' },
    { name: 'DB_PASSWORD', value: 'before' },
  ];
  expect(fieldChanges(item, withEnv(plain, password), withEnv(password))).toEqual([
    { path: 'spec.containers.main.env.A.name', old: 'A' },
    { path: 'spec.containers.main.env.A.value', old: 'plain' },
  ]);
  expect(fieldChanges(item, withEnv(plain, password), withEnv(plain))).toEqual([
    { path: 'spec.containers.main.env.DB_PASSWORD', old: hidden },
  ]);
});

test('masks of a stored record are filled by key, and remain if the other record has no value', () => {
  const kept = maskSensitive(of, declared);
  const reordered = {
    ...declared,
    spec: {
      containers: declared.spec.containers.toReversed().map((each) => ({ ...each, env: each.env.toReversed() })),
    },
  };
  expect(fillMasks(shape, kept, reordered)).toEqual(declared);
  expect(fillMasks(shape, kept, { tags: {} })).toEqual(kept);
  expect(fillMasks(shape, declared, reordered)).toBe(declared);
});
