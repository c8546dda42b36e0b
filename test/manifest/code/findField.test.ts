import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Pointer } from '../../../src/base/json/pointer.ts';
import { ProgramText } from '../../../src/manifest/fieldPlaces.ts';

// biome-ignore format: a row is a case
const manifest: JsonObject = {
  kind: 'workload',
  name: 'web',
  spec: { type: 'serverless', containers: [{ name: 'main', image: 'shop:1', env: [{ name: 'MODE', value: 'prod' }] }] },
};

/** `«` is before the call, `»` before the expected place; there is one of each. */
function places(marked: string): { readonly text: string; readonly call: Place; readonly found: Place } {
  const call = marked.replace('»', '').indexOf('«');
  const found = marked.replace('«', '').indexOf('»');
  const text = marked.replace('«', '').replace('»', '');
  return { text, call: placeAt(text, call), found: placeAt(text, found) };
}

interface Place {
  readonly line: number;
  readonly column: number;
}

function placeAt(text: string, offset: number): Place {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

interface Case {
  readonly it: string;
  readonly code: string;
  readonly pointer: Pointer;
  readonly of?: 'field' | 'value';
}

const image: Pointer = ['spec', 'containers', 0, 'image'];

// biome-ignore format: a row is a case
const cases: readonly Case[] = [
  { it: 'the name of a field of `spec`, which props have at the top level',
    code: `«new Workload(gvc, 'web', { type: 'cron', containers: [{ name: 'main', »image: 'shop:1' }] });`,
    pointer: image },
  { it: 'a field of the only container, which services have at the top level too',
    code: `«new ServerlessService(gvc, 'web', { port: 8080, »image: 'shop:1' });`, pointer: image },
  { it: 'its value', code: `«new Workload(gvc, 'web', { containers: [{ image: »'shop:1' }] });`, pointer: image,
    of: 'value' },
  { it: 'the name of an object in shorthand, for its value too',
    code: `«new Workload(gvc, 'web', { »containers: [{ image: 'shop:1' }] });`, pointer: ['spec', 'containers'],
    of: 'value' },
  { it: 'the name of an object, for its value too', code: `«new Gvc(stack, 'web', { »tags: { a: 'b' } });`,
    pointer: ['tags'], of: 'value' },
  { it: 'a field before a spread',
    code: `«new Workload(gvc, 'web', { containers: [{ »image: 'a', ...others }] });`, pointer: image },
  {
    it: 'the object, if a name is computed from another object',
    code: `const base = { image: 'a' };
«new Workload(gvc, 'web', { containers: [»{ [base as Key]: 1 }] });`,
    pointer: image,
  },
  { it: 'an item after one that is a comma',
    code: `«new Workload(gvc, 'web', { containers: [',', { »image: 'a' }] });`,
    pointer: ['spec', 'containers', 1, 'image'] },
  { it: 'a tag with the name of a lifecycle setting',
    code: `«new Gvc(stack, 'a', { renamedFrom: 'b', tags: { »previously: 'c' } });`, pointer: ['tags', 'previously'] },
  { it: 'a field under a written-out spec',
    code: `«new RawResource(gvc, 'web', { spec: { containers: [{ »image: 'shop:1' }] } });`, pointer: image },
  { it: 'the enclosing one, if the field is missing',
    code: `«new Workload(gvc, 'web', { containers: [»{ name: 'main' }] });`, pointer: image },
  {
    it: 'a constant in the call',
    code: `const containers: readonly Container[] = [{ name: 'main', »image: 'shop:1' }] as const;
«new Workload(gvc, 'web', { type: 'cron', containers });`,
    pointer: image,
  },
  {
    it: 'a spread in an object; the last one wins',
    code: `const base = { image: 'shop:0' };
const main = { ...base, ...{ »image: 'shop:1' } };
«new Workload(gvc, 'web', { containers: [main] });`,
    pointer: image,
  },
  { it: 'an item written as a member of an object',
    code: `«new Workload(gvc, 'web', { containers: [{ env: { OTHER: 'x', »MODE: 'prod' } }] });`,
    pointer: ['spec', 'containers', 0, 'env', 0, 'value'] },
  { it: 'the id, if it is the name', code: `«new Workload(gvc, »'web', { type: 'cron' });`, pointer: ['name'] },
  { it: 'the former name', code: `«new Gvc(stack, 'a', { »renamedFrom: 'b' });`,
    pointer: ['lifecycle', 'previously'] },
  {
    it: 'a field after texts, comments, templates and patterns with brackets',
    code: `const odd = /[)}\\]'"]{2}/.test(\`\${'}'} { \`); // } ) ]
«new Workload(gvc, 'web', { /* { */ type: "cr\\"on{", containers: [{ name: \`m\${odd ? '}' : ')'}\`, »image: 'x' }] });`,
    pointer: image,
  },
  { it: 'a field of an object with methods, computed names and conditions',
    code: `«new Workload(gvc, 'web', { get() { return { image: 1 }; }, [key]: 2, type: a ? 'b' : 'c', containers: [{ »image }] });`,
    pointer: image },
  { it: 'props followed by a type',
    code: `«new Workload(gvc, 'web', { containers: [{ »image: 'x' }] } satisfies WorkloadProps);`, pointer: image },
  { it: 'a name in quotes, and the last of two equal names',
    code: `«new Workload(gvc, 'web', { containers: [{ 'image': 'shop:0', »"image": 'shop:1' }] });`, pointer: image },
  { it: 'a field in the last argument that is an object',
    code: `«new Workload({ containers: [] }, 'web', { containers: [{ »image: 'a' }] }, 5);`, pointer: image },
  { it: 'the name in the props before the id', code: `«new Workload(gvc, 'id', { name: »'web' });`, pointer: ['name'],
    of: 'value' },
  { it: 'a lifecycle setting',
    code: `«new Gvc(stack, 'a', { lifecycle: { protect: true, »previously: 'b' } });`,
    pointer: ['lifecycle', 'previously'] },
  { it: 'another setting beside the former name',
    code: `«new Gvc(stack, 'a', { renamedFrom: 'b', lifecycle: { »protect: true } });`,
    pointer: ['lifecycle', 'protect'] },
  { it: 'a field of the record outside of `spec`',
    code: `«new Workload(gvc, 'web', { type: 'cron', tags: { 'a.b': »'x' } });`, pointer: ['tags', 'a.b'],
    of: 'value' },
  { it: 'the second item after one with commas',
    code: `«new Workload(gvc, 'web', { containers: [f({ a: 1 }, [2, 3]), { name: (1, 2), »image: 'a' },] });`,
    pointer: ['spec', 'containers', 1, 'image'] },
  { it: 'an item before a spread in a list',
    code: `«new Workload(gvc, 'web', { containers: [{ »image: 'a' }, ...others] });`, pointer: image },
  { it: 'the list, for an item after a spread',
    code: `«new Workload(gvc, 'web', { »containers: [...others, { image: 'a' }] });`,
    pointer: ['spec', 'containers', 1, 'image'] },
  { it: 'the object, if the field is a method',
    code: `«new Workload(gvc, 'web', { containers: [»{ image() { return 'a'; } }] });`, pointer: image },
  { it: 'a field in brackets followed by a type',
    code: `«new Workload(gvc, 'web', ({ containers: (([({ »image: 'a' } as Container)])) }) as Props);`,
    pointer: image },
  {
    it: 'a constant with a type of several words',
    code: `const list: { image: string; port?: [number] }[] = [{ »image: 'a' }] satisfies List;
const props = { containers: list as List };
«new Workload(gvc, 'web', props as Props);`,
    pointer: image,
  },
  {
    it: 'a constant after the call, whose name is part of other words',
    code: `let props = {};
«new Workload(gvc, 'web', { containers: list.props ? [] : [], ...props });
use(props); const props = { »containers: [] };`,
    pointer: image,
  },
  { it: 'a field in a call over several lines',
    code: `import { Workload } from 'gantry';\n\nfor (const name of names)\n  «new Workload(\n    gvc,\n    name,\n    {\n      containers: [\n        { »image: 'a' },\n      ],\n    },\n  );`,
    pointer: image },
  { it: 'a list of the only container of a service, if its item has no place',
    code: `«new ServerlessService(gvc, 'web', { image: 'a', »env: variables });`,
    pointer: ['spec', 'containers', 0, 'env', 0, 'value'] },
  { it: 'a call of a class in a namespace, with type arguments',
    code: `«new gantry.Raw<Props>(gvc, 'web', { containers: [{ »image: 'a' }] });`, pointer: image },
  {
    it: 'a field after divisions and patterns',
    code: `const half = width / 2, rest = sizes[0] / 2, twice = (1) / 2, one = 1 / 2, found = /[/"]\\/[}]/g.test('a') ? 1 / 2 : 0;
«new Workload(gvc, 'web', { containers: [{ cpu: a / b, »image: 'a' }] });`,
    pointer: image,
  },
  ...["'('", "'{'", "'['", '-1', '(1)'].map((image) => ({ it: `the value ${image}, and a field behind it`,
      code: `«new Workload(gvc, 'web', { containers: [{ image: »${image}, cpu: 1 }] });`,
      pointer: ['spec', 'containers', 0, 'image'], of: 'value' as const })),
];

describe("the code of a construct's field", () => {
  test.each(cases)('$it', ({ code, pointer, of }) => {
    const { text, call, found } = places(code);
    expect(new ProgramText(text).find(call, manifest, pointer, of)).toEqual(found);
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'props that a function returns', code: `«new Workload(gvc, 'web', propsOf(name));»` },
      { it: 'a computed list', code: `«new Workload(gvc, 'web', all.map((each) => each));»` },
      { it: 'a name of two constants',
        code: `{ const p = { spec: 1 }; } const p = { spec: 2 };\n«new Gvc(s, 'a', p);»` },
      { it: 'a text that ends too early', code: `«new Workload(gvc, 'web', { spec: \`»` },
      { it: 'a position outside of the text', code: `// «»` },
      { it: 'a position inside a word', code: `n«ew Workload(gvc, 'web', { containers: [] });»` },
      { it: 'no call', code: `«Workload; f(gvc, 'web', { containers: [] });»` },
      { it: 'a class', code: `«class Web { props = f(gvc, 'web', { containers: [] }); }»` },
      { it: 'a call after a text that is a bracket', code: `«Workload['(', { containers: [] }];»` },
      { it: 'a text that equals the name of a constant', code: `const p = { containers: [] };\n«new Gvc(s, 'p');»` },
      { it: 'the result of a call on a literal', code: `«new Workload(gvc, 'web', { containers: [] }.copy);»` },
      { it: 'a sum', code: `«new Workload(gvc, 'web', props + { containers: [] });»` },
      { it: 'a list', code: `«new Workload(gvc, 'web', [{ containers: [] }]);»` },
      { it: 'a variable', code: `let p = { containers: [] };\n«new Workload(gvc, 'web', p);»` },
      { it: 'a member of a constant', code: `const p = { containers: [] };\n«new Workload(gvc, 'web', p.q);»` },
      { it: 'a constant from a call', code: `const p = f({ containers: [] });\n«new Workload(gvc, 'web', p);»` },
      { it: 'a constant of a loop', code: `for (const p of [{ containers: [] }])\n«new Workload(gvc, 'web', p);»` },
      { it: 'a constant without a value', code: `declare const p; { containers: [] }\n«new Workload(gvc, 'web', p);»` },
      { it: 'a constant at the end of the text', code: `«new Workload(gvc, 'web', p);»\ndeclare const p` },
      { it: 'a constant from another one',
        code: `const q = { containers: [] }, x = 1; const p = q as Props;\n«new Workload(gvc, 'web', p);»` },
      { it: 'constants that refer to each other',
        code: `const a = (b); const b = (a);\n«new Workload(gvc, 'web', a);»` },
      { it: 'a call without arguments', code: `«new Workload();»`, pointer: ['name'] },
      { it: 'a field of another list, although the props have its name',
        code: `«new Workload(gvc, 'web', { suspend: true });»`, pointer: ['spec', 'localOptions', 0, 'suspend'] },
      { it: 'constants that spread each other',
        code: `const a = { ...b }; const b = { ...a };\n«new Workload(gvc, 'web', a);»` },
      { it: 'props without it', code: `«new Workload(gvc, 'web', { type: 'cron', suspend: [] });»` },
      { it: 'a call without its end', code: `«new Workload(gvc, 'web', { containers: []»` },
      { it: 'a bracket without its start', code: `) ] }«new Workload»` },
    ],
  )('no place is found in $it', ({ code, pointer = ['spec', 'containers'] }) => {
    const { text, call } = places(code);
    expect(new ProgramText(text).find(call, manifest, pointer)).toBeUndefined();
  });

  test('no place is found for a missing line', () => {
    const program = new ProgramText(`new Workload(gvc, 'web', { containers: [] });`);
    expect(program.find({ line: 1, column: 1 }, manifest, ['spec', 'containers'])).toEqual({ line: 1, column: 28 });
    expect(program.find({ line: 2, column: 1 }, manifest, ['spec', 'containers'])).toBeUndefined();
  });
});
