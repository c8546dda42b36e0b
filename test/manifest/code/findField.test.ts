import { describe, expect, test } from 'vitest';
import { ProgramText } from '../../../src/manifest/code/findField.ts';
import type { JsonObject } from '../../../src/schema/json/json.ts';
import type { Pointer } from '../../../src/schema/json/pointer.ts';

const manifest: JsonObject = {
  kind: 'workload',
  name: 'web',
  spec: {
    type: 'serverless',
    containers: [{ name: 'main', image: 'shop:1', env: [{ name: 'MODE', value: 'prod' }] }],
  },
};

/** `«` is before the call, `»` before the place that is to be found; there is one of each. */
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

const cases: readonly Case[] = [
  {
    it: 'the name of a field of `spec`, which props have flat',
    code: `«new Workload(gvc, 'web', { type: 'cron', containers: [{ name: 'main', »image: 'shop:1' }] });`,
    pointer: image,
  },
  {
    it: 'a field of the only container, which services have flat as well',
    code: `«new ServerlessService(gvc, 'web', { port: 8080, »image: 'shop:1' });`,
    pointer: image,
  },
  {
    it: 'its value',
    code: `«new Workload(gvc, 'web', { containers: [{ image: »'shop:1' }] });`,
    pointer: image,
    of: 'value',
  },
  {
    it: 'the name of what is an object, for its value too',
    code: `«new Workload(gvc, 'web', { »containers: [{ image: 'shop:1' }] });`,
    pointer: ['spec', 'containers'],
    of: 'value',
  },
  {
    it: 'a field under a spec that is written out',
    code: `«new RawResource(gvc, 'web', { spec: { containers: [{ »image: 'shop:1' }] } });`,
    pointer: image,
  },
  {
    it: 'the enclosing one, where a field is not there',
    code: `«new Workload(gvc, 'web', { containers: [»{ name: 'main' }] });`,
    pointer: image,
  },
  {
    it: 'a constant that the call names',
    code: `const containers: readonly Container[] = [{ name: 'main', »image: 'shop:1' }] as const;
«new Workload(gvc, 'web', { type: 'cron', containers });`,
    pointer: image,
  },
  {
    it: 'what is spread into an object; the last one wins',
    code: `const base = { image: 'shop:0' };
const main = { ...base, ...{ »image: 'shop:1' } };
«new Workload(gvc, 'web', { containers: [main] });`,
    pointer: image,
  },
  {
    it: 'an item that is written as a member of an object',
    code: `«new Workload(gvc, 'web', { containers: [{ env: { OTHER: 'x', »MODE: 'prod' } }] });`,
    pointer: ['spec', 'containers', 0, 'env', 0, 'value'],
  },
  {
    it: 'the id, where the name is that',
    code: `«new Workload(gvc, »'web', { type: 'cron' });`,
    pointer: ['name'],
  },
  {
    it: 'the name that it had',
    code: `«new Gvc(stack, 'a', { »renamedFrom: 'b' });`,
    pointer: ['lifecycle', 'previously'],
  },
  {
    it: 'a field behind texts, comments, templates and patterns that hold brackets',
    code: `const odd = /[)}\\]'"]{2}/.test(\`\${'}'} { \`); // } ) ]
«new Workload(gvc, 'web', { /* { */ type: "cr\\"on{", containers: [{ name: \`m\${odd ? '}' : ')'}\`, »image: 'x' }] });`,
    pointer: image,
  },
  {
    it: 'a field of an object with methods, computed names and conditions',
    code: `«new Workload(gvc, 'web', { get() { return { image: 1 }; }, [key]: 2, type: a ? 'b' : 'c', containers: [{ »image }] });`,
    pointer: image,
  },
  {
    it: 'props with a type behind them',
    code: `«new Workload(gvc, 'web', { containers: [{ »image: 'x' }] } satisfies WorkloadProps);`,
    pointer: image,
  },
];

describe('a field of a construct is found in the code', () => {
  test.each(cases)('$it', ({ code, pointer, of }) => {
    const { text, call, found } = places(code);
    expect(new ProgramText(text).find(call, manifest, pointer, of)).toEqual(found);
  });

  test.each([
    { it: 'props that a function returns', code: `«new Workload(gvc, 'web', propsOf(name));»` },
    { it: 'a list that is computed', code: `«new Workload(gvc, 'web', all.map((each) => each));»` },
    {
      it: 'a name that two constants have',
      code: `{ const p = { spec: 1 }; } const p = { spec: 2 };\n«new Gvc(s, 'a', p);»`,
    },
    { it: 'a text that ends in the middle', code: `«new Workload(gvc, 'web', { spec: \`»` },
    { it: 'a position that is none of the text', code: `// «»` },
  ])('of $it nothing is found', ({ code }) => {
    const { text, call } = places(code);
    expect(new ProgramText(text).find(call, manifest, ['spec', 'containers'])).toBeUndefined();
  });
});
