import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { present } from '../../../src/base/json/present.ts';
import {
  carriedPaths,
  comparePromotion,
  isSecretValue,
  type PromotionDifference,
} from '../../../src/change/promotion.ts';
import { parsePattern } from '../../../src/change/promotionPattern.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import { declare, workload } from '../../plan/world.ts';

/** The resources of `dev` and `prod`, each in its own GVC and org. */
function compare(
  dev: readonly DesiredResource[],
  prod: readonly DesiredResource[],
  mayDiffer: readonly string[] = [],
  gvcs: { readonly dev?: string; readonly prod?: string } = { dev: 'shop-dev', prod: 'shop' },
): readonly PromotionDifference[] {
  const from = { desired: dev, org: 'acme-dev', gvc: gvcs.dev };
  const to = { desired: prod, org: 'acme', gvc: gvcs.prod };
  const patterns = mayDiffer.flatMap((each) => parsePattern(each) ?? []);
  return comparePromotion(from, to, patterns);
}

const placesOf = (differences: readonly PromotionDifference[]) =>
  differences.map(({ resource, path }) => `${resource} ${path}`.trim());

/** At its own line, from these values. */
function made(id: string, fields: JsonObject, line: number, ...values: readonly string[]): DesiredResource {
  const position = { file: 'gantry.yaml', line, column: 1, values: values.map((value) => value.split('.')) };
  return { ...declare(id, fields), locate: () => position };
}

const web = (gvc: string, image: string, line: number, ...values: readonly string[]) =>
  made(`workload/${gvc}/web`, workload(image), line, ...values);
const image = 'spec.containers.main.image';

test('a resource in the GVC of the settings is the same in both: a difference has both values with their places', () => {
  expect(compare([web('shop-dev', 'a:2', 3, 'tag')], [web('shop', 'a:1', 9, 'tag', 'image.tag')])).toEqual([
    {
      resource: 'workload/shop/web',
      path: image,
      from: { value: 'a:2', at: { file: 'gantry.yaml', line: 3, column: 1 }, values: [['tag']] },
      to: { value: 'a:1', at: { file: 'gantry.yaml', line: 9, column: 1 }, values: [['tag'], ['image', 'tag']] },
      mayDiffer: false,
    },
  ]);
});

test('links into the GVC of the settings are equal, even if no stack here declares it', () => {
  const members = (gvc: string) => ({
    targetKind: 'workload',
    targetLinks: [`//gvc/${gvc}/workload/web`],
    bindings: [],
  });
  expect(compare([declare('policy/p', members('shop-dev'))], [declare('policy/p', members('shop'))])).toEqual([]);
  expect(placesOf(compare([declare('policy/p', members('other'))], [declare('policy/p', members('shop'))]))).toEqual([
    'policy/p targetLinks',
  ]);
});

test('a resource or field of one environment has one side; all are sorted by resource and path', () => {
  const differences = compare(
    [declare('group/b', {}, {}, 1), declare('group/a', { description: 'x', tags: { b: '1' } }, {}, 2)],
    [declare('group/c', {}, {}, 5), declare('group/a', { tags: { a: '2' } }, {}, 6)],
  );
  expect(placesOf(differences)).toEqual([
    'group/a description',
    'group/a tags.a',
    'group/a tags.b',
    'group/b',
    'group/c',
  ]);
  const at = (line: number) => ({ at: { file: 'stack.yaml', line, column: 1 }, values: [] });
  expect(differences.map(({ from, to }) => [from, to])).toEqual([
    [{ value: 'x', ...at(2) }, undefined],
    [undefined, { value: '2', ...at(6) }],
    [{ value: '1', ...at(2) }, undefined],
    [at(1), undefined],
    [undefined, at(5)],
  ]);
});

const lines = [1, 2, 3];
const policy = (id: string, ...targetLinks: readonly string[]) =>
  declare(id, { targetKind: 'gvc', targetLinks, bindings: [] }, {}, 40);

