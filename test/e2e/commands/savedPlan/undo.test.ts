import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { succeeded } from '../../../outcome.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { inProcess } from '../../harness/inProcess.ts';
import { writesSince } from '../../harness/platform.ts';
import { clientView } from '../../harness/scenario.ts';
import { ownedRecords, smallTown } from '../../harness/smallTown.ts';
import { usePlatform } from '../../harness/usePlatform.ts';

const folder = temporaryFolder('undo');
const platform = usePlatform();
/** Whatever is taken back is rehearsed too, with an interruption at each point: a refusal would fail each of these tests. */
const run = (...args: readonly string[]) =>
  inProcess(platform, args[0] === 'undo' ? [...args, '--rehearse=crash'] : args, { cwd: folder });
const write = (manifests: string) => writeFileSync(join(folder, 'town.yaml'), manifests);

beforeAll(() => {
  writeFileSync(join(folder, 'gantry.yaml'), 'stack: town\n');
});

/** Plans, keeps and applies. */
async function applyKept(file: string, ...flags: readonly string[]): Promise<void> {
  await succeeded(run('plan', '.', '--out', file, ...flags));
  await succeeded(run('apply', file, '--yes'));
}

const live = async (path: string): Promise<JsonObject> => (await platform.call('GET', `/org/local/${path}`)).body;

describe('a whole town, there and back', () => {
  test('creating it is undone: everything is gone, but for what the platform never deletes', async () => {
    write(smallTown());
    await applyKept('first.plan');
    const refused = await run('undo', 'first.plan', '--out', 'back.plan');
    expect(refused.stdout).toContain('delete.data');
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('not saved to back.plan');

    const from = await platform.seen();
    const undo = await succeeded(run('undo', 'first.plan', '--out', 'back.plan', '--allow-data-loss=1'));
    expect(undo.stdout).toContain('- gvc/town');
    await platform.seen();
    expect(writesSince(platform, from), 'undo itself writes nothing').toEqual([]);
    await succeeded(run('apply', 'back.plan', '--yes'));
    expect(await ownedRecords(platform)).toEqual({});
    expect((await succeeded(run('apply', 'back.plan', '--yes'))).stdout).toContain('nothing is left');
  });

  test('changing it is undone: each record is as it was, and the old code has nothing to do', async () => {
    write(smallTown());
    await succeeded(run('apply', '.', '--yes'));
    const before = await ownedRecords(platform);
    write(smallTown('registry.example.com/town:2').replace('name: town-people', 'name: town-others'));
    await applyKept('second.plan');
    expect(await ownedRecords(platform)).not.toEqual(before);

    const json = JSON.parse((await succeeded(run('undo', 'second.plan', '--out', 'back.plan', '-o', 'json'))).stdout);
    const moving = json.changes.filter((change: JsonObject) => change['action'] !== 'keep');
    expect(Object.fromEntries(moving.map((change: JsonObject) => [change['id'], change['action']]))).toEqual({
      'gvc/town': 'patch',
      'group/town-people': 'create',
      'group/town-others': 'delete',
      'workload/town/hall': 'patch',
      'workload/town/market': 'patch',
    });
    await succeeded(run('apply', 'back.plan', '--yes'));
    expect(await ownedRecords(platform)).toEqual(before);
    write(smallTown());
    expect((await run('plan', '.', '--detailed-exitcode')).code).toBe(0);
  });
});

test('a location that was added is taken away again from what is of this stack, which the undo does not name', async () => {
  write(smallTown());
  await succeeded(run('apply', '.', '--yes'));
  write(smallTown().replace('[//location/aws-us-west-2]', '[//location/aws-us-west-2, //location/aws-us-east-1]'));
  await applyKept('wide.plan');
  await succeeded(run('undo', 'wide.plan', '--out', 'narrow.plan'));
  await succeeded(run('apply', 'narrow.plan', '--yes'));
  write(smallTown());
  expect((await run('plan', '.', '--detailed-exitcode')).code).toBe(0);
});

