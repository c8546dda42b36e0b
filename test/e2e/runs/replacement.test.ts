import { describe, expect, test } from 'vitest';
import { useTown } from '../harness/useTown.ts';

/** Replacements that do not finish, as the command line shows them. */
const town = useTown();
const { write, run, call, faults } = town;

function declare(type: string, more = ''): void {
  write(`kind: gvc
name: town
---
kind: workload
gvc: town
name: hall
description: as declared
lifecycle: {ignore: [description]}
spec:
  type: ${type}
  ${more === '' ? '' : 'identityLink: //identity/mayor'}
  containers: [{name: main, image: "registry.example.com/hall:1"}]
${more}`);
}

const identity = '---\nkind: identity\ngvc: town\nname: mayor\n';

describe('a replacement whose prerequisite fails', () => {
  test.each([
    { it: 'a quota', fault: { status: 429, message: 'the quota is reached' }, code: 'api.quota' },
    { it: 'the body', fault: { status: 400, message: 'not like this' }, code: 'api.invalid' },
  ])('leaves the workload unchanged: $it', async ({ fault, code }) => {
    declare('stateful');
    expect((await run('apply', '.', '--yes')).code).toBe(0);
    const before = (await call('GET', '/gvc/town/workload/hall')).body;

    declare('standard', identity);
    await faults({ method: 'POST', path: '/org/local/gvc/town/identity', ...fault });
    const failed = await run('apply', '.', '--yes');
    expect(failed.code).not.toBe(0);
    expect(failed.stdout).toContain(code);
    expect(failed.stdout).toContain('Not finished: nothing done, 1 failed, 1 skipped.');
    expect((await call('GET', '/gvc/town/workload/hall')).body['id']).toBe(before['id']);

    await town.platform.call('DELETE', '/-faults');
    expect((await run('apply', '.', '--yes', '--verify=full')).code).toBe(0);
    expect((await call('GET', '/gvc/town/workload/hall')).body).toMatchObject({ spec: { type: 'standard' } });
  });
});

const hall = '/gvc/town/workload/hall';
const noCreation = { method: 'POST', path: '/org/local/gvc/town/workload', status: 400, message: 'not now' };

/** The workload after changes by others: a tag, an immutable value, and the switch that operators use. */
async function appliedAndChanged(): Promise<void> {
  declare('stateful');
  expect((await run('apply', '.', '--yes')).code).toBe(0);
  const theirs = {
    description: 'as somebody set it',
    tags: { 'team/cost': '7' },
    spec: { defaultOptions: { suspend: true } },
  };
  expect((await call('PATCH', hall, theirs)).status).toBe(200);
}

const asTheyLeftIt = {
  description: 'as somebody set it',
  tags: { 'team/cost': '7' },
  spec: { type: 'standard', defaultOptions: { suspend: true } },
};

