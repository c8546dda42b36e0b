import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/schema/json/json.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { usePlatform } from '../harness/usePlatform.ts';

/** Whose a tag or a field is, on ways other than a patch: adoption, undo, replacement, renaming. */
const root = temporaryFolder('claims');
const platform = usePlatform();

function project(stack: string, manifests: string, settings = ''): string {
  const folder = mkdtempSync(join(root, stack));
  writeFileSync(join(folder, 'gantry.yaml'), `stack: ${stack}\nproject: claims\n${settings}`);
  write(folder, manifests);
  return folder;
}

const write = (folder: string, manifests: string) => writeFileSync(join(folder, 'stack.yaml'), manifests);
const run = (folder: string, ...args: readonly string[]) => inProcess(platform, args, { cwd: folder });
const live = async (path: string): Promise<JsonObject> => (await platform.call('GET', `/org/local/${path}`)).body;
const byHand = (method: 'POST' | 'PATCH', path: string, body: JsonObject) =>
  platform.call(method, `/org/local/${path}`, body);

/** The tags that are not Gantry's. */
async function tagsOf(path: string): Promise<JsonObject> {
  const tags = Object.entries(objectAt(await live(path), 'tags'));
  return Object.fromEntries(tags.filter(([key]) => !key.startsWith('gantry/')));
}

async function applyKept(folder: string, ...flags: readonly string[]): Promise<void> {
  await succeeded(run(folder, 'plan', '.', '--out', 'kept.plan', ...flags));
  await succeeded(run(folder, 'apply', 'kept.plan', '--yes'));
}

async function undoKept(folder: string): Promise<void> {
  await succeeded(run(folder, 'undo', 'kept.plan', '--out', 'back.plan', '--rehearse=crash'));
  await succeeded(run(folder, 'apply', 'back.plan', '--yes'));
}

describe('an undo restores values and claims', () => {
  test('of an adoption: the tags that were there stay', async () => {
    await byHand('POST', 'group', { name: 'adopted', tags: { team: 'a', cost: '7' } });
    const folder = project('adopt', 'kind: group\nname: adopted\ntags: {team: a, cost: "7", new: x}\n');
    await applyKept(folder, '--adopt');
    expect(await tagsOf('group/adopted')).toEqual({ team: 'a', cost: '7', new: 'x' });
    await undoKept(folder);
    expect(objectAt(await live('group/adopted'), 'tags')).toEqual({ team: 'a', cost: '7' });
  });

  test('of an overwritten tag of a person: it comes back as that of the person, and the old code leaves it', async () => {
    const old = 'kind: group\nname: overwritten\ndescription: one\n';
    const folder = project('overwrite', old);
    await succeeded(run(folder, 'apply', '.', '--yes'));
    await byHand('PATCH', 'group/overwritten', { tags: { cost: 'human' } });
    write(folder, `${old}tags: {cost: mine}\n`);
    await applyKept(folder);
    expect(await tagsOf('group/overwritten')).toEqual({ cost: 'mine' });
    await undoKept(folder);
    expect(await tagsOf('group/overwritten')).toEqual({ cost: 'human' });
    write(folder, old.replace('one', 'two'));
    await succeeded(run(folder, 'apply', '.', '--yes'));
    expect(await tagsOf('group/overwritten')).toEqual({ cost: 'human' });
  });

  test('of a field of a custom kind that the plan only began to declare: it stays', async () => {
    const widget = (spec: string) => `kind: widget\nname: one\nspec: ${spec}\n`;
    const folder = project('custom', widget('{a: 1}'), 'kinds: {widget: {disposable: true}}\n');
    await succeeded(run(folder, 'apply', '.', '--yes'));
    await byHand('PATCH', 'widget/one', { spec: { b: 2 } });
    write(folder, widget('{a: 5, b: 2}'));
    await applyKept(folder);
    await undoKept(folder);
    expect((await live('widget/one'))['spec']).toEqual({ a: 1, b: 2 });
    write(folder, widget('{a: 6}'));
    await succeeded(run(folder, 'apply', '.', '--yes'));
    expect((await live('widget/one'))['spec']).toEqual({ a: 6, b: 2 });
  });

  test('of a claim on what another stack set: it ends, and the item stays', async () => {
    await succeeded(run(project('whole', 'kind: group\nname: shared\n'), 'apply', '.', '--yes'));
    const part = 'kind: group\nname: shared\nlifecycle: {part: true}\ntags: {cost: "7"}\n';
    const [first, second] = [project('first', part), project('second', part)];
    await succeeded(run(first, 'apply', '.', '--yes'));
    await applyKept(second);
    await undoKept(second);
    expect(await tagsOf('group/shared')).toEqual({ cost: '7' });
    expect((await run(first, 'plan', '.', '--detailed-exitcode')).code).toBe(0);
    await succeeded(run(first, 'destroy', '--yes'));
    expect(await tagsOf('group/shared')).toEqual({});
  });
});

