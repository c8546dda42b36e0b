import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { checkManifests } from '../../../src/manifest/checkManifests.ts';
import { renderProblem } from '../../../src/manifest/model/locatedProblem.ts';
import { outsidePlaces, parseSource, withOutsideValues } from '../../../src/manifest/outsidePlaces.ts';
import { documentsIn, options } from '../checking.ts';

const secret = (type: string, data: string) => `kind: secret\nname: key\ntype: ${type}\ndata: ${data}\n`;
const opaque = (payload: string) => secret('opaque', `{payload: ${payload}}`);
const workload = (marks: string) => `kind: workload
name: web
gvc: shop
lifecycle: {untyped: [spec.containers.main.brandNew], sensitive: [${marks}]}
spec:
  type: standard
  containers:
    - name: main
      image: nginx:1
      args: [{fromEnv: A}]
      brandNew: {fromEnv: B}
      env: [{name: X, value: {fromEnv: C}}]
`;

const places = (text: string) =>
  outsidePlaces(documentsIn(text)).places.map(({ path, position }) => `${position.line}:${position.column} ${path}`);

describe('an external value is permitted (docs/guarantees.md)', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'a string of a secret', text: opaque('{fromEnv: A}'), at: ['4:8 data.payload'] },
      { it: 'all of them', text: secret('userpass', '{username: {fromEnv: A}, password: {fromFile: b}}'),
        at: ['4:8 data.username', '4:32 data.password'] },
      { it: 'the data of a secret that is a string itself', text: secret('docker', '{fromFile: a}'), at: ['4:1 data'] },
      { it: 'an entry of a dictionary', text: secret('dictionary', '{a: {fromEnv: A}}'), at: ['4:8 data.a'] },
      { it: 'an item of a list in a secret', text: secret('ecr', '{repos: [plain, {fromEnv: A}]}'),
        at: ['4:23 data.repos.1'] },
      { it: 'a marked field', text: workload('spec.containers.main.env.X.value'),
        at: ['12:23 spec.containers.main.env.X.value'] },
      { it: 'a marked item of a list without keys', text: workload('spec.containers.main.args.0'),
        at: ['10:14 spec.containers.main.args.0'] },
      { it: 'a marked field outside the schema', text: workload('spec.containers.main.brandNew'),
        at: ['11:7 spec.containers.main.brandNew'] },
      { it: 'a marked free-form field',
        text: 'kind: gvc\nname: shop\nspec: {sidecar: {proxy: {clusters: [{name: a, health_checks: {fromEnv: D}}]}}}\nlifecycle: {sensitive: [spec.sidecar.proxy.clusters.a.health_checks]}',
        at: ['3:47 spec.sidecar.proxy.clusters.a.health_checks'] },
      { it: 'a marked value of any type',
        text: `kind: gvc\nname: shop\nspec: {sidecar: {proxy: {network: [{name: a, anything: {fromEnv: D}}]}}}\nlifecycle: {sensitive: [spec.sidecar.proxy.network.0.anything]}`,
        at: ['3:46 spec.sidecar.proxy.network.0.anything'] },
      { it: 'several marked ones', text: workload('spec.containers.*.env.*.value, spec.containers.*.args.*'),
        at: ['12:23 spec.containers.main.env.X.value', '10:14 spec.containers.main.args.0'] },
      { it: 'a string of a secret that is also marked, once',
        text: `${opaque('{fromEnv: A}')}lifecycle: {sensitive: [data.payload]}\n`, at: ['4:8 data.payload'] },
      { it: 'a value in the second item of a list',
        text: `kind: list\nitems:\n  - {kind: gvc, name: shop}\n  - {kind: secret, name: key, type: docker, data: {fromEnv: A}}\n`,
        at: ['4:45 data'] },
    ],
  )('$it', ({ text, at }) => {
    expect(places(text)).toEqual(at);
  });

  test.each([
    { it: 'a plain value', text: opaque('plain') },
    { it: 'an object of another kind', text: opaque('{from: A}') },
    { it: 'a key of a dictionary with that name', text: secret('dictionary', '{fromEnv: HOME}') },
    { it: 'a source instead of an object', text: secret('opaque', '{fromFile: a}') },
    { it: 'in a field outside the schema', text: secret('opaque', '{other: {fromEnv: A}}') },
    { it: 'a marked object', text: workload('spec.containers.main, spec.containers') },
    {
      it: 'a marked object instead of a list or an object',
      text: 'kind: gvc\nname: shop\nspec: {env: {fromEnv: A}, tracing: {fromEnv: B}}\nlifecycle: {sensitive: [spec.env, spec.tracing]}',
    },
    { it: 'instead of a list', text: secret('ecr', '{repos: {fromEnv: A}}') },
    { it: 'in a secret of an unknown type', text: secret('nosuch', '{payload: {fromEnv: A}}') },
    { it: 'in a secret without a value', text: secret('opaque', '') },
    { it: 'not marked', text: workload('') },
    {
      it: 'a mark that is not a string',
      text: 'kind: gvc\nname: shop\ntags: {"5": {fromEnv: A}}\nlifecycle: {sensitive: [5]}',
    },
    { it: 'without a kind', text: 'name: key\ntype: opaque\ndata: {payload: {fromEnv: A}}' },
    { it: 'of an unknown kind', text: 'kind: secrets\ndata: {payload: {fromEnv: A}}' },
    { it: 'in an unmarked field', text: 'kind: gvc\nname: shop\ndescription: {fromEnv: A}' },
    { it: 'without data', text: 'kind: secret\nname: key\ntype: docker' },
    { it: 'no resource', text: 'fromEnv: A' },
  ])('but not for $it', ({ text }) => {
    expect(places(text)).toEqual([]);
  });
});

