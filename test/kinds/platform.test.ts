import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, defineKind, Gvc, Identity, RawResource, Stack } from 'gantry';
import { Gantry } from 'gantry/automation';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../temporaryFolder.ts';
import { forgetKinds, withKinds } from './withKinds.ts';

withKinds();
const folder = temporaryFolder('kinds');
beforeEach(forgetKinds);

/** A theme of the org that refers to a widget of a GVC, which refers to an identity. */
function things(spec: object, theme = true): App {
  const widget = defineKind('widget', { scope: 'gvc', immutable: ['spec.size'] });
  const app = new App();
  const stack = new Stack(app, 'things');
  const gvc = new Gvc(stack, 'shop', { locations: ['aws-eu-central-1'] });
  const backend = new Identity(gvc, 'backend');
  const one = new RawResource(gvc, 'one', { kind: widget, spec: { owner: backend, ...spec } });
  if (theme) new RawResource(stack, 'dark', { kind: defineKind('theme'), uses: one, colors: ['black'] });
  return app;
}

function open() {
  return Gantry.open({ project: folder, embedded: 'memory', environment: {} });
}

describe('resources of custom kinds', () => {
  test('are created in the order of their links and read, and the next plan is empty', async () => {
    await using gantry = await open();
    const stack = await gantry.load(things({ size: 3 }));
    const done: string[] = [];
    const plan = await gantry.plan(stack);
    await gantry.apply(plan, { verify: 'full', on: (event) => void (event.type === 'done' && done.push(event.id)) });
    expect(done).toEqual(['gvc/shop', 'identity/shop/backend', 'widget/shop/one', 'theme/dark']);
    expect((await gantry.read('widget/shop/one'))?.record).toMatchObject({
      kind: 'widget',
      tags: { 'gantry/stack': 'things' },
      spec: { size: 3, owner: '//gvc/shop/identity/backend' },
    });
    expect((await gantry.plan(stack)).isEmpty).toBe(true);
    expect((await gantry.list()).map(({ id }) => id)).toEqual(
      expect.arrayContaining(['theme/dark', 'widget/shop/one']),
    );
  });

  test('are changed by the fields that differ, explained, rehearsed, and undone', async () => {
    await using gantry = await open();
    await gantry.apply(await gantry.plan(await gantry.load(things({ size: 3, mode: 'slow', old: { a: 1 } }))));
    const plan = await gantry.plan(await gantry.load(things({ size: 3, mode: 'fast' })));
    const changes = plan.plan.changes.filter(({ action }) => action !== 'keep');
    expect(changes).toMatchObject([{ id: 'widget/shop/one', action: 'patch', risk: 'downtime' }]);
    expect(changes.flatMap(({ fields }) => fields.map(({ path }) => path))).toEqual(['spec.mode', 'spec.old.a']);
    expect((await gantry.rehearse(plan)).problem).toBeUndefined();
    const [removed] = (await gantry.explain(plan, 'widget/shop/one', 'spec.old.a')).fields ?? [];
    expect(removed).toMatchObject({ path: 'spec.old.a', because: expect.stringContaining('it is removed') });
    await gantry.apply(plan);
    expect((await gantry.read('widget/shop/one'))?.record['spec']).toEqual({
      size: 3,
      mode: 'fast',
      owner: '//gvc/shop/identity/backend',
    });
    await gantry.apply(await gantry.undo(plan));
    expect((await gantry.read('widget/shop/one'))?.record['spec']).toMatchObject({ mode: 'slow', old: { a: 1 } });
  });

  test('a deletion counts as a loss of data, and so does a change of an immutable field', async () => {
    await using gantry = await open();
    await gantry.apply(await gantry.plan(await gantry.load(things({ size: 3 }))));
    const refused = await gantry.plan(await gantry.load(things({ size: 4 }, false)));
    const codes = refused.plan.changes.map(({ id, refusals }) => [id, ...refusals.map(({ code }) => code)]);
    expect(codes.filter(([, ...each]) => each.length > 0)).toEqual([
      ['theme/dark', 'delete.data'],
      ['widget/shop/one', 'delete.data', 'replace.data'],
    ]);
    const gone = await gantry.plan(await gantry.load(things({ size: 3 }, false)), { allowDataLoss: 1 });
    await gantry.apply(gone);
    expect(await gantry.read('theme/dark')).toBeUndefined();
    expect((await gantry.plan(await gantry.load(things({ size: 3 }, false)))).isEmpty).toBe(true);
  });

  test('a disposable kind is deleted without a permit', async () => {
    await using gantry = await open();
    const memo = { kind: defineKind('memo', { disposable: true }), name: 'first', text: 'hello' };
    const group = { kind: 'group', name: 'readers' };
    await gantry.apply(await gantry.plan(await gantry.load([memo, group])));
    const plan = await gantry.plan(await gantry.load([group]));
    expect(plan.counts.delete).toBe(1);
    await gantry.apply(plan);
    expect(await gantry.read('memo/first')).toBeUndefined();
  });

  test('a saved plan contains the known facts about its kinds', async () => {
    await using gantry = await open();
    const path = join(folder, 'saved.plan');
    await gantry.save(await gantry.plan(await gantry.load(things({ size: 3 }))), path);
    forgetKinds();
    await gantry.apply(await gantry.open(path));
    expect((await gantry.read('widget/shop/one'))?.record['spec']).toMatchObject({ size: 3 });
  });
});

