import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { usePlatform } from '../harness/usePlatform.ts';

/** What a person set stays a person's when a stack declares the same (law 1); what goes along with a renaming (law 5). */
const root = temporaryFolder('claims-of-persons');
const platform = usePlatform();
const run = (folder: string, ...args: readonly string[]) => inProcess(platform, args, { cwd: folder });
const live = async (path: string): Promise<JsonObject> => (await platform.call('GET', `/org/local/${path}`)).body;
const byHand = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: JsonObject) =>
  platform.call(method, `/org/local/${path}`, body);

/** A stack with a folder of its own. */
function stackOf(stack: string) {
  const folder = mkdtempSync(join(root, stack));
  const kinds = 'kinds: {widget: {immutable: [spec.size], listKeys: {spec.rules: name}, disposable: true}}\n';
  writeFileSync(join(folder, 'gantry.yaml'), `stack: ${stack}\nproject: persons\n${kinds}`);
  return {
    folder,
    async apply(manifest: string, ...flags: readonly string[]): Promise<void> {
      writeFileSync(join(folder, 'stack.yaml'), manifest);
      await succeeded(run(folder, 'apply', '.', '--yes', ...flags));
      expect((await run(folder, 'plan', '.', '--detailed-exitcode')).code).toBe(0);
    },
  };
}

async function tagsOf(path: string): Promise<JsonObject> {
  const tags = Object.entries(objectAt(await live(path), 'tags'));
  return Object.fromEntries(tags.filter(([key]) => !key.startsWith('gantry/')));
}

describe('a field of a custom kind that a person set stays when the code no longer declares it', () => {
  const widget = (name: string, spec: string, more = '') => `kind: widget\nname: ${name}\n${more}spec: ${spec}\n`;

  test('although the stack adopted the record, and declared the same value', async () => {
    const { apply, folder } = stackOf('adopting');
    await run(folder, 'status'); // the kinds of gantry.yaml are known from here on
    await byHand('POST', 'widget', { name: 'adopted', spec: { a: 1, rules: [{ name: 'r1', v: 1 }] } });
    await apply(widget('adopted', '{a: 1, b: 2, rules: [{name: r1, v: 1}, {name: r2, v: 2}]}'), '--adopt');
    await apply(widget('adopted', '{c: 3}'));
    expect((await live('widget/adopted'))['spec']).toEqual({ a: 1, c: 3, rules: [{ name: 'r1', v: 1 }] });
  });

  test('although a later version of the code declared the same value', async () => {
    const { apply } = stackOf('agreeing');
    await apply(widget('agreed', '{b: 1}'));
    await byHand('PATCH', 'widget/agreed', { spec: { a: 1 } });
    await apply(widget('agreed', '{a: 1, b: 2}'));
    await apply(widget('agreed', '{b: 3}'));
    expect((await live('widget/agreed'))['spec']).toEqual({ a: 1, b: 3 });
  });

  test('although the stack had set another value before, and the code came to equal that of the person', async () => {
    const { apply } = stackOf('equal');
    await apply(widget('equal', '{a: 1, b: 1}'));
    await byHand('PATCH', 'widget/equal', { spec: { a: 2 } });
    await apply(widget('equal', '{a: 2, b: 2}'));
    await apply(widget('equal', '{b: 3}'));
    expect((await live('widget/equal'))['spec']).toEqual({ a: 2, b: 3 });
  });

  test('although the record was replaced in between, and the stack’s own fields go', async () => {
    const replace = 'lifecycle: {replace: true}\n';
    const { apply } = stackOf('replacing');
    await apply(widget('replaced', '{size: small, b: 1}'));
    await byHand('PATCH', 'widget/replaced', { spec: { a: 1 } });
    await apply(widget('replaced', '{size: large, a: 1, b: 1}', replace));
    await apply(widget('replaced', '{size: large}', replace));
    expect((await live('widget/replaced'))['spec']).toEqual({ size: 'large', a: 1 });
  });

  test('although the stack declared another value and ignored it', async () => {
    const ignore = 'lifecycle: {ignore: [spec.a]}\n';
    const { apply } = stackOf('ignoring');
    await apply(widget('ignored', '{b: 1}'));
    await byHand('PATCH', 'widget/ignored', { spec: { a: 1 } });
    await apply(widget('ignored', '{a: 5, b: 2}', ignore));
    await apply(widget('ignored', '{b: 3}'));
    expect((await live('widget/ignored'))['spec']).toEqual({ a: 1, b: 3 });
  });

  test('and goes where the stack overwrote it', async () => {
    const { apply } = stackOf('overwriting');
    await apply(widget('overwritten', '{b: 1}'));
    await byHand('PATCH', 'widget/overwritten', { spec: { a: 1 } });
    await apply(widget('overwritten', '{a: 2, b: 1}'));
    await apply(widget('overwritten', '{b: 1}'));
    expect((await live('widget/overwritten'))['spec']).toEqual({ b: 1 });
  });
});