describe('it is refused', () => {
  const group = (description: string) => `kind: group\nname: lone\ndescription: ${description}\n`;
  const one = (...args: readonly string[]) => run(...args, '--stack', 'lone');

  test('before the plan was applied, and for what is no kept plan', async () => {
    write(group('one'));
    await succeeded(one('plan', '.', '--out', 'lone.plan'));
    const outcome = await one('undo', 'lone.plan');
    expect(outcome.stderr).toContain('error undo.not-applied: this plan was not applied: group/lone');
    expect(outcome.code).toBe(1);
    expect((await one('undo', 'town.yaml')).code).toBe(64);
    const missing = await one('undo', 'nowhere.plan');
    expect(missing.stderr).toContain('error file.read: nowhere.plan: there is no such file');
    expect(missing.code).toBe(1);
  });

  test('where another write has made the version that the plan would have made', async () => {
    const never = (...args: readonly string[]) => run(...args, '--stack', 'never');
    write('kind: group\nname: never\ndescription: one\n');
    await succeeded(never('apply', '.', '--yes'));
    write('kind: group\nname: never\ndescription: two\n');
    await succeeded(never('plan', '.', '--out', 'never.plan'));
    await platform.call('PATCH', '/org/local/group/never', { description: 'theirs' });
    const { code, stderr } = await never('undo', 'never.plan');
    expect(stderr).toMatch(
      /group\/never: it was at version 1, now it is at 2; moved: description; written by (?!unknown)\S+/,
    );
    expect(code).toBe(4);
  });

  test('where somebody wrote since, naming the field and who', async () => {
    await succeeded(one('apply', 'lone.plan', '--yes'));
    await platform.call('PATCH', '/org/local/group/lone', { description: 'theirs' });
    const { code, stderr } = await one('undo', 'lone.plan');
    expect(stderr).toMatch(
      /group\/lone: it was at version 1, now it is at 2; moved: description; written by (?!unknown)\S+/,
    );
    expect(code).toBe(4);
  });

  test('where the stack itself has changed again what the plan created', async () => {
    const two = (...args: readonly string[]) => run(...args, '--stack', 'twice');
    write('kind: group\nname: twice\ndescription: one\n');
    await succeeded(two('plan', '.', '--out', 'twice.plan'));
    await succeeded(two('apply', 'twice.plan', '--yes'));
    write('kind: group\nname: twice\ndescription: two\n');
    await succeeded(two('apply', '.', '--yes'));
    const { code, stderr } = await two('undo', 'twice.plan');
    expect(stderr).toMatch(
      /group\/twice: it did not exist; since then, this stack has created and changed it; moved: description/,
    );
    expect(code).toBe(4);
  });

  test('between planning the way back and taking it', async () => {
    await platform.call('DELETE', '/org/local/group/lone');
    write(group('two'));
    await succeeded(one('plan', '.', '--out', 'lone.plan'));
    await succeeded(one('apply', 'lone.plan', '--yes'));
    await succeeded(one('undo', 'lone.plan', '--out', 'back.plan'));
    await platform.call('PATCH', '/org/local/group/lone', { description: 'theirs' });
    const { code, stderr } = await one('apply', 'back.plan', '--yes');
    expect(stderr).toContain('error plan.stale');
    expect(code).toBe(4);
    expect(await live('group/lone')).toMatchObject({ description: 'theirs' });
  });
});

test('what was taken over is let go of as it was, and secret values are named as lost', async () => {
  await platform.call('POST', '/org/local/group', { name: 'theirs', description: 'before', tags: { a: '1' } });
  await platform.call('POST', '/org/local/secret', { name: 'key', type: 'opaque', data: { payload: 'c4n4ry-before' } });
  const before = clientView(await live('group/theirs'));
  write(
    'kind: group\nname: theirs\ndescription: ours\n---\nkind: secret\nname: key\ntype: opaque\ndata: {payload: c4n4ry-after}\n',
  );
  const one = (...args: readonly string[]) => run(...args, '--stack', 'taker');
  await succeeded(one('plan', '.', '--adopt', '--out', 'take.plan'));
  await succeeded(one('apply', 'take.plan', '--yes'));
  const undo = await succeeded(one('undo', 'take.plan', '--out', 'back.plan'));
  expect(undo.stdout).toContain('cannot be undone: secret/key: the former secret values are not in the file: data');
  expect(undo.stdout + readFileSync(join(folder, 'back.plan'), 'utf8')).not.toContain('c4n4ry');
  await succeeded(one('apply', 'back.plan', '--yes'));
  expect(clientView(await live('group/theirs'))).toEqual(before);
  expect(JSON.stringify(await live('group/theirs'))).not.toContain('gantry/');
  expect(JSON.stringify(await live('secret/key'))).not.toContain('gantry/');
});