describe('a source', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      [{ fromEnv: 'DB_PASSWORD' }, { from: 'env', name: 'DB_PASSWORD', base64: false }],
      [{ fromEnv: '_a1', base64: false }, { from: 'env', name: '_a1', base64: false }],
      [{ base64: true, fromEnv: 'a' }, { from: 'env', name: 'a', base64: true }],
      [{ fromEnv: 'MY_GANTRY_KEY' }, { from: 'env', name: 'MY_GANTRY_KEY', base64: false }],
      [{ fromEnv: 'GANTRYX' }, { from: 'env', name: 'GANTRYX', base64: false }],
      [{ fromFile: '../keys/a b.der', base64: true }, { from: 'file', path: '../keys/a b.der', base64: true }],
      [{ fromCommand: ['cat'] }, { from: 'command', command: ['cat'], base64: false }],
      [{ fromCommand: ['sh', '-c', ''], base64: true }, { from: 'command', command: ['sh', '-c', ''], base64: true }],
    ],
  )('%j', (object, source) => {
    expect(parseSource(object)).toEqual(source);
  });

  const [two, name, ours, path, command, form] = [
    'beside fromEnv, fromFile or fromCommand only base64 is allowed',
    'fromEnv must be the name of a variable',
    'variables that begin with GANTRY_ are not handed to manifests',
    'fromFile must be the path of a file',
    'fromCommand must be a list of a program and its arguments',
    'base64 must be true or false',
  ];
  const wrong: readonly (readonly [JsonObject, string])[] = [
    [{ fromEnv: 'A', fromFile: 'b' }, two],
    [{ fromEnv: 'A', trim: true }, two],
    [{ trim: true, fromEnv: 'A' }, two],
    [{ fromEnv: 'A', base64: 'true' }, form],
    [{ fromEnv: 'A', base64: null }, form],
    [{ fromEnv: '' }, name],
    [{ fromEnv: 5 }, name],
    [{ fromEnv: ['A'] }, name],
    [{ fromEnv: '1A' }, name],
    [{ fromEnv: 'A-B' }, name],
    [{ fromEnv: 'A=' }, name],
    [{ fromEnv: ' A' }, name],
    [{ fromEnv: 'GANTRY_TOKEN' }, ours],
    [{ fromEnv: 'gantry_token' }, ours], // on Windows that is the same variable
    [{ fromFile: '' }, path],
    [{ fromFile: ['a'] }, path],
    [{ fromFile: 'a\0b' }, path],
    [{ fromCommand: 'cat x' }, command],
    [{ fromCommand: [] }, command],
    [{ fromCommand: [''] }, command],
    [{ fromCommand: ['', 'x'] }, command],
    [{ fromCommand: ['cat', 5] }, command],
    [{ fromCommand: ['cat', 'a\0b'] }, command],
  ];
  test.each(wrong)('of an invalid form: %j', (object, problem) => {
    expect(parseSource(object)).toEqual({ problem });
  });

  test('of an invalid form is a problem at its place, and is not read', () => {
    const { places: found, problems } = outsidePlaces(documentsIn(opaque('{fromEnv: A-B}')));
    expect(problems.map(renderProblem)).toEqual([
      'a.yaml:4:8  value.source  data.payload  fromEnv must be the name of a variable  Write {fromEnv: NAME}, {fromFile: PATH} or {fromCommand: [PROGRAM, ARGUMENT]}.',
    ]);
    expect(found).toEqual([
      { document: 0, at: ['data', 'payload'], path: 'data.payload', position: { file: 'a.yaml', line: 4, column: 8 } },
    ]);
  });
});