describe('a replacement that ends between its DELETE and its POST', () => {
  test('is reported, and the next run recreates the record with the values that others had written', async () => {
    await appliedAndChanged();
    declare('standard');
    await faults(noCreation);
    const failed = await run('apply', '.', '--yes', '-o', 'json');
    expect(JSON.parse(failed.stdout)).toMatchObject({
      result: {
        outcome: 'partly',
        failed: [{ id: 'workload/town/hall', reached: 'deleted' }],
        changes: [{ id: 'workload/town/hall', outcome: 'failed', reached: 'deleted' }],
      },
    });
    expect((await call('GET', hall)).status).toBe(404);
    await town.platform.call('DELETE', '/-faults');

    const planned = await run('plan', '.', '-o', 'json');
    expect(JSON.parse(planned.stdout)).toMatchObject({
      changes: expect.arrayContaining([
        expect.objectContaining({
          id: 'workload/town/hall',
          action: 'create',
          reason: 'deleted by an unfinished replacement of this stack',
          create: expect.objectContaining({ description: 'as somebody set it' }),
        }),
      ]),
    });
    expect((await run('apply', '.', '--yes', '--verify=full')).stdout).toContain(
      'Verified: a new plan of everything is empty',
    );
    const { body } = await call('GET', hall);
    expect(body).toMatchObject(asTheyLeftIt);
    expect(JSON.stringify(body['tags'])).not.toContain('gantry/replacing');
    expect((await run('drift', '.', '--detailed-exitcode')).code).toBe(0);
  });

  test('is explained with the source of each value, and cannot be undone before it is finished', async () => {
    await appliedAndChanged();
    declare('standard');
    expect((await run('plan', '.', '--out', 'kept.plan')).code).toBe(0);
    await faults(noCreation);
    const cut = await run('apply', 'kept.plan', '--yes');
    expect(cut.code, cut.stdout + cut.stderr).toBe(5);
    await town.platform.call('DELETE', '/-faults');

    const because = 'carried over from the record that an unfinished replacement deleted';
    const explained = JSON.parse((await run('explain', '.', 'workload/town/hall', '-o', 'json')).stdout);
    expect(explained.fields).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          path: 'description',
          because,
          declared: 'as declared',
          at: expect.objectContaining({ file: 'stack.yaml', line: 7 }),
          before: 'as somebody set it',
        }),
        { path: 'tags."team/cost"', why: 'differs', because, before: '7' },
        expect.objectContaining({ path: 'spec.type', declared: 'standard' }),
      ]),
    );
    const text = (await run('explain', '.', 'workload/town/hall', 'description')).stdout;
    expect(text).toContain('declared  as declared  stack.yaml:7:1\n      before    as somebody set it\n');

    const undo = await run('undo', 'kept.plan');
    expect(undo.stderr).toContain('undo.unfinished');
    expect(undo.stdout + undo.stderr).not.toContain('created again');
  });

  test('is not reported as drift by others', async () => {
    await appliedAndChanged();
    declare('standard');
    await faults(noCreation);
    await run('apply', '.', '--yes');
    await town.platform.call('DELETE', '/-faults');
    const drift = await run('drift', '.');
    expect(drift.stdout).toContain(
      'deleted by an unfinished replacement of this stack; the next apply creates it again',
    );
    expect(drift.stdout).not.toContain('others');
  });

  test('a record that was deleted by hand is created from the code alone', async () => {
    await appliedAndChanged();
    expect((await call('DELETE', hall)).status).toBe(202);
    expect((await run('apply', '.', '--yes')).code).toBe(0);
    expect((await call('GET', hall)).body).toMatchObject({ description: 'as declared' });
  });

  test('a record that was destroyed after a finished replacement is created from the code alone', async () => {
    await appliedAndChanged();
    declare('standard');
    expect((await run('apply', '.', '--yes')).code).toBe(0);
    expect((await call('GET', hall)).body).toMatchObject(asTheyLeftIt);
    expect((await run('destroy', '--yes')).code).toBe(0);
    expect((await run('apply', '.', '--yes')).code).toBe(0);
    expect((await call('GET', hall)).body).toMatchObject({ description: 'as declared' });
  });

  test('a refused deletion leaves no mark on the record', async () => {
    await appliedAndChanged();
    expect((await run('apply', '.', '--yes')).code).toBe(0);
    declare('standard');
    await faults({ method: 'DELETE', path: `/org/local${hall}`, status: 400, message: 'is in use' });
    const refused = await run('apply', '.', '--yes');
    expect(refused.stdout).toContain('Not finished: nothing done, 1 failed.');
    await town.platform.call('DELETE', '/-faults');
    expect(JSON.stringify((await call('GET', hall)).body['tags'])).not.toContain('gantry/replacing');
  });

  test('a mark of a killed run is removed if the code returns to the old state', async () => {
    await appliedAndChanged();
    await call('PATCH', hall, { tags: { 'gantry/replacing': 'town' } });
    expect((await run('plan', '.')).stdout).toContain('tags."gantry/replacing"');
    expect((await run('apply', '.', '--yes', '--verify=full')).code).toBe(0);
    expect(JSON.stringify((await call('GET', hall)).body['tags'])).not.toContain('gantry/replacing');
  });

  test('if the audit trail cannot be read, the plan says so', async () => {
    await appliedAndChanged();
    declare('standard');
    await faults(noCreation);
    await run('apply', '.', '--yes');
    await faults({ method: 'GET', path: '/audit/**', status: 403, message: 'no' });
    expect((await run('plan', '.')).stdout).toContain('the audit trail cannot be read');
  });
});