describe('what a stack had set, and a person set to what the code then came to declare, is the person’s', () => {
  test('a tag stays when the owner no longer declares it', async () => {
    const group = (fields: string) => `kind: group\nname: tagged\n${fields}\n`;
    const { apply } = stackOf('tagging');
    await apply(group('tags: {cost: "7"}'));
    await byHand('PATCH', 'group/tagged', { tags: { cost: '8' } });
    await apply(group('description: new\ntags: {cost: "8"}'));
    await apply(group('description: newer'));
    expect(await tagsOf('group/tagged')).toEqual({ cost: '8' });
  });

  test('a tag stays after a replacement too', async () => {
    const widget = (size: string, tags = '') =>
      `kind: widget\nname: tagged\nlifecycle: {replace: true}\n${tags}spec: {size: ${size}}\n`;
    const { apply } = stackOf('replaced-tag');
    await apply(widget('small', 'tags: {cost: "7"}\n'));
    await byHand('PATCH', 'widget/tagged', { tags: { cost: '8' } });
    await apply(widget('large', 'tags: {cost: "8"}\n'));
    await apply(widget('large'));
    expect(await tagsOf('widget/tagged')).toEqual({ cost: '8' });
  });

  test('an item stays when both parts that declare it let go of it', async () => {
    await byHand('POST', 'gvc', { name: 'both', spec: { env: [] } });
    const part = (env: string) => `kind: gvc\nname: both\nlifecycle: {part: true}\nspec: {env: [${env}]}\n`;
    const [first, second] = [stackOf('first'), stackOf('second')];
    await first.apply(part('{name: A, value: "1"}'));
    await second.apply(part('{name: A, value: "1"}'));
    await byHand('PATCH', 'gvc/both', { spec: { env: [{ name: 'A', value: '2' }] } });
    await first.apply(part('{name: A, value: "2"}, {name: B, value: "1"}'));
    await second.apply(part('{name: A, value: "2"}, {name: C, value: "1"}'));
    await first.apply(part('{name: B, value: "1"}'));
    await second.apply(part('{name: C, value: "1"}'));
    const { env } = objectAt(await live('gvc/both'), 'spec');
    expect(env).toContainEqual({ name: 'A', value: '2' });
  });

  test('a tag stays of a record that the person had created again with the tags of the stack', async () => {
    const group = (fields: string) => `kind: group\nname: again\ntags: {team: a}\n${fields}\n`;
    const { apply } = stackOf('again');
    await apply(group('').replace('a}', 'a, cost: "7"}'));
    await apply(group('description: written by a PATCH').replace('a}', 'a, cost: "7"}'));
    const tags = objectAt(await live('group/again'), 'tags');
    await byHand('DELETE', 'group/again', {});
    await byHand('POST', 'group', { name: 'again', tags: { ...tags, cost: '8' } });
    await byHand('PATCH', 'group/again', { description: 'its version is that of the mark' });
    await apply(group('description: new'));
    expect(await tagsOf('group/again')).toEqual({ team: 'a', cost: '8' });
  });

  test('an item stays when the part no longer declares it', async () => {
    await byHand('POST', 'gvc', { name: 'shared', spec: { env: [] } });
    const part = (env: string) => `kind: gvc\nname: shared\nlifecycle: {part: true}\nspec: {env: [${env}]}\n`;
    const { apply } = stackOf('part');
    await apply(part('{name: A, value: "1"}'));
    await byHand('PATCH', 'gvc/shared', { spec: { env: [{ name: 'A', value: '2' }] } });
    await apply(part('{name: A, value: "2"}, {name: B, value: "1"}'));
    await apply(part('{name: C, value: "1"}'));
    expect(objectAt(await live('gvc/shared'), 'spec')['env']).toEqual([
      { name: 'A', value: '2' },
      { name: 'C', value: '1' },
    ]);
  });
});