describe('external values that were read', () => {
  const text = [
    'kind: gvc\nname: shop\n',
    secret('userpass', "{username: {fromEnv: USER}, password: '{fromEnv: A}', encoding: {fromEnv: MISSING}}"),
    opaque('{fromEnv: PAYLOAD}').replace('key', 'other'),
  ].join('---\n');
  const env: ReadonlyMap<string, string> = new Map([
    ['USER', 'shop'],
    ['PAYLOAD', ''],
  ]);
  function read() {
    const { documents, places: found } = outsidePlaces(documentsIn(text));
    const filled = withOutsideValues(documents, found, ({ source }) =>
      source?.from === 'env' ? env.get(source.name) : undefined,
    );
    return { documents, filled };
  }

  test('replace their sources', () => {
    expect(read().filled.map(({ value }) => value)).toEqual([
      { kind: 'gvc', name: 'shop' },
      {
        kind: 'secret',
        name: 'key',
        type: 'userpass',
        data: { username: 'shop', password: '{fromEnv: A}', encoding: 'value-from-outside' },
      },
      { kind: 'secret', name: 'other', type: 'opaque', data: { payload: '' } },
    ]);
  });

  test('differ from sources that were not read', () => {
    const { documents, filled } = read();
    expect(filled.map(({ outside }) => outside)).toEqual([
      undefined,
      { read: [['data', 'username']], awaited: [['data', 'encoding']] },
      { read: [['data', 'payload']], awaited: [] },
    ]);
    expect(filled[0]).toBe(documents[0]);
  });

  test('keep their places', () => {
    expect(read().filled[1]?.locate(['data', 'username'])).toEqual({ file: 'a.yaml', line: 7, column: 8 });
  });
});

describe('checks with external values', () => {
  function problems(text: string, valueAt: () => string | undefined): readonly string[] {
    const { documents, places: found } = outsidePlaces(documentsIn(text));
    return checkManifests(withOutsideValues(documents, found, valueAt), options).problems.map(
      ({ rule, path }) => `${rule} ${path}`,
    );
  }
  const unread = () => undefined;
  const template = () => '$'.concat('{HOME}');

  test('rules report nothing about a value that was not read', () => {
    const text = secret('userpass', '{username: a, password: b, encoding: {fromEnv: ENCODING}}');
    expect(problems(text, unread)).toEqual([]);
    expect(problems(text, () => 'morse')).toEqual(['shape.enum data.encoding']);
  });

  test('a text that looks like a template is reported where it was written, not where it was read', () => {
    expect(problems(opaque('{fromEnv: A}'), template)).toEqual([]);
    expect(problems(opaque(`'a ${template()} b'`), unread)).toEqual(['value.literal data.payload']);
    expect(problems(secret('ecr', `{accessKey: a, secretKey: b, repos: [x, '${template()}']}`), unread)).toContain(
      'value.literal data.repos.1',
    );
  });
});
