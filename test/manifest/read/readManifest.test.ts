import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/base/json/json.ts';
import { flatten } from '../../../src/manifest/flatten.ts';
import { readManifest } from '../../../src/manifest/readManifest.ts';
import { documentsIn } from '../checking.ts';

const told = (value: JsonValue, gvc?: string) =>
  readManifest({ value }, gvc).problems.map(({ rule, path, message, hint }) => `${rule} ${path}: ${message} | ${hint}`);

describe('a value that is not a manifest', () => {
  test.each<[JsonValue, string]>([
    [[], 'a list'],
    ['', 'empty text'],
    ['x', 'a single string'],
    [5, 'a single number'],
    [true, 'a single boolean'],
  ])('%j', (value, is) => {
    expect(told(value)).toEqual([
      `manifest.not-a-resource : a manifest is an object, this is ${is} | Write kind, name and the fields of the resource.`,
    ]);
    expect(readManifest({ value }, undefined).manifest).toBeUndefined();
  });
});

describe('kind', () => {
  test.each<[JsonValue, string]>([
    ['worklod', 'there is no kind "worklod" | Did you mean "workload"?'],
    [1.1, 'there is no kind "1.1"'],
    [null, 'there is no kind "null"'],
    [false, 'there is no kind "false"'],
    [['gvc'], 'there is no kind "object"'],
    [{ a: 1 }, 'there is no kind "object"'],
    ['x'.repeat(99), `there is no kind "${'x'.repeat(80)}" |`],
    ['Some Kind', 'kinds: {NAME: {scope: org}}'],
    ['queue', 'kinds: {queue: {scope: org}}'],
    ['deployment', 'deployment is created by the platform and cannot be declared | Remove this manifest.'],
  ])('%j', (kind, says) => {
    expect(told({ kind, name: 'a' })).toEqual([expect.stringContaining(says)]);
  });

  test.each(['list', 'queryresult'])('%s without its items', (kind) => {
    expect(told({ kind, name: 'a' })).toEqual([
      `shape.type items: ${kind} needs its resources in "items" | Write items: a list of manifests.`,
    ]);
  });

  test('in its written form', () => {
    const written = () => '1.10';
    expect(readManifest({ value: { kind: 1.1, name: 'a' }, written }, undefined).problems[0]?.message).toBe(
      'there is no kind "1.10"',
    );
  });
});

describe('name', () => {
  const quotes = 'Write the name as text, in quotes if need be.';
  test.each<[JsonValue, string | undefined, string]>([
    ['', '', `shape.type name: name is empty | ${quotes}`],
    [null, '~', `shape.type name: name must be text | ${quotes}`],
    [1.1, undefined, `shape.type name: name must be text | ${quotes}`],
    [1.1, '1.10', 'shape.type name: name must be text | Put it in quotes: "1.10".'],
    [['a'], undefined, `shape.type name: name must be text | ${quotes}`],
  ])('%j, written %j', (name, text, says) => {
    const { problems } = readManifest({ value: { kind: 'gvc', name }, written: () => text }, undefined);
    expect(problems.map(({ rule, path, message, hint }) => `${rule} ${path}: ${message} | ${hint}`)).toEqual([says]);
  });

  test.each(['a/b', 'a b', 'a\tb', 'a\u0007', '\u202ea', '.', '..', '__proto__', 'constructor', 'prototype'])(
    '%j is refused',
    (name) => {
      expect(told({ kind: 'gvc', name })).toEqual([
        `manifest.unsafe-name name: ${JSON.stringify(name)} is not a usable name | Use lower-case letters, digits and "-".`,
      ]);
    },
  );

  test.each(['...', 'a.b', 'constructors', 'my-prototype', '__proto', 'A_b', 'größe'])('%j is accepted', (name) => {
    expect(readManifest({ value: { kind: 'gvc', name } }, undefined)).toMatchObject({
      manifest: { id: `gvc/${name}` },
      problems: [],
    });
  });

  test('80 characters of a long one are shown', () => {
    expect(told({ kind: 'gvc', name: `${'x'.repeat(99)}/` })[0]).toContain(`: "${'x'.repeat(80)}" is not`);
  });
});

