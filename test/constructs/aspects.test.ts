import { Construct, type IConstruct } from 'constructs';
import { Annotations, type Aspect, AspectPriority, Aspects, Group, Gvc, Tags, Testing } from 'gantry';
import { StackError } from 'gantry/testing';
import { expect, test } from 'vitest';

/** Records the constructs that it visits. */
function noting(name: string, visited: string[]): Aspect {
  return { visit: ({ node }) => visited.push(`${name} ${node.path}`) };
}

function problemsOf(run: () => unknown): readonly object[] {
  try {
    run();
  } catch (error) {
    if (error instanceof StackError) return error.problems;
    throw error;
  }
  return [];
}

test('an aspect visits its scope and everything inside once, outer constructs first', () => {
  const stack = Testing.stack();
  const group = new Construct(stack, 'group');
  new Gvc(group, 'shop');
  const visited: string[] = [];
  Aspects.of(group).add(noting('inner', visited));
  Aspects.of(stack).add(noting('outer', visited));
  Testing.synth(stack);
  Testing.synth(stack);
  expect(visited).toEqual([
    'outer test',
    'outer test/group',
    'inner test/group',
    'outer test/group/shop',
    'inner test/group/shop',
  ]);
});

test('an aspect of a lower priority comes first, in any scope', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop');
  const visited: string[] = [];
  Aspects.of(stack).add(noting('last', visited), { priority: AspectPriority.readonly });
  Aspects.of(stack).add(noting('second', visited));
  Aspects.of(gvc).add(noting('first', visited), { priority: AspectPriority.mutating });
  Testing.synth(gvc);
  expect(visited).toEqual(['first test/shop', 'second test/shop', 'last test/shop']);
  expect(Aspects.of(stack).all).toHaveLength(2);
});

test('an aspect may add constructs, which are visited too, and aspects', () => {
  const stack = Testing.stack();
  const visited: string[] = [];
  Aspects.of(stack).add({
    visit(construct) {
      if (!(construct instanceof Gvc)) return;
      new Group(stack, `${construct.name}-team`);
      Aspects.of(stack).add(noting('late', visited));
    },
  });
  new Gvc(stack, 'shop');
  expect(Testing.synth(stack).map(({ kind, name }) => `${kind}/${name}`)).toEqual(['gvc/shop', 'group/shop-team']);
  expect(visited.toSorted()).toEqual(['late test', 'late test/shop', 'late test/shop-team']);
});

test('an endless number of aspects is an error', () => {
  const stack = Testing.stack();
  let count = 0;
  const again: Aspect = {
    visit: () => {
      count += 1;
      Aspects.of(stack).add({ visit: again.visit });
    },
  };
  Aspects.of(stack).add(again);
  expect(() => Testing.synth(stack)).toThrow(expect.objectContaining({ code: 'stack.aspect' }));
  expect(count).toBeGreaterThan(50);
});

test('validations added by an aspect are applied, at the line of the visited construct', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop');
  Aspects.of(stack.node.root).add({
    visit(construct: IConstruct) {
      if (construct instanceof Gvc) construct.node.addValidation({ validate: () => ['a GVC needs a team'] });
    },
  });
  expect(problemsOf(() => Testing.synth(stack))).toEqual([
    expect.objectContaining({
      rule: 'stack.validation',
      message: 'a GVC needs a team',
      construct: 'test/shop',
      resource: 'gvc/shop',
      position: gvc.origin.position(),
    }),
  ]);
});

test('a construct that depends on itself is a problem of that construct', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop');
  gvc.node.addDependency(gvc);
  expect(problemsOf(() => Testing.synth(stack))).toEqual([
    expect.objectContaining({
      rule: 'manifest.depends-on',
      message: 'gvc/shop depends on itself',
      severity: 'error',
      construct: gvc.node.path,
    }),
  ]);
});

test('annotations are problems of their construct: an error stops, a warning does not', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop');
  Annotations.of(gvc).addWarning('soon to be full');
  expect(Testing.synth(stack)).toHaveLength(1);
  Annotations.of(gvc).addError('too large', 'Ask the platform team.');
  expect(problemsOf(() => Testing.synth(stack))).toEqual([
    expect.objectContaining({ rule: 'stack.annotation', severity: 'warning', message: 'soon to be full' }),
    expect.objectContaining({
      rule: 'stack.annotation',
      severity: 'error',
      message: 'too large',
      hint: 'Ask the platform team.',
      position: gvc.origin.position(),
    }),
  ]);
});

test('all resources with a problem are reported together', () => {
  const stack = Testing.stack();
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  const wrong = ['a', 'b'].map((id) => new Gvc(stack, id, Object({ env: circle })));
  expect(problemsOf(() => Testing.synth(stack))).toEqual(
    wrong.map((gvc) => expect.objectContaining({ rule: 'stack.cycle', position: gvc.origin.position() })),
  );
});

test('tags of a scope are added to all resources in it; the inner scope wins, and props lose', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop', { tags: { team: 'nobody', own: 1 } });
  new Group(stack, 'readers');
  Tags.of(stack).add('team', 'platform');
  Tags.of(stack).add('cost-center', '4711', { exceptKinds: ['group'] });
  Tags.of(gvc).add('team', 'payments');
  expect(Testing.synth(stack)).toMatchObject([
    { name: 'shop', tags: { own: 1, team: 'payments', 'cost-center': '4711' } },
    { name: 'readers', tags: { team: 'platform' } },
  ]);
});

test('a tag is removed, whatever added it', () => {
  const stack = Testing.stack();
  const gvc = new Gvc(stack, 'shop', { tags: { team: 'nobody' } });
  Tags.of(stack).remove('team', { kinds: ['gvc'] });
  Tags.of(gvc).add('team', 'payments');
  expect(Testing.synth(stack)).toEqual([{ kind: 'gvc', name: 'shop', spec: {}, tags: {} }]);
});
