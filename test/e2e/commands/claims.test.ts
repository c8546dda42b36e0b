import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
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

  test('with options of a location is not overwritten by a replacement either, and goes along with it', async () => {
    const location = 'aws-eu-central-1';
    const gvc = `kind: gvc\nname: places\nspec: {staticPlacement: {locationLinks: [//location/${location}]}}\n---\n`;
    const options = (seconds: number) =>
      `localOptions: [{location: //location/${location}, timeoutSeconds: ${seconds}}]`;
    const workload = (type: string, more: string, tags: string) =>
      `${gvc}kind: workload\ngvc: places\nname: web\n${tags}\nspec: {type: ${type}, containers: [{name: main, image: "registry.example.com/web:1", ports: [{number: 8080}]}]${more}}\n`;
    const base = project('places', workload('serverless', '', ''));
    await succeeded(run(base, 'apply', '.', '--yes'));
    const other = project(
      'options',
      `kind: workload\ngvc: places\nname: web\nlifecycle: {part: true}\ntags: {cost: "7"}\nspec: {${options(20)}}\n`,
    );
    await succeeded(run(other, 'apply', '.', '--yes'));
    for (const type of ['serverless', 'stateful']) {
      for (const [more, tags] of [
        [`, ${options(9)}`, ''],
        ['', 'tags: {cost: "8"}'],
      ] as const) {
        write(base, workload(type, more, tags));
        const { code, stdout } = await run(base, 'plan', '.', '-o', 'json');
        expect([code, stdout.includes('part.conflict')], `${type} ${more}${tags}`).toEqual([3, true]);
      }
    }
    write(base, workload('stateful', '', ''));
    await succeeded(run(base, 'apply', '.', '--yes'));
    const { spec, tags } = await live('gvc/places/workload/web');
    expect(spec).toMatchObject({ type: 'stateful', localOptions: [{ timeoutSeconds: 20 }] });
    expect(tags).toMatchObject({ cost: '7' });
    await succeeded(run(other, 'destroy', '--yes'));
    expect(objectAt(await live('gvc/places/workload/web'), 'spec')['localOptions'] ?? []).toEqual([]);
    expect(await tagsOf('gvc/places/workload/web')).not.toHaveProperty('cost');
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

describe('an item of a list of a custom kind', () => {
  const settings = 'kinds: {part-list: {disposable: true, immutable: [size], listKeys: {rules: name}}}\n';
  const record = (name: string, fields: string) => `kind: part-list\nname: ${name}\n${fields}\n`;
  const rules = async (name: string) => (await live(`part-list/${name}`))['rules'];
  const r = (number: number) => ({ name: `r${number}`, v: 1 });
  const said = (...numbers: readonly number[]) =>
    `rules: [${numbers.map((each) => `{name: r${each}, v: 1}`).join(', ')}]`;

  test('that a person added stays, and one that the stack declared goes, whether the list is declared or not', async () => {
    const folder = project('kept', record('kept', said(1, 2)), settings);
    await succeeded(run(folder, 'apply', '.', '--yes'));
    await byHand('PATCH', 'part-list/kept', { rules: [r(1), r(2), r(9)] });
    expect((await run(folder, 'plan', '.', '--detailed-exitcode')).code).toBe(0);
    for (const [fields, left] of [
      [said(2), [r(2), r(9)]],
      ['description: none', [r(9)]],
    ] as const) {
      write(folder, record('kept', fields));
      await succeeded(run(folder, 'apply', '.', '--yes'));
      expect(await rules('kept')).toEqual(left);
      const explained = await succeeded(run(folder, 'explain', '.', 'part-list/kept'));
      expect(explained.stdout).toContain('Nothing differs');
    }
    for (const size of [2, 3]) {
      write(folder, record('kept', `${said(1)}\nsize: ${size}`));
      await succeeded(run(folder, 'apply', '.', '--yes'));
      expect(await rules('kept')).toEqual([r(9), r(1)]); // r9 was there first
    }
  });

  test('that is new is taken back by an undo, and one of a part stays', async () => {
    const folder = project('undone', record('undone', said(1)), settings);
    await succeeded(run(folder, 'apply', '.', '--yes'));
    const other = project('beside', record('undone', `lifecycle: {part: true}\n${said(2)}`), settings);
    await succeeded(run(other, 'apply', '.', '--yes'));
    write(folder, record('undone', said(1, 3)));
    await applyKept(folder);
    expect(await rules('undone')).toEqual(expect.arrayContaining([r(1), r(2), r(3)]));
    await undoKept(folder);
    expect(await rules('undone')).toEqual(expect.arrayContaining([r(1), r(2)]));
    expect(await rules('undone')).toHaveLength(2);
    write(folder, record('undone', said(1)));
    for (const each of [folder, other]) expect((await run(each, 'plan', '.', '--detailed-exitcode')).code).toBe(0);
  });

  test('of a part does not go along with a renaming', async () => {
    const folder = project('older', record('older', said(1)), settings);
    await succeeded(run(folder, 'apply', '.', '--yes'));
    await byHand('PATCH', 'part-list/older', { rules: [r(1), r(9)] });
    const other = project('part-of', record('older', `lifecycle: {part: true}\n${said(2)}`), settings);
    await succeeded(run(other, 'apply', '.', '--yes'));
    write(folder, record('newer', `${said(1)}\nlifecycle: {previously: older}`));
    await succeeded(run(folder, 'apply', '.', '--yes', '--allow-collateral', '1'));
    expect(await rules('newer')).toEqual([r(1), r(9)]);
  });
});

describe('an undo of what was only recorded', () => {
  const group = (name: string, fields: string) => `kind: group\nname: ${name}\n${fields}\n`;

  test('leaves a tag that a person overwrote to the person, also when the code drops it afterwards', async () => {
    const folder = project('doubtful', group('doubtful', 'tags: {t: mine}'));
    await succeeded(run(folder, 'apply', '.', '--yes'));
    await byHand('PATCH', 'group/doubtful', { tags: { t: 'human' } });
    write(folder, group('doubtful', 'tags: {u: x}'));
    await applyKept(folder);
    await undoKept(folder);
    expect(await tagsOf('group/doubtful')).toEqual({ t: 'human' });
    write(folder, group('doubtful', ''));
    await succeeded(run(folder, 'apply', '.', '--yes'));
    expect(await tagsOf('group/doubtful')).toEqual({ t: 'human' });
  });

  test('of a renaming leaves a tag that a person overwrote to the person, in the record that is created again', async () => {
    const folder = project('returned', group('returned', 'tags: {t: mine}'));
    await succeeded(run(folder, 'apply', '.', '--yes'));
    await byHand('PATCH', 'group/returned', { tags: { t: 'human' } });
    write(folder, group('moved', 'lifecycle: {previously: returned}'));
    await applyKept(folder);
    await undoKept(folder);
    write(folder, group('returned', 'description: more'));
    await succeeded(run(folder, 'apply', '.', '--yes'));
    expect(await tagsOf('group/returned')).toEqual({ t: 'human' });
  });

  test('takes back a claim that passed to a part: the code of before has nothing to do, and the item is the owner’s', async () => {
    await byHand('POST', 'serviceaccount', { name: 'bea' });
    const member = 'memberLinks: [//serviceaccount/bea]';
    const base = project('passing', group('passed', member));
    await succeeded(run(base, 'apply', '.', '--yes'));
    const other = project('receiving', group('passed', `lifecycle: {part: true}\n${member}`));
    await succeeded(run(other, 'apply', '.', '--yes'));
    write(base, group('passed', ''));
    await applyKept(base);
    await undoKept(base);
    write(base, group('passed', member));
    for (const each of [base, other]) expect((await run(each, 'plan', '.', '--detailed-exitcode')).code).toBe(0);
    await succeeded(run(other, 'destroy', '--yes'));
    expect((await live('group/passed'))['memberLinks']).toEqual(['/org/local/serviceaccount/bea']);
  });

  test('leaves an item of a person to the person, although the owner declared it meanwhile beside a part', async () => {
    await byHand('POST', 'serviceaccount', { name: 'cyd' });
    const member = 'memberLinks: [//serviceaccount/cyd]';
    const base = project('meanwhile', group('meanwhile', ''));
    await succeeded(run(base, 'apply', '.', '--yes'));
    await byHand('PATCH', 'group/meanwhile', { memberLinks: ['/org/local/serviceaccount/cyd'] });
    const other = project('beside-owner', group('meanwhile', `lifecycle: {part: true}\n${member}`));
    await succeeded(run(other, 'apply', '.', '--yes'));
    write(base, group('meanwhile', `description: more\n${member}`));
    await applyKept(base);
    await undoKept(base);
    await succeeded(run(other, 'destroy', '--yes'));
    expect((await live('group/meanwhile'))['memberLinks']).toEqual(['/org/local/serviceaccount/cyd']);
  });

  test('releases the claim on an item of a part, which then goes with that part', async () => {
    await byHand('POST', 'serviceaccount', { name: 'ann' });
    const base = project('claiming', group('claimed', 'tags: {own: x}'));
    await succeeded(run(base, 'apply', '.', '--yes'));
    const fields = 'lifecycle: {part: true}\ntags: {cost: "7"}\nmemberLinks: [//serviceaccount/ann]';
    const other = project('claimant', group('claimed', fields));
    await succeeded(run(other, 'apply', '.', '--yes'));
    write(base, group('claimed', 'tags: {own: x, cost: "7"}\nmemberLinks: [//serviceaccount/ann]'));
    await applyKept(base);
    await undoKept(base);
    await succeeded(run(other, 'destroy', '--yes'));
    expect(await tagsOf('group/claimed')).toEqual({ own: 'x' });
    expect((await live('group/claimed'))['memberLinks'] ?? []).toEqual([]);
  });

  test('releases a claim on an item alone, as it was before', async () => {
    const member = 'memberLinks: [//serviceaccount/ann]';
    const base = project('items', group('items', ''));
    await succeeded(run(base, 'apply', '.', '--yes'));
    const other = project('of-items', group('items', `lifecycle: {part: true}\n${member}`));
    await succeeded(run(other, 'apply', '.', '--yes'));
    const before = objectAt(await live('group/items'), 'tags')['gantry/applied'];
    write(base, group('items', member));
    await applyKept(base);
    await undoKept(base);
    const after = objectAt(await live('group/items'), 'tags')['gantry/applied'];
    // Neither the version nor what was declared is a claim.
    const claimsIn = (text: unknown) => String(text).replace(/;v\d+|;p[\w-]*/g, '');
    expect(claimsIn(after)).toBe(claimsIn(before));
    await succeeded(run(other, 'destroy', '--yes'));
    expect((await live('group/items'))['memberLinks'] ?? []).toEqual([]);
  });

  test('releases what a part had taken over, with its former value, and it stays', async () => {
    await byHand('POST', 'gvc', { name: 'taken', spec: { env: [{ name: 'A', value: '1' }] }, tags: { t: 'human' } });
    const part = (value: string, more = '') =>
      `kind: gvc\nname: taken\nlifecycle: {part: true, adopt: true}\ntags: {t: "${value}"}\nspec: {env: [{name: A, value: "${value}"}${more}]}\n`;
    const folder = project('taking', part('2', ', {name: B, value: "1"}'));
    await applyKept(folder);
    await undoKept(folder);
    const { tags, spec } = await live('gvc/taken');
    expect(tags).toEqual({ t: 'human' });
    expect(spec).toMatchObject({ env: [{ name: 'A', value: '1' }] });
  });
});

describe('a hand-over', () => {
  const group = (name: string, fields: string) => `kind: group\nname: ${name}\n${fields}\n`;

  test.each([
    ['released-first', ['old', 'new']],
    ['adopted-first', ['new', 'old']],
  ])('takes the claims along: what the old stack set goes when the new one drops it (%s)', async (name, order) => {
    const kept = 'tags: {cost: "7", team: a}\n';
    const old = project(`old-${name}`, group(name, kept));
    await succeeded(run(old, 'apply', '.', '--yes'));
    await byHand('PATCH', `group/${name}`, { tags: { human: 'x' } });
    const next = project(`new-${name}`, group(name, `${kept}lifecycle: {adopt: {from: old-${name}.claims}}`));
    write(old, group(name, `${kept}lifecycle: {handOver: new-${name}.claims}`));
    for (const each of order) await succeeded(run(each === 'old' ? old : next, 'apply', '.', '--yes'));
    for (const each of [old, next]) expect((await run(each, 'plan', '.', '--detailed-exitcode')).code).toBe(0);
    write(next, group(name, 'tags: {team: a}'));
    await succeeded(run(next, 'apply', '.', '--yes'));
    expect(await tagsOf(`group/${name}`)).toEqual({ team: 'a', human: 'x' });
  });

  test('that is released is nobody’s for any other stack, and an undo of its adoption leaves it released', async () => {
    const old = project('leaving', group('left', 'tags: {cost: "7"}\nlifecycle: {handOver: heir.claims}'));
    write(old, group('left', 'tags: {cost: "7"}'));
    await succeeded(run(old, 'apply', '.', '--yes'));
    write(old, group('left', 'lifecycle: {handOver: heir.claims}'));
    await succeeded(run(old, 'apply', '.', '--yes'));
    const stranger = project('stranger', group('left', 'tags: {cost: "7"}\nlifecycle: {adopt: true}'));
    await applyKept(stranger);
    await undoKept(stranger);
    const heir = project('heir', group('left', 'lifecycle: {adopt: {from: leaving.claims}}'));
    await succeeded(run(heir, 'apply', '.', '--yes'));
    expect(await tagsOf('group/left')).toEqual({});
  });

  test('leaves a tag that a person overwrote to the person, also after the undo of another adoption', async () => {
    const old = project('letting', group('let', 'tags: {cost: "7"}'));
    await succeeded(run(old, 'apply', '.', '--yes'));
    await byHand('PATCH', 'group/let', { tags: { cost: 'human' } });
    write(old, group('let', 'lifecycle: {handOver: next-heir.claims}'));
    await succeeded(run(old, 'apply', '.', '--yes'));
    const stranger = project('passer-by', group('let', 'description: x\nlifecycle: {adopt: true}'));
    await applyKept(stranger);
    await undoKept(stranger);
    const heir = project('next-heir', group('let', 'lifecycle: {adopt: {from: letting.claims}}'));
    await succeeded(run(heir, 'apply', '.', '--yes'));
    expect(await tagsOf('group/let')).toEqual({ cost: 'human' });
  });

  test('by lifecycle.retain leaves everything to nobody', async () => {
    const folder = project('retaining', group('retained', 'tags: {cost: "7"}\nlifecycle: {retain: true}'));
    await succeeded(run(folder, 'apply', '.', '--yes'));
    await succeeded(run(folder, 'destroy', '--yes'));
    expect(objectAt(await live('group/retained'), 'tags')).toEqual({ cost: '7' });
    const next = project('finding', group('retained', 'lifecycle: {adopt: true}'));
    await succeeded(run(next, 'apply', '.', '--yes'));
    expect(await tagsOf('group/retained')).toEqual({ cost: '7' });
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