describe('a claim covers what was written, not the name for ever', () => {
  const group = (tags: string) => `kind: group\nname: over\n${tags}`;

  test('a tag that a person sets again after its claim ended unnoticed stays, with who set it', async () => {
    const folder = project('over', group('tags: {cost: "7", team: a}'));
    await succeeded(run(folder, 'apply', '.', '--yes'));
    await byHand('PATCH', 'group/over', { tags: { cost: null } });
    write(folder, group('tags: {team: a}'));
    expect((await run(folder, 'plan', '.', '--detailed-exitcode')).code).toBe(0);
    await byHand('PATCH', 'group/over', { tags: { cost: '7' } });
    expect((await run(folder, 'plan', '.')).stdout).toMatch(
      /tags\.cost stays: .+ set it after this stack did, in version/,
    );
    write(folder, group('description: new\ntags: {team: a}'));
    await applyKept(folder);
    expect(await tagsOf('group/over')).toEqual({ cost: '7', team: 'a' });
    // The claim has ended: nothing is said of it any more.
    expect((await run(folder, 'plan', '.')).stdout).not.toContain('cost');
  });

  test('the audit trail is asked only where somebody wrote since, and something would be removed', async () => {
    const folder = project('asking', 'kind: group\nname: asking\ntags: {cost: "7", team: a}\n');
    const trails = async (manifest: string): Promise<number> => {
      write(folder, `kind: group\nname: asking\n${manifest}`);
      const from = await platform.seen();
      await succeeded(run(folder, 'plan', '.'));
      const to = await platform.seen();
      return platform.requests.slice(from, to).filter(({ path }) => path.includes('/audit/')).length;
    };
    await succeeded(run(folder, 'apply', '.', '--yes'));
    expect(await trails('tags: {team: a}\n')).toBe(0);
    await byHand('PATCH', 'group/asking', { tags: { other: 'x' } });
    expect(await trails('tags: {cost: "7", team: a}\n')).toBe(0);
    expect(await trails('tags: {team: a}\n')).toBe(1);
    await succeeded(run(folder, 'apply', '.', '--yes'));
    expect(await tagsOf('group/asking')).toEqual({ team: 'a', other: 'x' });
  });

  test('a field of a custom kind that a person sets again stays too', async () => {
    const gadget = (spec: string) => `kind: gadget\nname: one\nspec: ${spec}\n`;
    const folder = project('gadget', gadget('{a: 1, b: 2, c: 3}'), 'kinds: {gadget: {disposable: true}}\n');
    await succeeded(run(folder, 'apply', '.', '--yes'));
    await byHand('PATCH', 'gadget/one', { spec: { b: null } });
    await byHand('PATCH', 'gadget/one', { spec: { b: 2 } });
    write(folder, gadget('{a: 1}'));
    await succeeded(run(folder, 'apply', '.', '--yes'));
    expect((await live('gadget/one'))['spec']).toEqual({ a: 1, b: 2 });
  });
});