test('a tag of a person stays that the owner and a part had set, and the owner ignores, renames with and drops', async () => {
  const group = (name: string, fields: string) => `kind: group\nname: ${name}\n${fields}\n`;
  const owner = stackOf('moving');
  await owner.apply(group('shared-tag', 'tags: {cost: "7"}'));
  await stackOf('sharing').apply(group('shared-tag', 'lifecycle: {part: true}\ntags: {cost: "7"}'));
  await byHand('PATCH', 'group/shared-tag', { tags: { cost: '8' } });
  const lifecycle = 'lifecycle: {ignore: [tags.cost], previously: shared-tag}';
  await owner.apply(group('moved-tag', `${lifecycle}\ntags: {cost: "7"}`), '--allow-collateral=1');
  await owner.apply(group('moved-tag', ''));
  expect(await tagsOf('group/moved-tag')).toEqual({ cost: '8' });
});

describe('what a person set after a part did goes along with a renaming by the owner, who does not declare it:', () => {
  test('a tag that the person had removed and set again', async () => {
    const group = (name: string, fields: string) => `kind: group\nname: ${name}\n${fields}\n`;
    const owner = stackOf('carrying');
    await owner.apply(group('tag-carried', ''));
    await stackOf('carried-tag').apply(group('tag-carried', 'lifecycle: {part: true}\ntags: {cost: "7", team: a}'));
    await byHand('PATCH', 'group/tag-carried', { tags: { cost: null } });
    await owner.apply(group('tag-carried', 'lifecycle: {ignore: [tags.cost]}\ntags: {cost: "7"}'));
    await byHand('PATCH', 'group/tag-carried', { tags: { cost: '7' } });
    writeFileSync(join(owner.folder, 'stack.yaml'), group('tag-moved', 'lifecycle: {previously: tag-carried}'));
    const { stdout } = await succeeded(run(owner.folder, 'apply', '.', '--yes', '--allow-collateral=1'));
    expect(stdout).toContain('tags.cost stays: ');
    expect(stdout).toContain('set it after carried-tag.persons did');
    expect(await tagsOf('group/tag-moved')).toEqual({ cost: '7' });
  });

  test('an item of a custom kind, in which the person changed something', async () => {
    const widget = (name: string, spec: string, lifecycle: string) =>
      `kind: widget\nname: ${name}\nlifecycle: {${lifecycle}}\nspec: {${spec}}\n`;
    const owner = stackOf('carrying-items');
    await owner.apply(widget('item-carried', 'a: 1', 'replace: true'));
    const part = stackOf('carried-items');
    await part.apply(widget('item-carried', 'rules: [{name: r1, v: 1}, {name: r2, v: 1}]', 'part: true'));
    await byHand('PATCH', 'widget/item-carried', { spec: { '$patch/rules': [{ name: 'r1', v: 2 }] } });
    writeFileSync(
      join(owner.folder, 'stack.yaml'),
      widget('item-moved', 'a: 1', 'replace: true, previously: item-carried'),
    );
    const { stdout } = await succeeded(run(owner.folder, 'apply', '.', '--yes', '--allow-collateral=1'));
    expect(stdout).toContain('spec.rules.r1 stays: ');
    expect(stdout).toContain('set it after carried-items.persons did');
    expect((await live('widget/item-moved'))['spec']).toEqual({ a: 1, rules: [{ name: 'r1', v: 2 }] });
  });
});

test('a renaming carries an ignored list as it is live, without what only parts claim, which it loses by permission only', async () => {
  for (const name of ['ada', 'bob', 'cyd']) await byHand('POST', 'serviceaccount', { name });
  const to = (permission: string, name: string) =>
    `{permissions: [${permission}], principalLinks: [//serviceaccount/${name}]}`;
  const policy = (name: string, bindings: string, lifecycle = '') =>
    `kind: policy\nname: ${name}\ntargetKind: gvc\nbindings: [${bindings}]\n${lifecycle}`;
  const { apply, folder } = stackOf('renaming');
  await apply(policy('before', to('view', 'ada'), 'target: all\n'));
  await stackOf('binding').apply(policy('before', to('edit', 'bob'), 'lifecycle: {part: true}\n'));
  const renamed = policy(
    'after',
    to('manage', 'cyd'),
    'target: all\nlifecycle: {ignore: [bindings], previously: before}\n',
  );
  writeFileSync(join(folder, 'stack.yaml'), renamed);
  expect((await run(folder, 'apply', '.', '--yes')).code).toBe(3);
  expect((await live('policy/before'))['bindings']).toHaveLength(2);
  await apply(renamed, '--allow-collateral=1');
  expect((await live('policy/after'))['bindings']).toEqual([
    { permissions: ['view'], principalLinks: ['/org/local/serviceaccount/ada'] },
  ]);
});