describe('manifests', () => {
  function project(name: string, files: Readonly<Record<string, string>>): string {
    const path = join(folder, name);
    mkdirSync(path);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
    return path;
  }

  test('may have the kinds in gantry.yaml; an existing record is adopted, and keeps fields of others', async () => {
    const path = project('yaml', {
      'gantry.yaml': 'stack: yaml\nkinds: {theme: {}}\n',
      'dark.yaml': 'kind: theme\nname: dark\ncolors: {back: black}\n',
    });
    const records = [{ kind: 'theme', name: 'dark', colors: { back: 'black', fore: 'white' }, by: ['hand'] }];
    await using gantry = await Gantry.open({ project: path, embedded: 'memory', environment: {}, records });
    const stack = await gantry.load();
    const plan = await gantry.plan(stack, { adopt: true });
    expect(plan.plan.changes).toMatchObject([{ id: 'theme/dark', action: 'adopt' }]);
    await gantry.apply(plan);
    expect((await gantry.read('theme/dark'))?.record).toMatchObject(records[0] ?? {});
    expect((await gantry.drift(stack)).records.map(({ state }) => state)).toEqual(['untouched']);
    expect((await gantry.plan(stack)).isEmpty).toBe(true);
  });

  test('an undefined kind is an error with the way to define it, and a misspelled one with a suggestion', async () => {
    const path = project('unknown', {
      'gantry.yaml': 'stack: unknown\nkinds: {theme: {}}\n',
      'all.yaml': 'kind: widget\nname: one\n---\nkind: workloda\nname: two\n---\nkind: themes\nname: dark\n',
    });
    await using gantry = await Gantry.open({ project: path, embedded: 'memory', environment: {} });
    const { problems } = await gantry.validate();
    expect(problems.map(({ rule, hint }) => [rule, hint])).toEqual([
      ['manifest.unknown-kind', expect.stringContaining('kinds: {widget: {scope: org}}')],
      ['manifest.unknown-kind', 'Did you mean "workload"?'],
      ['manifest.unknown-kind', 'Did you mean "theme"?'],
    ]);
  });

  test('fields of every record are checked', async () => {
    defineKind('theme');
    await using gantry = await open();
    const { problems } = await gantry.validate([
      { kind: 'theme', name: 'dark', description: 5, tags: { a: { b: 1 }, 'gantry/x': 1 }, gvc: 'shop' },
    ]);
    expect(problems.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
      'manifest.gvc-not-allowed gvc',
      'shape.type description',
      'shape.type tags.a',
      'tags.reserved tags."gantry/x"',
    ]);
  });
});
