import { describe, expect, test } from 'vitest';
import { loadValidators } from '../../src/kinds/validators.ts';
import { checkManifests } from '../../src/manifest/checkManifests.ts';
import { renderProblem } from '../../src/manifest/model/locatedProblem.ts';
import { parseManifestText } from '../../src/manifest/parseManifestText.ts';
import { creatableKinds } from '../../src/schema/record/kinds.ts';

const validators = await loadValidators(creatableKinds);

function check(text: string, gvc?: string) {
  const { documents, problems } = parseManifestText({ text, file: 'a.yaml', format: 'yaml' });
  expect(problems).toEqual([]);
  return checkManifests(
    documents,
    gvc === undefined ? { org: 'local', validators } : { org: 'local', gvc, validators },
  );
}

function errors(text: string, gvc?: string): readonly string[] {
  return check(text, gvc)
    .problems.filter(({ severity }) => severity === 'error')
    .map(({ position, rule, path }) => `${position.line}:${position.column} ${rule} ${path}`.trim());
}

const workload = (fields: string) => `kind: workload
name: web
gvc: shop
spec:
  type: standard
  containers:
    - name: main
      image: nginx:1
${fields}`;

describe('an invalid manifest', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'a string', text: 'hello', problems: ['1:1 manifest.not-a-resource'] },
      { it: 'a number in a list', text: '- 5', problems: ['1:3 manifest.not-a-resource'] },
      { it: 'without kind', text: 'name: abc', problems: ['1:1 shape.required kind'] },
      { it: 'without name', text: 'kind: gvc', problems: ['1:1 shape.required name'] },
      { it: 'an empty object', text: '{}', problems: ['1:1 shape.required kind', '1:1 shape.required name'] },
      { it: 'of an unknown kind', text: 'kind: worklod\nname: a', problems: ['1:7 manifest.unknown-kind kind'] },
      { it: 'of a kind with the name of an object property', text: 'kind: constructor\nname: abc',
        problems: ['1:7 manifest.unknown-kind kind'] },
      { it: 'of a kind that only the platform creates', text: 'kind: deployment\nname: abc',
        problems: ['1:7 manifest.read-only-kind kind'] },
      { it: 'of a kind of which only the limit can be set (platform/quota)',
        text: 'kind: quota\nname: workloads\nmax: 3', problems: ['1:7 manifest.read-only-kind kind'] },
      { it: 'of a kind that is created by a push (platform/image)', text: 'kind: image\nname: web:1',
        problems: ['1:7 manifest.read-only-kind kind'] },
      { it: 'with a number for a name', text: 'kind: gvc\nname: 5', problems: ['2:7 shape.type name'] },
      { it: 'with a path as its name', text: 'kind: gvc\nname: a/b', problems: ['2:7 manifest.unsafe-name name'] },
      { it: 'without a GVC', text: 'kind: identity\nname: abc', problems: ['1:1 manifest.gvc-missing gvc'] },
      { it: 'with a GVC for a kind of the org',
        text: 'kind: secret\nname: abc\ngvc: shop\ntype: opaque\ndata: {payload: x}',
        problems: ['3:1 manifest.gvc-not-allowed gvc'] },
      { it: 'with an infinite number', text: 'kind: gvc\nname: abc\ntags: {a: .inf}',
        problems: ['3:11 manifest.not-json tags.a'] },
    ],
  )('$it', ({ text, problems }) => {
    expect(errors(text)).toEqual(problems);
  });

  test('an unknown kind is reported with a suggestion', () => {
    expect(check('kind: worklod\nname: abc').problems[0]?.hint).toBe('Did you mean "workload"?');
  });
});