describe('a record that cannot be marked before it is replaced', () => {
  const many = Object.fromEntries(Array.from({ length: 48 }, (_, index) => [`team/t${index}`, 'x']));

  async function filled(): Promise<unknown> {
    await appliedAndChanged();
    expect((await call('PATCH', hall, { tags: { 'team/cost': null, ...many } })).status).toBe(200);
    declare('standard');
    return (await call('GET', hall)).body['id'];
  }

  test('because it has 50 tags, is not deleted: the plan is refused and names --allow-unmarked', async () => {
    const id = await filled();
    const refused = await run('apply', '.', '--yes');
    expect(refused.code).toBe(3);
    expect(refused.stdout).toContain('replace.unmarked');
    expect(refused.stdout).toContain('--allow-unmarked');
    expect((await call('GET', hall)).body).toMatchObject({ id, tags: many });
  });

  test('is replaced with --allow-unmarked, and keeps all values of others', async () => {
    await filled();
    const applied = await run('apply', '.', '--yes', '--allow-unmarked');
    expect(applied.code, applied.stdout + applied.stderr).toBe(0);
    expect((await call('GET', hall)).body).toMatchObject({
      description: 'as somebody set it',
      tags: many,
      spec: { type: 'standard', defaultOptions: { suspend: true } },
    });
  });

  test('and whose creation fails, loses with --allow-unmarked only the values that the plan named', async () => {
    await filled();
    const planned = JSON.parse((await run('plan', '.', '--allow-unmarked', '-o', 'json')).stdout);
    const { notes } = planned.changes.find(({ id }: { id: string }) => id === 'workload/town/hall');
    const named = expect.stringMatching(
      /this is lost: description, spec\.defaultOptions\.suspend, tags\."team\/t0".* and \d+ more$/,
    );
    expect(notes).toEqual(expect.arrayContaining([named]));
    await faults(noCreation);
    expect((await run('apply', '.', '--yes', '--allow-unmarked')).code).not.toBe(0);
    await town.platform.call('DELETE', '/-faults');
    expect((await run('apply', '.', '--yes')).code).toBe(0);
    const { body } = await call('GET', hall);
    expect(body).toMatchObject({ description: 'as declared', spec: { type: 'standard' } });
    expect(JSON.stringify(body['tags'])).not.toContain('team/');
  });

  test.each([
    { status: 400, message: 'no such tag' },
    { status: 403, message: 'tags are not yours' },
  ])('because the platform refuses the mark ($status), is not deleted either', async (fault) => {
    await appliedAndChanged();
    declare('standard');
    const before = (await call('GET', hall)).body;
    await faults({ method: 'PATCH', path: `/org/local${hall}`, ...fault });
    const failed = await run('apply', '.', '--yes');
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('apply.unmarked');
    expect(failed.stdout).toContain('description, spec.defaultOptions.suspend, tags."team/cost"');
    expect((await call('GET', hall)).body).toEqual(before);
    const permitted = await run('apply', '.', '--yes', '--allow-unmarked');
    expect(permitted.code, permitted.stdout + permitted.stderr).toBe(0);
    expect((await call('GET', hall)).body).toMatchObject(asTheyLeftIt);
  });
});

describe('values that the audit trail does not have', () => {
  const secret = (type: string, data: string) =>
    write(
      `kind: secret\nname: key\ntype: ${type}\ndata: ${data}\nlifecycle: {ignore: [data]}\n---\nkind: group\nname: team\n`,
    );

  test('are reported, and the plan is refused without --allow-lost-values', async () => {
    secret('opaque', '{payload: first}');
    expect((await run('apply', '.', '--yes')).code).toBe(0);
    await call('PATCH', '/secret/key', { '$replace/data': { payload: 'rotated', encoding: 'plain' } });
    secret('dictionary', '{payload: first}');
    await faults({ method: 'POST', path: '/org/local/secret', status: 400, message: 'not now' });
    await run('apply', '.', '--yes');
    await town.platform.call('DELETE', '/-faults');

    const refused = await run('apply', '.', '--yes');
    expect(refused.code).not.toBe(0);
    expect(refused.stdout).toContain('plan.lost-values');
    expect(refused.stdout).toContain('data is under lifecycle.ignore, but its value is lost');
    expect(refused.stdout).toContain('--allow-lost-values=1');
    expect((await call('GET', '/secret/key')).status).toBe(404);
    expect((await run('apply', '.', '--yes', '--allow-lost-values=1')).code).toBe(0);
    expect((await call('GET', '/secret/key')).status).toBe(200);
  });
});