describe('an undo restores the claims although somebody wrote to the record after it was planned:', () => {
  const group = (name: string, fields: string) => `kind: group\nname: ${name}\n${fields}\n`;

  /** Applies by a file, plans the undo, lets somebody write, and applies the undo. */
  async function undone(
    { folder }: { readonly folder: string },
    path: string,
    manifest: string,
    ...flags: readonly string[]
  ) {
    writeFileSync(join(folder, 'stack.yaml'), manifest);
    await succeeded(run(folder, 'plan', '.', '--out', 'kept.plan', ...flags));
    await succeeded(run(folder, 'apply', 'kept.plan', '--yes'));
    await succeeded(run(folder, 'undo', 'kept.plan', '--out', 'back.plan'));
    await byHand('PATCH', path, { tags: { meanwhile: 'x' } });
    await succeeded(run(folder, 'apply', 'back.plan', '--yes'));
  }

  test('a tag of a person comes back as that of the person', async () => {
    const stack = stackOf('raced-tag');
    await stack.apply(group('raced', 'description: one'));
    await byHand('PATCH', 'group/raced', { tags: { cost: 'human' } });
    await undone(stack, 'group/raced', group('raced', 'description: one\ntags: {cost: mine}'));
    expect(await tagsOf('group/raced')).toEqual({ cost: 'human', meanwhile: 'x' });
    await stack.apply(group('raced', 'description: two'));
    expect(await tagsOf('group/raced')).toEqual({ cost: 'human', meanwhile: 'x' });
  });

  test('what the plan only began to claim is released', async () => {
    const stack = stackOf('raced-claim');
    await stack.apply(group('begun', ''));
    const part = stackOf('raced-part');
    await part.apply(group('begun', 'lifecycle: {part: true}\ntags: {cost: "7"}'));
    await undone(stack, 'group/begun', group('begun', 'tags: {cost: "7"}'));
    await succeeded(run(part.folder, 'destroy', '--yes'));
    expect(await tagsOf('group/begun')).toEqual({ meanwhile: 'x' });
  });

  test('what the plan took over has no owner again', async () => {
    await byHand('POST', 'group', { name: 'taken', tags: { team: 'a' } });
    await undone(stackOf('raced-owner'), 'group/taken', group('taken', 'tags: {team: a, cost: "7"}'), '--adopt');
    expect(objectAt(await live('group/taken'), 'tags')).toEqual({ team: 'a', meanwhile: 'x' });
  });

  test('what another stack recorded meanwhile stays recorded', async () => {
    const stack = stackOf('raced-others');
    await stack.apply(group('others', ''));
    const part = stackOf('part-meanwhile');
    writeFileSync(join(stack.folder, 'stack.yaml'), group('others', 'description: new'));
    await succeeded(run(stack.folder, 'plan', '.', '--out', 'kept.plan'));
    await succeeded(run(stack.folder, 'apply', 'kept.plan', '--yes'));
    await succeeded(run(stack.folder, 'undo', 'kept.plan', '--out', 'back.plan'));
    await part.apply(group('others', 'lifecycle: {part: true}\ntags: {cost: "7"}'));
    await succeeded(run(stack.folder, 'apply', 'back.plan', '--yes'));
    expect((await live('group/others'))['description']).toBe('others');
    await succeeded(run(part.folder, 'destroy', '--yes'));
    expect(await tagsOf('group/others')).toEqual({});
  });
});