describe('a part of another stack', () => {
  const web = (type: string, more = '') => `
kind: gvc
name: parts
---
kind: workload
gvc: parts
name: web
${more}
spec: {type: ${type}, containers: [{name: main, image: "registry.example.com/web:1", ports: [{number: 8080}]}]}
`;

  test('is not overwritten by a replacement that says otherwise: that is refused, as a patch is', async () => {
    const base = project('replaced', web('serverless'));
    await succeeded(run(base, 'apply', '.', '--yes'));
    const tagged = 'kind: workload\ngvc: parts\nname: web\nlifecycle: {part: true}\ntags: {cost: "7"}\n';
    const other = project('tags', tagged);
    await succeeded(run(other, 'apply', '.', '--yes'));
    for (const type of ['serverless', 'stateful']) {
      write(base, web(type, 'tags: {cost: "8"}'));
      const { code, stdout } = await run(base, 'plan', '.', '-o', 'json');
      expect(code, type).toBe(3);
      expect(stdout).toContain('part.conflict');
    }
    write(base, web('stateful', 'tags: {cost: "7"}'));
    await succeeded(run(base, 'apply', '.', '--yes'));
    expect(await tagsOf('gvc/parts/workload/web')).toMatchObject({ cost: '7' });
    expect((await run(other, 'plan', '.', '--detailed-exitcode')).code).toBe(0);
    // Both claim it now, in the new record too.
    await succeeded(run(other, 'destroy', '--yes'));
    expect(await tagsOf('gvc/parts/workload/web')).toMatchObject({ cost: '7' });
  });

  test('does not go along with a renaming: neither its value nor its claim', async () => {
    const base = project('renamed', 'kind: group\nname: before\n');
    await succeeded(run(base, 'apply', '.', '--yes'));
    await byHand('PATCH', 'group/before', { tags: { human: 'x' } });
    const other = project('beside', 'kind: group\nname: before\nlifecycle: {part: true}\ntags: {cost: "7"}\n');
    await succeeded(run(other, 'apply', '.', '--yes'));
    write(base, 'kind: group\nname: after\nlifecycle: {previously: before}\n');
    expect((await run(base, 'plan', '.')).stdout).toContain('it would also delete parts that belong to beside.claims');
    await succeeded(run(base, 'apply', '.', '--yes', '--allow-collateral', '1'));
    expect(await tagsOf('group/after')).toEqual({ human: 'x' });
    expect(Object.keys(objectAt(await live('group/after'), 'tags')).sort()).toEqual([
      'gantry/applied',
      'gantry/stack',
      'human',
    ]);
  });

  test('of a custom kind can be nothing but tags and items with a key: anything else is an error', async () => {
    const settings = 'kinds: {widget: {listKeys: {rules: name}}}\n';
    const base = project('kinds', 'kind: widget\nname: two\nrules: [{name: a}]\n', settings);
    await succeeded(run(base, 'apply', '.', '--yes'));
    const part = (fields: string) => `kind: widget\nname: two\nlifecycle: {part: true}\n${fields}\n`;
    const other = project('part-of-kind', part('spec: {mine: 1}'), settings);
    const { code, stderr } = await run(other, 'plan', '.');
    expect(code).toBe(1);
    expect(stderr).toContain('part.scalar');
    write(other, part('tags: {t: x}\nrules: [{name: b}]'));
    await succeeded(run(other, 'apply', '.', '--yes'));
    expect((await live('widget/two'))['rules']).toEqual([{ name: 'a' }, { name: 'b' }]);
  });
});

describe('an ignored item of a list', () => {
  const gvc = (env: string) => `kind: gvc\nname: ignoring\nlifecycle: {ignore: [spec.env.A]}\nspec: {env: [${env}]}\n`;
  const a = '{name: A, value: "1"}';
  const b = '{name: B, value: "1"}';

  test.each([
    ['beside another one', `${a}, ${b}`, [{ name: 'B', value: '1' }]],
    ['that is the only one', a, []],
  ])('is used on creation, and never again, also when somebody has removed it: %s', async (_, env, left) => {
    const folder = project('ignoring', gvc(env));
    await succeeded(run(folder, 'apply', '.', '--yes'));
    expect(objectAt(await live('gvc/ignoring'), 'spec')['env']).toEqual([{ name: 'A', value: '1' }, ...left]);
    await byHand('PATCH', 'gvc/ignoring', { spec: { env: left } });
    expect((await run(folder, 'plan', '.', '--detailed-exitcode')).code).toBe(0);
    await succeeded(run(folder, 'apply', '.', '--yes'));
    expect(objectAt(await live('gvc/ignoring'), 'spec')['env'] ?? []).toEqual(left);
    await succeeded(run(folder, 'destroy', '--yes'));
  });
});