test('what was written with a new pin, because others wrote elsewhere in between, is taken back; their write stays', async () => {
  const one = (...args: readonly string[]) => run(...args, '--stack', 'mover');
  write('kind: group\nname: moved\ndescription: one\n');
  await succeeded(one('apply', '.', '--yes'));
  write('kind: group\nname: moved\ndescription: two\n');
  await succeeded(one('plan', '.', '--out', 'move.plan'));
  await platform.call('PATCH', '/org/local/group/moved', { tags: { theirs: '1' } });
  await succeeded(one('apply', 'move.plan', '--yes'));
  await succeeded(one('undo', 'move.plan', '--out', 'back.plan'));
  await succeeded(one('apply', 'back.plan', '--yes'));
  expect(await live('group/moved')).toMatchObject({ description: 'one', tags: { theirs: '1' } });

  const again = await one('undo', 'move.plan');
  expect(again.stderr).toContain('error undo.done: this plan has been undone already: everything is as it was');
  expect(again.code).toBe(1);

  await platform.call('PATCH', '/org/local/group/moved', { description: 'three' });
  expect((await one('undo', 'move.plan')).stderr).toMatch(
    /error plan.stale[\s\S]*group\/moved: it was at version 2, now it is at 5; moved: description/,
  );
});

test('taken back, a field that the plan had removed counts as there again, and what was deleted too', async () => {
  const one = (...args: readonly string[]) => run(...args, '--stack', 'remover');
  const kept = 'kind: group\nname: worded\ntags: {a: x}\n---\nkind: group\nname: goer\n';
  write(kept);
  await succeeded(one('apply', '.', '--yes'));
  write('kind: group\nname: worded\n');
  await succeeded(one('plan', '.', '--out', 'remove.plan'));
  await succeeded(one('apply', 'remove.plan', '--yes'));
  await succeeded(one('undo', 'remove.plan', '--out', 'back.plan'));
  await succeeded(one('apply', 'back.plan', '--yes'));
  expect((await one('undo', 'remove.plan')).stderr).toContain('error undo.done');

  await platform.call('PATCH', '/org/local/group/goer', { description: 'theirs' });
  const { stderr } = await one('undo', 'remove.plan');
  expect(stderr).toContain('error plan.stale');
  expect(stderr).toMatch(/group\/worded: it was at version \d, now it is at \d; moved: tags.a;/);
});

test('a plan of which nothing can be taken back is said to be one, and no way back is kept', async () => {
  const one = (...args: readonly string[]) => run(...args, '--stack', 'turner');
  const secret = (payload: string) => `kind: secret\nname: turned\ntype: opaque\ndata: {payload: ${payload}}\n`;
  write(secret('one'));
  await succeeded(one('apply', '.', '--yes'));
  write(secret('two'));
  await succeeded(one('plan', '.', '--out', 'turn.plan'));
  await succeeded(one('apply', 'turn.plan', '--yes'));
  const { code, stdout, stderr } = await one('undo', 'turn.plan', '--out', 'no-way.plan');
  expect(stdout).toContain('cannot be undone: secret/turned: the former secret values are not in the file: data');
  expect(stderr).toContain('nothing of this plan can be undone, so nothing was saved to no-way.plan');
  expect([code, existsSync(join(folder, 'no-way.plan'))]).toEqual([1, false]);
});

test('a part is taken back although the owner of the resource wrote elsewhere before it was written', async () => {
  const part = (...args: readonly string[]) => run(...args, '--stack', 'guest');
  await platform.call('POST', '/org/local/gvc', { name: 'host' });
  write('kind: gvc\nname: host\nlifecycle: {part: true}\nspec: {env: [{name: GUEST, value: "1"}]}\n');
  await succeeded(part('plan', '.', '--out', 'guest.plan'));
  await platform.call('PATCH', '/org/local/gvc/host', { description: 'theirs' });
  await succeeded(part('apply', 'guest.plan', '--yes'));
  expect(await live('gvc/host')).toMatchObject({ spec: { env: [{ name: 'GUEST', value: '1' }] } });
  await succeeded(part('undo', 'guest.plan', '--out', 'back.plan'));
  await succeeded(part('apply', 'back.plan', '--yes'));
  const after = await live('gvc/host');
  expect(after).toMatchObject({ description: 'theirs', tags: {} });
  expect(JSON.stringify(after)).not.toContain('GUEST');
});