describe('fields', () => {
  test('an unknown one is an error with its line and a suggestion', () => {
    const [problem, ...rest] = check(workload('      imge: x')).problems;
    expect(rest).toEqual([]);
    expect(problem).toMatchObject({
      rule: 'shape.unknown-field',
      path: 'spec.containers.main.imge',
      position: { file: 'a.yaml', line: 9, column: 7 },
    });
    expect(problem?.hint).toContain('image');
  });

  test('a wrong type is an error at its path, once', () => {
    expect(errors(workload('      ports: [{number: eighty}]'))).toEqual([
      '9:24 shape.type spec.containers.main.ports.eighty.number',
    ]);
  });

  test('rules report nothing below a value of the wrong type', () => {
    const text = 'kind: workload\nname: api\ngvc: shop\nspec: nothing';
    expect(errors(text)).toEqual(['4:7 shape.type spec']);
  });

  test('a number without an exact representation is refused, at any depth', () => {
    expect(errors('kind: gvc\nname: abc\ntags: {a: 9007199254740993}')).toEqual(['3:11 manifest.not-json tags.a']);
    expect(errors('kind: gvc\nname: abc\ntags: {a: 9007199254740991}')).toEqual([]);
  });

  test('a mistake found by the schema and a rule is reported once', () => {
    const secret = 'kind: secret\nname: abc\ntype: opaque\ndata:\n  payload: x\n  colour:\n    red';
    expect(errors(secret)).toEqual(['6:3 shape.unknown-field data.colour']);
  });

  test('a list without items is reported', () => {
    expect(errors('kind: list\nname: abc\nitems: 5')).toEqual(['3:8 shape.type items']);
  });

  test('a thousand problems in one list all have a place', () => {
    const item = '{"kind":"agent","name":"abc","colour":1}';
    const text = `[\n${Array.from({ length: 1000 }, (_, n) => item.replace('abc', `abc-${n}`)).join(',\n')}\n]`;
    const { documents } = parseManifestText({ text, file: 'a.json', format: 'json' });
    const { problems } = checkManifests(documents, { org: 'local', validators });
    expect(problems.map(({ position }) => position.line)).toEqual(Array.from({ length: 1000 }, (_, n) => n + 2));
  });

  test('read-only fields are ignored, so an exported record is a valid manifest', () => {
    const text = `kind: identity
name: abc
id: 7
version: 4
created: x
lastModified: x
status: {objectName: y}
links:
  - {rel: self, href: /org/local/gvc/shop/identity/abc}
  - {rel: gvc, href: /org/local/gvc/shop}`;
    const { resources, problems } = check(text);
    expect(problems).toEqual([]);
    expect(resources).toMatchObject([{ id: 'identity/shop/abc', record: { name: 'abc' } }]);
    expect(Object.keys(resources[0]?.record ?? {})).toEqual(['name']);
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'a directive among tags', text: 'kind: gvc\nname: abc\ntags: {$drop: [a]}',
        problem: '3:8 manifest.directive-key tags.$drop' },
      { it: 'a directive in free-form JSON', text: workload('  sidecar: {proxy: {network: [{$replace/x: 1}]}}'),
        problem: expect.stringMatching(/^9:\d+ manifest\.directive-key/) },
      { it: '__proto__ among tags', text: 'kind: gvc\nname: abc\ntags: {__proto__: x}',
        problem: '3:8 manifest.unsafe-key tags.__proto__' },
    ],
  )('$it is refused (platform/patch.directives)', ({ text, problem }) => {
    expect(errors(text)).toEqual([problem]);
  });

  test('Object.prototype is not changed', () => {
    check('kind: gvc\nname: abc\n__proto__: {polluted: true}\nspec: {__proto__: {polluted: true}}');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('lifecycle.untyped exempts exactly its paths', () => {
    const text = `${workload('      brandNew: {a: 1}\n      other: 2')}\nlifecycle: {untyped: ["spec.containers.*.brandNew"]}`;
    expect(errors(text)).toEqual(['10:7 shape.unknown-field spec.containers.main.other']);
  });
});

describe('lifecycle', () => {
  test('is removed from the record', () => {
    const { resources, problems } = check(
      'kind: identity\nname: abc\ngvc: shop\nlifecycle: {protect: true, waitTimeout: 1h30m, ignore: ["tags.a"], dependsOn: [secret/x, workload/web, workload/other/api]}',
    );
    expect(problems).toEqual([]);
    expect(resources).toMatchObject([
      {
        record: { name: 'abc' },
        lifecycle: {
          protect: true,
          waitTimeout: '1h30m',
          ignore: ['tags.a'],
          dependsOn: ['secret/x', 'workload/shop/web', 'workload/other/api'],
        },
      },
    ]);
  });

  test.each([
    { it: 'no object', block: '[]', problem: '3:1 shape.type lifecycle' },
    { it: 'an unknown field', block: '{protekt: true}', problem: '3:13 shape.unknown-field lifecycle.protekt' },
    { it: 'a string instead of a boolean', block: '{retain: "yes"}', problem: '3:21 shape.type lifecycle.retain' },
    { it: 'a path with a gap', block: '{ignore: ["a..b"]}', problem: '3:22 manifest.path lifecycle.ignore.0' },
    { it: 'not an id', block: '{dependsOn: [web]}', problem: '3:25 manifest.depends-on lifecycle.dependsOn.0' },
    { it: 'its own id', block: '{dependsOn: [gvc/abc]}', problem: '3:25 manifest.depends-on lifecycle.dependsOn.0' },
  ])('$it is an error', ({ block, problem }) => {
    expect(errors(`kind: gvc\nname: abc\nlifecycle: ${block}`)).toEqual([problem]);
  });
});

describe('the GVC of --gvc', () => {
  test('sets a missing one', () => {
    expect(check('kind: identity\nname: abc', 'blue').resources).toMatchObject([{ id: 'identity/blue/abc' }]);
  });

  test('contradicts another one', () => {
    expect(errors('kind: identity\nname: abc\ngvc: green', 'blue')).toEqual(['3:6 manifest.gvc-mismatch gvc']);
  });
});

describe('a set of manifests', () => {
  test('duplicates are errors that name the first place; equal names in two GVCs are not duplicates', () => {
    const text = ['gvc: one', 'gvc: two', 'gvc: one'].map((gvc) => `kind: identity\nname: abc\n${gvc}`).join('\n---\n');
    const { problems } = check(text);
    expect(problems.map(renderProblem)).toEqual([
      'a.yaml:10:7  manifest.duplicate  name  identity/one/abc is declared twice; first at a.yaml:2  Remove or rename one of the two.',
    ]);
  });

  test('resources are in canonical order, for any order of input', () => {
    const names = (text: string) => check(text).resources.map(({ id }) => id);
    const texts = [
      'kind: secret\nname: abc\ntype: opaque\ndata: {payload: x}',
      'kind: identity\nname: abc\ngvc: b-1',
      'kind: identity\nname: xyz\ngvc: a-1',
    ];
    const expected = ['identity/a-1/xyz', 'identity/b-1/abc', 'secret/abc'];
    expect(names(texts.join('\n---\n'))).toEqual(expected);
    expect(names(texts.toReversed().join('\n---\n'))).toEqual(expected);
  });

  test('rules over several resources read the whole set (W31: one stateful workload per ext4 volume set)', () => {
    const mount = (name: string) => `kind: workload
name: ${name}
gvc: shop
spec:
  type: stateful
  containers:
    - {name: main, image: "a:1", volumes: [{uri: "scheme://volumeset/data", path: /data}]}`;
    const volumes =
      'kind: volumeset\nname: data\ngvc: shop\nspec: {initialCapacity: 10, performanceClass: general-purpose-ssd}';
    expect(errors([volumes, mount('one')].join('\n---\n'))).toEqual([]);
    expect(errors([volumes, mount('one'), mount('two')].join('\n---\n'))).not.toEqual([]);
  });

  test('a resource outside of the set may be live, and is no problem', () => {
    expect(errors(workload('  identityLink: //identity/elsewhere'))).toEqual([]);
  });

  test('problems of all documents are reported together, by line', () => {
    const text = `kind: gvc\nname: abc\nspec: {colour: red}\n---\nkind: gvc\nname: a/b\n---\nkind: nothing\nname: abc`;
    expect(errors(text)).toEqual([
      '3:8 shape.unknown-field spec.colour',
      '6:7 manifest.unsafe-name name',
      '8:7 manifest.unknown-kind kind',
    ]);
  });
});

test('a problem is one line, even if its text contains line breaks', () => {
  const [problem] = check('kind: "a\\nb\\e[31m"\nname: abc').problems;
  const line = problem === undefined ? '' : renderProblem(problem);
  expect(line).toMatch(/^a\.yaml:1:7 {2}manifest\.unknown-kind {2}kind {2}/);
  expect([...line].every((character) => character >= ' ')).toBe(true);
});