test('an item of a custom kind that a part set goes along with a renaming, and goes when its owner drops it', async () => {
  const widget = (name: string, spec: string, lifecycle: string) =>
    `kind: widget\nname: ${name}\nlifecycle: {${lifecycle}}\nspec: {${spec}}\n`;
  const owner = stackOf('renamed-owner');
  await owner.apply(widget('part-old', 'a: 1', 'replace: true'));
  await stackOf('renamed-part').apply(widget('part-old', 'rules: [{name: r1, v: 1}]', 'part: true'));
  const rules = 'rules: [{name: r1, v: 1}]';
  await owner.apply(
    widget('part-new', `a: 1, ${rules}`, 'replace: true, previously: part-old'),
    '--allow-collateral=1',
  );
  await owner.apply(widget('part-new', 'a: 1', 'replace: true'));
  expect((await live('widget/part-new'))['spec']).toEqual({ a: 1 });
});

describe('a tag of a part that a person overwrote stays when the part goes, although meanwhile the owner', () => {
  const widget = (name: string, size: string, more = '') =>
    `kind: widget\nname: ${name}\nlifecycle: {replace: true${more}}\nspec: {size: ${size}}\n`;
  const part = (name: string) => `kind: widget\nname: ${name}\nlifecycle: {part: true}\ntags: {cost: "7", team: a}\n`;

  test('replaced the record; what the part alone set goes', async () => {
    const [owner, other] = [stackOf('replacing'), stackOf('replaced-part')];
    await owner.apply(widget('anew', 'small'));
    await other.apply(part('anew'));
    await byHand('PATCH', 'widget/anew', { tags: { cost: 'human' } });
    await owner.apply(widget('anew', 'large'));
    await succeeded(run(other.folder, 'destroy', '--yes'));
    expect(await tagsOf('widget/anew')).toEqual({ cost: 'human' });
  });

  test('renamed it and took that back', async () => {
    const [owner, other] = [stackOf('taking-back'), stackOf('taken-back-part')];
    await owner.apply(widget('back', 'small'));
    await other.apply(part('back'));
    await byHand('PATCH', 'widget/back', { tags: { cost: 'human' } });
    writeFileSync(join(owner.folder, 'stack.yaml'), widget('forth', 'small', ', previously: back'));
    await succeeded(run(owner.folder, 'plan', '.', '--out', 'kept.plan', '--allow-collateral=1'));
    await succeeded(run(owner.folder, 'apply', 'kept.plan', '--yes'));
    await succeeded(run(owner.folder, 'undo', 'kept.plan', '--out', 'back.plan'));
    await succeeded(run(owner.folder, 'apply', 'back.plan', '--yes'));
    await succeeded(run(other.folder, 'destroy', '--yes'));
    expect(await tagsOf('widget/back')).toMatchObject({ cost: 'human' });
  });
});

test('a tag that a part set goes along with a renaming that declares it, and goes when the code drops it', async () => {
  const group = (name: string, fields: string) => `kind: group\nname: ${name}\n${fields}\n`;
  const owner = stackOf('heir');
  await owner.apply(group('inherited', ''));
  await stackOf('testator').apply(group('inherited', 'lifecycle: {part: true}\ntags: {cost: "7"}'));
  await byHand('PATCH', 'group/inherited', { tags: { note: 'x' } });
  const next = 'lifecycle: {previously: inherited}\ntags: {cost: "7"}';
  await owner.apply(group('heirloom', next), '--allow-collateral=1');
  await owner.apply(group('heirloom', ''));
  expect(await tagsOf('group/heirloom')).toEqual({ note: 'x' });
});

test('a member of an ignored list that its owner and a part declare goes along with a renaming', async () => {
  await byHand('POST', 'serviceaccount', { name: 'eve' });
  const group = (name: string, fields: string) =>
    `kind: group\nname: ${name}\nmemberLinks: [//serviceaccount/eve]\n${fields}\n`;
  const owner = stackOf('joining');
  await owner.apply(group('joined', '').replace(/memberLinks.*\n/, ''));
  await stackOf('joining-first').apply(group('joined', 'lifecycle: {part: true}'));
  await owner.apply(group('joined', ''));
  const lifecycle = 'lifecycle: {previously: joined, ignore: [memberLinks]}';
  await owner.apply(group('rejoined', lifecycle).replace(/memberLinks.*\n/, ''), '--allow-collateral=1');
  expect((await live('group/rejoined'))['memberLinks']).toEqual(['/org/local/serviceaccount/eve']);
});

