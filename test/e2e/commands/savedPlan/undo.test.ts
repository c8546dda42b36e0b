import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { succeeded } from '../../../outcome.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { inProcess } from '../../harness/inProcess.ts';
import { writesSince } from '../../harness/platform.ts';
import { ownedRecords, smallTown } from '../../harness/smallTown.ts';
import { testStories } from '../../harness/stories.ts';
import { usePlatform } from '../../harness/usePlatform.ts';

const folder = temporaryFolder('undo');
const platform = usePlatform();
/** Each undo is also rehearsed with an interruption at each point; a refusal would fail each of these tests. */
const run = (...args: readonly string[]) =>
  inProcess(platform, args[0] === 'undo' ? [...args, '--rehearse=crash'] : args, { cwd: folder });
const write = (manifests: string) => writeFileSync(join(folder, 'town.yaml'), manifests);

beforeAll(() => {
  writeFileSync(join(folder, 'gantry.yaml'), 'stack: town\n');
});

/** Plans, saves and applies. */
async function applyKept(file: string, ...flags: readonly string[]): Promise<void> {
  await succeeded(run('plan', '.', '--out', file, ...flags));
  await succeeded(run('apply', file, '--yes'));
}

describe('the undo of a whole town', () => {
  test('of its creation deletes everything except records that the platform never deletes', async () => {
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

  test('of a change restores each record, and the old code has an empty plan', async () => {
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

test('an undo removes an added location although workloads of this stack are in it that it does not name', async () => {
  write(smallTown());
  await succeeded(run('apply', '.', '--yes'));
  write(smallTown().replace('[//location/aws-us-west-2]', '[//location/aws-us-west-2, //location/aws-us-east-1]'));
  await applyKept('wide.plan');
  await succeeded(run('undo', 'wide.plan', '--out', 'narrow.plan'));
  await succeeded(run('apply', 'narrow.plan', '--yes'));
  write(smallTown());
  expect((await run('plan', '.', '--detailed-exitcode')).code).toBe(0);
});

// biome-ignore format: a row is a story
describe('an undo is refused', () => testStories(platform, 'refused', [
  ['before the plan was applied, and for a file that is no saved plan', `
    plans group/@ description: one
    $1 undo it.plan ! error undo.not-applied: this plan was not applied: group/@
    $64 undo stack.yaml
    $1 undo nowhere.plan ! error file.read: nowhere.plan: there is no such file`],
  ['if another client wrote the version that the plan would have written', `
    applies group/@ description: one
    plans group/@ description: two
    PATCH group/@ description: theirs
    $4 undo it.plan
      ! /group/@: it was at version 1, now it is at 2; moved: description; written by (?!unknown)\\S+/`],
  ['if another client wrote since, with the field and the author', `
    plans group/@ description: one
    $ apply it.plan --yes
    PATCH group/@ description: theirs
    $4 undo it.plan
      ! /group/@: it was at version 1, now it is at 2; moved: description; written by (?!unknown)\\S+/`],
  ['if the stack itself has changed a record that the plan created', `
    plans group/@ description: one
    $ apply it.plan --yes
    applies group/@ description: two
    $4 undo it.plan
      ! group/@: it did not exist; since then, this stack has created and changed it; moved: description`],
  ['if a field changes between planning the undo and applying it', `
    plans group/@ description: two
    $ apply it.plan --yes
    $ undo it.plan --out back.plan
    PATCH group/@ description: theirs
    $4 apply back.plan --yes ! error plan.stale
    group/@ has description: theirs`],
]));

// biome-ignore format: a row is a story
testStories(platform, 'back', [
  ['an adoption is undone to the former state, and lost secret values are named', `
    POST group name: @, description: before, tags: {a: "1"}
    POST secret name: @, type: opaque, data: {payload: c4n4ry-before}
    plans group/@ description: ours & secret/@ type: opaque, data: {payload: c4n4ry-after} -- --adopt
    $ apply it.plan --yes
    $ undo it.plan --out back.plan
      > cannot be undone: secret/@: the former secret values are not in the file: data
      > no c4n4ry
    back.plan has no c4n4ry
    $ apply back.plan --yes
    $ group get @ -o json = description: before, tags: {a: "1"} > no gantry/
    $ secret get @ -o json > no gantry/`],
  ['a patch that was written after a change by others is undone, and their change stays', `
    applies group/@ description: one
    plans group/@ description: two
    PATCH group/@ tags: {theirs: "1"}
    $ apply it.plan --yes
    undoes
    group/@ has description: one, tags: {theirs: "1"}
    $1 undo it.plan ! error undo.done: this plan has been undone already: everything is as it was
    PATCH group/@ description: three
    $4 undo it.plan ! error plan.stale ! group/@: it was at version 2, now it is at 5; moved: description`],
  ['after an undo, restored fields and records count as present', `
    applies group/@ tags: {a: x} & group/@-goer
    plans group/@
    $ apply it.plan --yes
    undoes
    $1 undo it.plan ! error undo.done
    PATCH group/@-goer description: theirs
    $4 undo it.plan ! error plan.stale ! /group/@: it was at version \\d, now it is at \\d; moved: tags\\.a;/`],
  ['if nothing of a plan can be undone, undo says so and saves no plan', `
    applies secret/@ type: opaque, data: {payload: one}
    plans secret/@ type: opaque, data: {payload: two}
    $ apply it.plan --yes
    $1 undo it.plan --out no-way.plan
      > cannot be undone: secret/@: the former secret values are not in the file: data
      ! nothing of this plan can be undone, so nothing was saved to no-way.plan
    files are gantry.yaml, it.plan, stack.yaml`],
  ['a part is undone although the owner changed other fields before it was written', `
    POST gvc name: @
    plans gvc/@ lifecycle: {part: true}, spec: {env: [{name: GUEST, value: "1"}]}
    PATCH gvc/@ description: theirs
    $ apply it.plan --yes
    gvc/@ has spec: {env: [{name: GUEST, value: "1"}]}
    undoes
    $ gvc get @ -o json = description: theirs > no GUEST > no gantry/`],
]);