test.each<{ it: string; dev: readonly DesiredResource[]; prod: readonly DesiredResource[]; places: readonly string[] }>(
  // biome-ignore format: a row is a case
  [
    { it: 'the GVC of the settings', dev: [declare('gvc/shop-dev')], prod: [declare('gvc/shop')], places: [] },
    { it: 'another GVC with a different name, at the same place', dev: [declare('gvc/a', {}, {}, 7)],
      prod: [declare('gvc/b', {}, {}, 7)], places: ['gvc/b name'] },
    { it: 'the GVC of the settings in one of them only', dev: [declare('gvc/shop-dev', {}, {}, 7)],
      prod: [declare('gvc/b', {}, {}, 7)], places: ['gvc/b name'] },
    { it: 'a resource of another kind with the name of the GVC of the settings',
      dev: [declare('group/shop-dev', {}, {}, 7)],
      prod: [declare('group/shop', {}, {}, 7)], places: ['group/shop name'] },
    { it: 'the same in another order, and another GVC beside that of the settings',
      dev: [declare('gvc/x'), declare('gvc/shop-dev'), declare('identity/shop-dev/a'), declare('identity/shop-dev/b')],
      prod: [declare('gvc/shop'), declare('gvc/x'), declare('identity/shop/b'), declare('identity/shop/a')],
      places: [] },
    { it: 'another kind at the same place', dev: [declare('group/a', {}, {}, 7)],
      prod: [declare('secret/a', {}, {}, 7)], places: ['group/a', 'secret/a'] },
    { it: 'a resource of the same name in another GVC', dev: [declare('identity/other/a', {}, {}, 7)],
      prod: [declare('identity/shop/a', {}, {}, 8)], places: ['identity/other/a', 'identity/shop/a'] },
    { it: 'several at one place, paired in order',
      dev: lines.map((number) => declare(`group/a${number}`, {}, {}, 7)),
      prod: lines.map((number) => declare(`group/b${number}`, {}, {}, 7)),
      places: ['group/b1 name', 'group/b2 name', 'group/b3 name'] },
    { it: 'a link to a resource with different names',
      dev: [declare('gvc/a', {}, {}, 7), policy('policy/p', '//gvc/a', '//gvc/a/workload/a')],
      prod: [declare('gvc/b', {}, {}, 7), policy('policy/p', '//gvc/b', '//gvc/b/workload/a')],
      places: ['gvc/b name'] },
    { it: 'a link to a resource of another kind with the old name',
      dev: [declare('gvc/a', {}, {}, 7), policy('policy/p', '//group/a')],
      prod: [declare('gvc/b', {}, {}, 7), policy('policy/p', '//group/b')],
      places: ['gvc/b name', 'policy/p targetLinks'] },
    { it: 'a link with its org', dev: [policy('policy/p', '/org/acme-dev/gvc/x')],
      prod: [policy('policy/p', '/org/acme/gvc/x')], places: [] },
    { it: 'a key of a secret with different names',
      dev: [declare('secret/a', {}, {}, 7), declare('workload/g/w', reads('a'))],
      prod: [declare('secret/b', {}, {}, 7), declare('workload/g/w', reads('b'))], places: ['secret/b name'] },
    { it: 'a string that is not a link',
      dev: [declare('gvc/a', {}, {}, 7), ...described('gvc/a', 'see //gvc/a/x', 'see /org/acme-dev/gvc/x')],
      prod: [declare('gvc/b', {}, {}, 7), ...described('gvc/b', 'see //gvc/b/x', 'see /org/acme/gvc/x')],
      places: ['group/g0 description', 'group/g1 description', 'group/g2 description', 'gvc/b name'] },
    { it: 'a link to a name with dots', dev: [declare('domain/a.com', {}, {}, 7), policy('policy/p', '//domain/a.com')],
      prod: [declare('domain/b.com', {}, {}, 7), policy('policy/p', '//domain/b.com')], places: ['domain/b.com name'] },
    { it: 'lifecycle settings', dev: [declare('group/g', {}, { protect: true })], prod: [declare('group/g')],
      places: ['group/g lifecycle'] },
    { it: 'numbers and booleans, also in lists',
      dev: [declare('workload/g/w',
          { spec: { containers: [{ name: 'main', ports: [{ number: 80 }], inheritEnv: true }] } })],
      prod: [declare('workload/g/w',
          { spec: { containers: [{ name: 'main', ports: [{ number: 80 }], inheritEnv: true }] } })], places: [] },
  ],
)('$it', ({ dev, prod, places }) => {
  expect(placesOf(compare(dev, prod))).toEqual(places);
});

