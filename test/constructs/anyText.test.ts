import { Construct } from 'constructs';
import { Gvc, Stack, Testing, Workload } from 'gantry';
import { StackError, synth } from 'gantry/testing';
import { describe, expect, test } from 'vitest';

const texts = [
  { it: 'letters of other scripts', text: '店-ü-🚢' },
  { it: 'slashes', text: 'a/b//c' },
  { it: 'quotes', text: `it's "so" \`here\`` },
  { it: 'line ends and control characters', text: 'a\nb\tc\u0001\u2028' },
  { it: 'a space', text: ' ' },
  { it: 'half a surrogate pair', text: 'a\ud800' },
  { it: 'a number', text: '42' },
  { it: 'a directive of the patch language', text: '$patch/spec' },
  { it: 'a long text', text: 'x'.repeat(100_000) },
];

describe.each(texts)('$it', ({ text }) => {
  test('as the id of a resource with its own name', () => {
    const stack = Testing.stack();
    const gvc = new Gvc(stack, text, { name: 'shop' });
    new Workload(gvc, text, { name: 'web', type: 'standard', containers: [{ name: 'main', image: 'nginx:1' }] });

    expect(synth(stack)).toMatchObject([{ name: 'shop' }, { name: 'web', gvc: 'shop' }]);
    expect(stack.node.tryFindChild(text)).toBe(gvc);
  });

  test('as the id of a stack and of a group of resources', () => {
    const stack = new Stack(Testing.app(), text);
    new Gvc(new Construct(stack, text), 'shop');
    expect(synth(stack)).toMatchObject([{ name: 'shop' }]);
  });

  test('used twice as an id is an error', () => {
    const stack = Testing.stack();
    new Gvc(stack, text);
    expect(() => new Gvc(stack, text)).toThrow(/there is already a construct with the id/);
  });

  test('as a name is unchanged in the manifest, and rules report it at its line', () => {
    const stack = Testing.stack();
    const gvc = new Gvc(stack, 'shop', { name: text });
    expect(Testing.synth(stack)).toEqual([{ kind: 'gvc', name: text, spec: {} }]);
    if (/^[a-z][a-z0-9-]*$/.test(text) && text.length < 65) return;

    const thrown = errorOf(() => synth(stack));
    expect(thrown).toBeInstanceOf(StackError);
    const { line } = gvc.origin.position();
    expect(Object(thrown).problems[0]).toMatchObject({ path: 'name', position: { line } });
  });

  test('as the value of a tag and as its key', () => {
    const stack = Testing.stack();
    new Gvc(stack, 'shop', { tags: Object.fromEntries([[text, text]]) });
    const [manifest] = Testing.synth(stack);
    expect(Object.entries(Object(manifest).tags)).toEqual([[text, text]]);
  });
});

test.each(['__proto__', 'constructor', 'hasOwnProperty'])(
  'the id %s, which every object has as a member, is refused at its line, and the name is not',
  (text) => {
    const stack = Testing.stack();
    expect(() => new Gvc(stack, text)).toThrow(`"${text}" cannot be the id of a construct`);
    expect(() => new Stack(Testing.app(), text)).toThrow(`"${text}" cannot be the id of a construct`);
    const named = Testing.stack();
    new Gvc(named, 'shop', { name: text, tags: Object.fromEntries([[text, text]]) });
    const [manifest] = Testing.synth(named);
    expect(Object(manifest).name).toBe(text);
    expect(Object.entries(Object(manifest).tags)).toEqual([[text, text]]);
  },
);

test('an empty id is refused by constructs, an empty name by the rules', () => {
  const stack = Testing.stack();
  expect(() => new Gvc(stack, '')).toThrow('Only root constructs may have an empty ID');
  new Gvc(stack, 'shop', { name: '' });
  expect(Object(errorOf(() => synth(stack))).problems[0]).toMatchObject({ path: 'name' });
});

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
