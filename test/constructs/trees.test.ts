import { Construct, DependencyGroup, RootConstruct } from 'constructs';
import { Gvc, Identity, Testing } from 'gantry';
import { expect, test } from 'vitest';

const here = new URL(import.meta.url).pathname;

function atLine(line: number) {
  return { file: here, line, column: expect.any(Number) };
}

test('validations of a tree are applied: all messages, each at its construct', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop');
  gvc.node.addValidation({ validate: () => ['too small', 'too old'] });
  const group = new Construct(stack, 'group');
  const inside = new Identity(group, 'api', { gvc });
  group.node.addValidation({ validate: () => ['lonely'] });
  stack.node.addValidation({ validate: () => [] });
  stack.node.root.node.addValidation({ validate: () => ['no owner'] });
  const { line } = gvc.origin.position();

  const problems = [
    { rule: 'stack.validation', message: 'no owner', position: stack.origin.position() },
    { rule: 'stack.validation', message: 'too small', construct: 'test/shop', position: atLine(line) },
    { rule: 'stack.validation', message: 'too old', construct: 'test/shop', position: atLine(line) },
    { rule: 'stack.validation', message: 'lonely', construct: 'test/group', position: inside.origin.position() },
  ].map((problem) => expect.objectContaining(problem));
  expect(() => Testing.synth(stack.node.root)).toThrow(expect.objectContaining({ code: 'stack.validation', problems }));
  expect(() => Testing.synth(inside)).not.toThrow();
});

test('a successful validation changes nothing', () => {
  const stack = Testing.stack();
  new Gvc(stack, 'shop').node.addValidation({ validate: () => [] });
  expect(Testing.synth(stack)).toHaveLength(1);
});

test('a value that contains itself is reported at its construct', () => {
  const stack = Testing.stack();
  const tags: Record<string, unknown> = {};
  tags['self'] = tags;
  const gvc = new Gvc(stack, 'shop', { ...Object(tags), env: tags });
  const position = gvc.origin.position();
  expect(() => Testing.synth(stack)).toThrow(
    expect.objectContaining({ code: 'stack.cycle', problems: [expect.objectContaining({ position })] }),
  );
});

test('dependencies through a group of constructs are applied', () => {
  const stack = Testing.stack();
  const [first, second, third] = [new Gvc(stack, 'a'), new Gvc(stack, 'b'), new Gvc(stack, 'c')];
  third.node.addDependency(new DependencyGroup(first, second));
  expect(Testing.synth(third)).toMatchObject([{ lifecycle: { dependsOn: ['gvc/a', 'gvc/b'] } }]);
});

test('a locked stack accepts no more constructs', () => {
  const stack = Testing.stack();
  stack.node.lock();
  expect(() => new Gvc(stack, 'late')).toThrow(/Cannot add children/);
});

test('constructs in a root without an app belong to a test', () => {
  const root = new RootConstruct();
  new Gvc(root, 'shop');
  expect(Testing.synth(root)).toHaveLength(1);
});