function described(...descriptions: readonly string[]): readonly DesiredResource[] {
  return descriptions.map((description, index) => declare(`group/g${index}`, { description }));
}

function reads(secret: string): JsonObject {
  const env = [{ name: 'A', value: `scheme://secret/${secret}.key.part` }];
  return { spec: { containers: [{ name: 'main', env }] } };
}

test('lifecycle settings are shown as written, and only if there are any', () => {
  const [difference] = compare([declare('group/g')], [declare('group/g', {}, { protect: true })]);
  expect(difference).toMatchObject({ path: 'lifecycle', to: { value: { protect: true } } });
  expect(difference).not.toHaveProperty('from');
});

test('a difference has the place of its field, and a missing resource that of its start', () => {
  const locate = (pointer: readonly unknown[]) => ({ file: 'a.yaml', line: 10 + pointer.length, column: 1 });
  const [missing, field] = compare(
    [
      { ...declare('workload/shop-dev/web', workload('a:2')), locate },
      { ...declare('group/g'), locate },
    ],
    [declare('workload/shop/web', workload('a:1'))],
  );
  expect(missing).toMatchObject({ resource: 'group/g', from: { at: { line: 10 } } });
  // spec, containers, the first, image
  expect(field).toMatchObject({ path: image, from: { at: { line: 14 } } });
});

test('without a GVC in the settings, names are compared as they are', () => {
  const one = { dev: [declare('gvc/shop-dev', {}, {}, 7)], prod: [declare('gvc/shop', {}, {}, 8)] };
  expect(placesOf(compare(one.dev, one.prod, [], {}))).toEqual(['gvc/shop', 'gvc/shop-dev']);
  expect(placesOf(compare(one.dev, one.prod, [], { prod: 'shop' }))).toEqual(['gvc/shop', 'gvc/shop-dev']);
  const teams = { dev: [declare('group/a', {}, {}, 7)], prod: [declare('group/a', {}, {}, 8)] };
  expect(compare(teams.dev, teams.prod, [], { prod: 'shop' })).toEqual([]);
  const same = { dev: [declare('gvc/a', {}, {}, 7)], prod: [declare('gvc/shop', {}, {}, 7)] };
  expect(placesOf(compare(same.dev, same.prod))).toEqual(['gvc/shop name']);
});

const different = (...values: readonly string[]) =>
  [[web('shop-dev', 'a:2', 3, ...values)], [web('shop', 'a:1', 9, ...values)]] as const;

test.each<[string, readonly string[], boolean]>([
  ['values.tag', ['tag'], true],
  ['values.image', ['image.tag'], true],
  ['values.tag', ['tag', 'other'], false],
  ['values.tag', [], false],
  [image, [], true],
  ['spec', [], true],
  ['spec.containers.*.image', [], true],
  ['spec.type', [], false],
  ['workload:spec', [], true],
  ['gvc:spec', [], false],
  ['workload/web:spec', [], true],
  ['workload/api:spec', [], false],
  ['workload/web', [], true],
])('%s permits an image made of %j: %s', (pattern, values, mayDiffer) => {
  expect(compare(...different(...values), [pattern]).map((each) => each.mayDiffer)).toEqual([mayDiffer]);
});

test.each<[string, boolean]>([
  ['values.tag', false],
  ['group/a', true],
  ['group/b', false],
  ['group/a:spec', false],
])('a missing resource is permitted by %s: %s', (pattern, mayDiffer) => {
  expect(compare([made('group/a', {}, 1, 'tag')], [], [pattern]).map((each) => each.mayDiffer)).toEqual([mayDiffer]);
});