test('an item of a custom kind that two stacks declare, and a person made anew, stays when both let go of it', async () => {
  const widget = (lifecycle: string, spec: string) =>
    `kind: widget\nname: two\nlifecycle: {${lifecycle}}\nspec: {${spec}}\n`;
  const [owner, other] = [stackOf('two-owner'), stackOf('two-part')];
  const rules = 'rules: [{name: r1, v: 1}]';
  await owner.apply(widget('', 'a: 1'));
  await other.apply(widget('part: true', rules));
  await owner.apply(widget('', `a: 2, ${rules}`));
  await byHand('PATCH', 'widget/two', { spec: { $drop: ['rules'] } });
  await byHand('PATCH', 'widget/two', { spec: { rules: [{ name: 'r1', v: 1 }] } });
  await owner.apply(widget('', `a: 3, ${rules}`));
  await succeeded(run(other.folder, 'destroy', '--yes'));
  await owner.apply(widget('', 'a: 3'));
  expect(objectAt(await live('widget/two'), 'spec')).toEqual({ a: 3, rules: [{ name: 'r1', v: 1 }] });
});

describe('an item of a custom kind in which a person set something stays', () => {
  const widget = (name: string, spec: string, lifecycle = '') =>
    `kind: widget\nname: ${name}\nlifecycle: {${lifecycle}}\nspec: {${spec}}\n`;
  const byPerson = (name: string, rule: JsonObject) =>
    byHand('PATCH', `widget/${name}`, { spec: { rules: [{ name: 'r1', ...rule }] } });
  const rulesOf = async (name: string) => objectAt(await live(`widget/${name}`), 'spec')['rules'] ?? [];

  test('when the owner no longer declares it, and a note says whose it is', async () => {
    const { apply, folder } = stackOf('mixed');
    await apply(widget('mixed', 'a: 1, rules: [{name: r1, w: x}, {name: r2}]'));
    await byHand('PATCH', 'widget/mixed', { spec: { rules: [{ name: 'r1', w: 'x', v: 2 }, { name: 'r2' }] } });
    writeFileSync(join(folder, 'stack.yaml'), widget('mixed', 'a: 1'));
    const plan = await run(folder, 'plan', '.');
    expect(plan.stdout).toMatch(/spec\.rules\.r1\.name stays: .* set it after this stack did, in version \d/);
    await apply(widget('mixed', 'a: 1'));
    expect(await rulesOf('mixed')).toEqual([{ name: 'r1', w: 'x', v: 2 }]);
  });

  test('although the owner wrote to the record, and to the item, in between', async () => {
    const { apply } = stackOf('mixed-writes');
    await apply(widget('between', 'rules: [{name: r1, w: x}]'));
    await byPerson('between', { w: 'x', v: 2 });
    await apply(widget('between', 'a: 1, rules: [{name: r1, w: y}]'));
    await apply(widget('between', 'a: 1'));
    expect(await rulesOf('between')).toEqual([{ name: 'r1', w: 'y', v: 2 }]);
  });

  test('although a part declares it too, and the owner lets go of it', async () => {
    const [owner, part] = [stackOf('mixed-owner'), stackOf('mixed-part')];
    await owner.apply(widget('passed', 'a: 1, rules: [{name: r1}]'));
    await byPerson('passed', { v: 2 });
    await part.apply(widget('passed', 'rules: [{name: r1, v: 2}]', 'part: true'));
    await owner.apply(widget('passed', 'a: 1'));
    await succeeded(run(part.folder, 'destroy', '--yes'));
    expect(await rulesOf('passed')).toEqual([{ name: 'r1', v: 2 }]);
  });

  test('and goes where the owner has taken all of that back', async () => {
    const { apply } = stackOf('mixed-back');
    await apply(widget('taken', 'rules: [{name: r1, v: 1}]'));
    await byPerson('taken', { v: 2 });
    await apply(widget('taken', 'a: 1, rules: [{name: r1, v: 1}]'));
    await apply(widget('taken', 'a: 1'));
    expect(await rulesOf('taken')).toEqual([]);
  });
});