describe('gvc', () => {
  const links = (...all: readonly JsonValue[]): JsonValue => [...all];
  const inShop = { rel: 'gvc', href: '/org/local/gvc/shop' };
  // biome-ignore format: a row is a case
  test.each<{ it: string; fields: Record<string, JsonValue>; option?: string; id: string }>([
    { it: 'declared', fields: { gvc: 'shop' }, id: 'identity/shop/a' },
    { it: 'from --gvc', fields: {}, option: 'shop', id: 'identity/shop/a' },
    { it: 'from both', fields: { gvc: 'shop' }, option: 'shop', id: 'identity/shop/a' },
    { it: 'from its links', fields: { links: links('x', { href: '/gvc/none' },
      { rel: 'self', href: '/org/local/gvc/b/identity/a' }, inShop) }, id: 'identity/shop/a' },
    { it: 'declared, not from its links', fields: { gvc: 'b', links: links(inShop) }, id: 'identity/b/a' },
    { it: 'from links and --gvc', fields: { links: links(inShop) }, option: 'shop', id: 'identity/shop/a' },
  ])('$it', ({ fields, option, id }) => {
    expect(readManifest({ value: { kind: 'identity', name: 'a', ...fields } }, option)).toMatchObject({
      manifest: { id },
      problems: [],
    });
  });

  const none =
    'manifest.gvc-missing gvc: an identity belongs to a GVC, and none was given | Add gvc: NAME, or pass --gvc NAME.';
  const form = 'shape.type gvc: gvc must be the name of a GVC | Write the name, not a link.';
  const other = (gvc: string) =>
    `manifest.gvc-mismatch gvc: gvc is "${gvc}", but "blue" was asked for | Remove gvc from the manifest, or leave out --gvc.`;
  test.each<{ it: string; fields: Record<string, JsonValue>; option?: string; says: string }>([
    { it: 'none', fields: {}, says: none },
    { it: 'links of another type', fields: { links: 'x' }, says: none },
    {
      it: 'a link to another resource',
      fields: { links: links({ rel: 'gvc', href: '/org/local/gvc/shop/x' }) },
      says: none,
    },
    { it: 'a link without an address', fields: { links: links({ rel: 'gvc' }) }, says: none },
    { it: 'a number', fields: { gvc: 5 }, option: 'blue', says: form },
    { it: 'an empty one', fields: { gvc: '' }, option: 'blue', says: form },
    { it: 'null', fields: { gvc: null }, option: 'blue', says: form },
    { it: 'a link', fields: { gvc: '//gvc/shop' }, says: form },
    { it: 'another one than --gvc', fields: { gvc: 'green' }, option: 'blue', says: other('green') },
    { it: 'a different one in its links', fields: { links: links(inShop) }, option: 'blue', says: other('shop') },
  ])('$it: the resource cannot be identified', ({ fields, option, says }) => {
    const value = { kind: 'identity', name: 'a', ...fields };
    expect(told(value, option)).toEqual([says]);
    expect(readManifest({ value }, option).manifest).toBeUndefined();
  });

  test('for a kind of the org it is refused, and --gvc has no effect', () => {
    expect(told({ kind: 'ipset', name: 'a', gvc: 'shop' }, 'blue')).toEqual([
      'manifest.gvc-not-allowed gvc: an ipset does not belong to a GVC | Remove gvc.',
    ]);
    expect(readManifest({ value: { kind: 'ipset', name: 'a' } }, 'blue')).toMatchObject({
      manifest: { id: 'ipset/a', ref: { kind: 'ipset', name: 'a' } },
      problems: [],
    });
  });
});

test('the record is the sent one: without our own and read-only fields', () => {
  const sent = { name: 'shop', description: 'd', tags: { a: 'b' }, spec: {}, other: 1 };
  const ours = { kind: 'gvc', lifecycle: {}, $schema: 'x' };
  const theirs = {
    id: '7',
    version: 3,
    created: 'x',
    lastModified: 'x',
    links: [],
    status: {},
    alias: 'x',
    health: {},
    origin: 'x',
  };
  const { manifest, problems } = readManifest({ value: { ...ours, ...sent, ...theirs } }, undefined);
  expect(problems).toEqual([]);
  expect(manifest?.record).toEqual(sent);
});

describe('dependsOn', () => {
  test.each([
    { kind: 'identity', written: ['workload/web'], ids: ['workload/shop/web'] },
    {
      kind: 'identity',
      written: ['workload/other/api', 'gvc/b', 'secret/x'],
      ids: ['workload/other/api', 'gvc/b', 'secret/x'],
    },
    { kind: 'secret', written: ['workload/other/api'], ids: ['workload/other/api'] },
  ])('of $kind: $written', ({ kind, written, ids }) => {
    const gvc = kind === 'identity' ? { gvc: 'shop' } : {};
    const { manifest, problems } = readManifest(
      { value: { kind, name: 'a', ...gvc, lifecycle: { dependsOn: written } } },
      undefined,
    );
    expect(problems).toEqual([]);
    expect(manifest?.lifecycle).toEqual({ dependsOn: ids });
  });

  test.each([
    'web',
    'workload',
    'workload/',
    '/web',
    'workload//web',
    'workload/shop/',
    'workload/a/b/c',
    'secret/shop/x',
    'secret/x/',
    'deployment/a',
    'nothing/a',
    'workload/web',
  ])('%j is not the id of a resource, for a secret', (id) => {
    const lifecycle = { dependsOn: ['gvc/a', id] };
    const { manifest, problems } = readManifest({ value: { kind: 'secret', name: 'a', lifecycle } }, undefined);
    expect(manifest?.lifecycle).toEqual({ dependsOn: ['gvc/a'] });
    expect(problems).toEqual([
      {
        rule: 'manifest.depends-on',
        path: 'lifecycle.dependsOn.1',
        pointer: ['lifecycle', 'dependsOn', 1],
        message: `"${id}" is not the id of a resource`,
        hint: 'Write kind/name, or kind/gvc/name for a resource in a GVC.',
        severity: 'error',
      },
    ]);
  });
});

test.each([
  { it: 'a list in a list', text: '[[{name: a}], [{name: b}, null]]', names: ['a', 'b'] },
  {
    it: 'nested lists of records',
    text: '{kind: list, items: [{kind: queryresult, items: [{name: a}]}]}',
    names: ['a'],
  },
  { it: 'not a list of records, without items', text: '{kind: list, name: x}', names: ['x'] },
  { it: 'not a list of records, with items of another type', text: '{kind: list, name: x, items: {}}', names: ['x'] },
  { it: 'not a list of records, of another kind', text: '{kind: gvc, name: x, items: [{name: a}]}', names: ['x'] },
  { it: 'a text', text: 'x', names: [undefined] },
])('flattened: $it', ({ text, names }) => {
  expect(flatten(documentsIn(text)).map(({ value }) => Object(value).name)).toEqual(names);
});