test('the values in images are promoted, each once, unless the rules name others', () => {
  const differences = compare(
    [web('shop-dev', 'a:2', 3, 'tag', 'tag', 'registry'), made('group/a', { description: 'x' }, 5, 'side')],
    [web('shop', 'a:1', 9), made('group/a', { description: 'y' }, 5, 'side')],
  );
  expect(carriedPaths(differences, { mayDiffer: [], carry: undefined })).toEqual([['tag'], ['registry']]);
  expect(carriedPaths(differences, { mayDiffer: [], carry: [['side']] })).toEqual([['side']]);
  const allowed = compare(...different('tag'), ['spec']);
  expect(carriedPaths(allowed, { mayDiffer: [], carry: undefined })).toEqual([]);
  const at = { file: 'gantry.yaml', line: 1, column: 1 };
  const found = ['image', 'spec.image', 'spec.imagePullPolicy', 'preimage'].map((path) => ({
    ...{ resource: 'queue/q', path, mayDiffer: false, from: { at, values: [[path]] } },
  }));
  expect(carriedPaths(found, { mayDiffer: [], carry: undefined })).toEqual([['image'], ['spec.image']]);
  const added = [{ resource: 'queue/q', path: 'image', mayDiffer: false, to: { at, values: [['tag']] } }];
  expect(carriedPaths(added, { mayDiffer: [], carry: undefined })).toEqual([]);
  const gone = compare([], [web('shop', 'a:1', 9, 'tag')]);
  expect(carriedPaths(gone, { mayDiffer: [], carry: undefined })).toEqual([]);
});

test.each<[string, boolean]>([
  ['key', true],
  ['key.payload', true],
  ['tag', false],
  ['keys', false],
  ['key.other', false],
  ['second', true],
])('a secret contains %s: %s', (path, is) => {
  const secret = (payload: string) =>
    made('secret/s', { type: 'opaque', data: { payload } }, 2, 'key.payload', 'second');
  const differences = compare(
    [secret('a'), web('shop-dev', 'a:2', 3, 'tag')],
    [secret('b'), web('shop', 'a:1', 3, 'tag')],
  );
  expect(isSecretValue(path.split('.'), differences)).toBe(is);
});

test('a value declared in only one of them is not shown, and not hidden', () => {
  expect(isSecretValue(['tag'], compare([made('group/a', {}, 1, 'tag')], []))).toBe(false);
  const nothing = { value: null, at: { file: 'gantry.yaml', line: 1, column: 1 }, values: [['tag']] };
  expect(isSecretValue(['tag'], [{ resource: 'group/a', path: 'x', mayDiffer: false, from: nothing }])).toBe(false);
  const [secret] = compare(
    [made('secret/s', { type: 'opaque', data: { payload: 'a' } }, 2, 'key')],
    [declare('secret/s', { type: 'opaque' })],
  );
  expect(isSecretValue(['key'], secret === undefined ? [] : [secret])).toBe(true);
});

test.each([
  { it: 'both environments', marks: [['description'], ['description']] },
  { it: 'the source', marks: [['description'], undefined] },
  { it: 'the target', marks: [undefined, ['description']] },
])(
  'what $it mark as sensitive is hidden on both sides, and so are strings that contain it',
  ({ marks: [from, to] }) => {
    const marked = (password: string, sensitive: readonly string[] | undefined) =>
      declare('group/g', { description: password, tags: { copy: `of ${password}` } }, present({ sensitive }));
    const differences = compare(
      [marked('CANARY-dev', from)],
      [{ ...marked('CANARY-prod', to), record: { description: 'CANARY-prod', tags: { copy: 'none' } } }],
    );
    expect(placesOf(differences)).toEqual(expect.arrayContaining(['group/g description', 'group/g tags.copy']));
    expect(JSON.stringify(differences)).not.toContain('CANARY');
  },
);