describe('an item of a part, in a list that the owner has as a whole, stays when the part goes', () => {
  const workload = (name: string, type: string, containers: string, lifecycle: string) =>
    `kind: workload\ngvc: yard\nname: ${name}\nlifecycle: {${lifecycle}}\nspec: {${type}containers: [${containers}]}\n`;
  const main = '{name: main, image: "r.example.com/m:1", ports: [{number: 8080}]}';

  test('with what a person set in it, although the owner replaced the record', async () => {
    await byHand('POST', 'gvc', { name: 'yard', spec: {} });
    const [owner, part] = [stackOf('yard-owner'), stackOf('yard-part')];
    const owned = (type: string) => workload('beside', `type: ${type}, `, main, 'replace: true, wait: false');
    await owner.apply(owned('serverless'));
    await part.apply(workload('beside', '', '{name: side, image: "r.example.com/s:1"}', 'part: true'));
    const side = { name: 'side', env: [{ name: 'C', value: '1' }] };
    await byHand('PATCH', 'gvc/yard/workload/beside', { spec: { '$patch/containers': [side] } });
    await owner.apply(owned('standard'));
    await succeeded(run(part.folder, 'destroy', '--yes'));
    expect((await live('gvc/yard/workload/beside'))['spec']).toMatchObject({ containers: [{ name: 'main' }, side] });
  });

  test('where a person made it, and the part only declared the same', async () => {
    await byHand('POST', 'gvc', { name: 'lawn', spec: { env: [] } });
    const env = (value: string) => [{ name: 'A', value }];
    const gvc = (fields: string) => `kind: gvc\nname: lawn\n${fields}\n`;
    const [owner, part] = [stackOf('lawn-owner'), stackOf('lawn-part')];
    await owner.apply(gvc('spec: {}'), '--adopt');
    await byHand('PATCH', 'gvc/lawn', { spec: { env: env('1') } });
    await part.apply(gvc('lifecycle: {part: true}\nspec: {env: [{name: A, value: "1"}]}'));
    // The owner has let go of nothing.
    expect((await run(owner.folder, 'plan', '.', '--detailed-exitcode')).code).toBe(0);
    await succeeded(run(part.folder, 'destroy', '--yes'));
    expect(objectAt(await live('gvc/lawn'), 'spec')['env']).toEqual(env('1'));
  });
});

describe('what a person changed in a list that the owner has as a whole is nothing to do for the owner', () => {
  test('after a replacement that carries the item of a part', async () => {
    const workload = (type: string, container: string, lifecycle: string) =>
      `kind: workload\ngvc: house\nname: sidecar\nlifecycle: {${lifecycle}}\nspec: {${type}containers: [${container}]}\n`;
    await byHand('POST', 'gvc', { name: 'house', spec: {} });
    const main = '{name: main, image: "r.example.com/m:1", ports: [{number: 8080}]}';
    const owner = stackOf('whole-owner');
    await owner.apply(workload('type: serverless, ', main, 'replace: true, wait: false'));
    await stackOf('whole-part').apply(workload('', '{name: side, image: "r.example.com/s:1"}', 'part: true'));
    const side = { name: 'side', cpu: '200m' };
    await byHand('PATCH', 'gvc/house/workload/sidecar', { spec: { '$patch/containers': [side] } });
    await owner.apply(workload('type: standard, ', main, 'replace: true, wait: false'));
    const { spec } = await live('gvc/house/workload/sidecar');
    expect(spec).toMatchObject({ containers: [{ name: 'main' }, side] });
  });

  test('after the undo of a renaming', async () => {
    await byHand('POST', 'serviceaccount', { name: 'fay' });
    const group = (name: string, fields: string) => `kind: group\nname: ${name}\n${fields}\n`;
    const owner = stackOf('whole-undo');
    await owner.apply(group('circle', ''));
    await stackOf('whole-member').apply(
      group('circle', 'lifecycle: {part: true}\nmemberLinks: [//serviceaccount/fay]'),
    );
    await byHand('PATCH', 'group/circle', { tags: { note: 'x' } });
    writeFileSync(join(owner.folder, 'stack.yaml'), group('ring', 'lifecycle: {previously: circle}'));
    await succeeded(run(owner.folder, 'plan', '.', '--out', 'kept.plan', '--allow-collateral=1'));
    await succeeded(run(owner.folder, 'apply', 'kept.plan', '--yes'));
    await succeeded(run(owner.folder, 'undo', 'kept.plan', '--out', 'back.plan'));
    await succeeded(run(owner.folder, 'apply', 'back.plan', '--yes'));
    writeFileSync(join(owner.folder, 'stack.yaml'), group('circle', ''));
    expect((await run(owner.folder, 'plan', '.', '--detailed-exitcode')).code).toBe(0);
  });
});
