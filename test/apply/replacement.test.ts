import { describe, expect, test } from 'vitest';
import { writes } from './harness/harness.ts';
import { planned, type RunRow, testRuns } from './harness/runText.ts';

const later = 'replace workload/town/hall; create secret/later after(workload/town/hall)';
const renaming = 'delete workload/town/hall; create workload/town/new renames(workload/town/hall)';
/** A workload and its volume set, both replaced: the workload is deleted first and created last. */
const mount =
  'replace volumeset/town/rows goneAfter(workload/town/hall); replace workload/town/hall after(volumeset/town/rows)';

// biome-ignore format: a row is a case
const halves: readonly RunRow[] = [
  ['Ctrl-C before its deletion: the record exists, and nothing was started', later, 'read workload/town/hall: abort',
    'done nothing; skipped workload/town/hall, secret/later; now workload/town/hall@1=old'],
  ['Ctrl-C at its deletion: the record is created, and nothing else is started', later,
    'delete workload/town/hall: abort', 'done workload/town/hall; skipped secret/later; now workload/town/hall@1=made'],
  ['Ctrl-C at its creation: the record is created, and nothing else is started', later,
    'create workload/town/hall: abort', 'done workload/town/hall; skipped secret/later; now workload/town/hall@1=made'],
  ['the requirements of its creation are completed too', mount, 'delete workload/town/hall: abort',
    'done volumeset/town/rows, workload/town/hall; skipped nothing; made delete workload/town/hall, ' +
      'delete volumeset/town/rows, create volumeset/town/rows, create workload/town/hall'],
  ['a creation that the platform cannot accept now is retried', 'replace workload/town/hall',
    'create workload/town/hall: api.unavailable*2, unsent', 'done workload/town/hall; verified true'],
  ['a renaming that deletes the old name first creates the new one', renaming, 'delete workload/town/hall: abort',
    'done workload/town/hall, workload/town/new'],
  ['a deleted record is created again, although another replacement in the plan cannot be deleted',
    `${mount}; create secret/a after(volumeset/town/rows)`, 'delete volumeset/town/rows: api.invalid(in use)',
    'failed volumeset/town/rows api.invalid; done workload/town/hall; skipped secret/a; ' +
      'there volumeset/town/rows, workload/town/hall'],
  ['nothing is deleted if the platform refuses to mark a record that is replaced later in the chain',
    mount.replace('rows', 'rows carries(description)'), 'patch volumeset/town/rows: api.invalid',
    'failed workload/town/hall apply.unmarked (this would have been lost: description → --allow-unmarked); ' +
      'skipped volumeset/town/rows; sent patch volumeset/town/rows; now volumeset/town/rows@1=old, workload/town/hall@1=old'],
  ['a refused deletion takes back the marks of the chain', mount, 'delete workload/town/hall: api.invalid(in use)',
    'failed workload/town/hall api.invalid; skipped volumeset/town/rows; sent patch volumeset/town/rows, ' +
      'patch workload/town/hall, delete workload/town/hall, patch workload/town/hall, patch volumeset/town/rows'],
  ['nothing is created if its own deletion was refused', mount, 'delete workload/town/hall: api.invalid(in use)',
    'failed workload/town/hall api.invalid; made delete workload/town/hall'],
  ['a divergence elsewhere stops everything except the creation',
    'replace workload/town/hall; create secret/a; create secret/b after(secret/a); create secret/c after(secret/b); ' +
      'patch group/team after(secret/c); create secret/later after(group/team)', 'patch group/team: other',
    'failed group/team apply.divergence; now group/team@2=other, secret/a@1=made, secret/b@1=made, secret/c@1=made, ' +
      'workload/town/hall@1=made', { deletionMs: 5_000 }],
];

// biome-ignore format: a row is a case
const unfinished: readonly RunRow[] = [
  ['a new name that is refused after the deletion of the old one: deleted, and not created again', renaming,
    'create workload/town/new: api.quota(quota)', 'failed workload/town/new api.quota; reached deleted'],
  ['an accepted deletion that does not finish: deleted, and not created again', 'replace workload/town/hall', '',
    'failed workload/town/hall apply.timeout; reached deleted',
    { deletionMs: 60_000, run: { patience: { deletionMs: 1_000 } } }],
  ['a refused deletion: nothing was done', 'replace workload/town/hall',
    'delete workload/town/hall: api.invalid(is mounted)', 'failed workload/town/hall api.invalid; reached nothing'],
  ['a failed second step: written, and not finished', 'create gvc/town then()', 'patch gvc/town: api.invalid(no)',
    'failed gvc/town api.invalid; reached written'],
  ['a refused creation: deleted, and not created again', 'replace workload/town/hall',
    'create workload/town/hall: api.quota(quota)', 'failed workload/town/hall api.quota; reached deleted'],
];

describe('the two halves of a replacement belong together', () => {
  testRuns(halves);

  test('Ctrl-C during an accepted deletion: it is awaited, and the record is created', async () => {
    const { apply } = planned('replace workload/town/hall', { deletionMs: 5_000 });
    const controller = new AbortController();
    const { signal } = controller;
    const { result } = await apply({ signal, onEvent: (event) => event.type === 'waiting' && controller.abort() });
    expect(result).toMatchObject({ done: ['workload/town/hall'], interrupted: true });
  });

  test('stopped at any point, the replaced record exists afterwards', async () => {
    let calls = 0;
    for (let at = 0; at <= calls; at += 1) {
      const changes = `${mount}; replace workload/town/web; create secret/a after(workload/town/web)`;
      const { platform, apply } = planned(changes);
      const controller = new AbortController();
      const push = platform.log.push.bind(platform.log);
      platform.log.push = (...lines) => {
        const count = push(...lines);
        if (count === at) controller.abort();
        return count;
      };
      await apply({ signal: controller.signal });
      calls = Math.max(calls, platform.log.length);
      expect(platform.ids(), `stopped at call ${at}`).toEqual(
        expect.arrayContaining(['volumeset/town/rows', 'workload/town/hall', 'workload/town/web']),
      );
    }
    expect(calls).toBeGreaterThan(12);
  });

  test('requests are retried until it is done, and no longer', async () => {
    const { platform, apply } = planned('replace workload/town/hall');
    const controller = new AbortController();
    platform.fault('delete', 'workload/town/hall', { kind: 'meanwhile', happens: () => controller.abort() });
    let given: readonly string[] | undefined;
    const stopRetrying = () => {
      given = writes(platform);
    };
    await apply({ signal: controller.signal, stopRetrying });
    expect(given).toEqual(['patch workload/town/hall', 'delete workload/town/hall', 'create workload/town/hall']);
  });
});

describe('the reported progress of an unfinished replacement', () => {
  testRuns(unfinished);
});

// biome-ignore format: a row is a case
const spent: readonly RunRow[] = [
  ...(['api.name-spent', 'api.conflict'] as const).map((spendsNames): RunRow => [
    `${spendsNames}: the first replacement says what happened, and no other one is begun`,
    'replace volumeset/town/rows; replace workload/town/hall softlyGoneAfter(volumeset/town/rows)', '',
    'failed volumeset/town/rows apply.name-spent (was deleted to be replaced, and cannot be created again); ' +
      'failed workload/town/hall apply.name-spent (was not deleted, because it could not be created again); ' +
      'there workload/town/hall; reached deleted, nothing', { spendsNames }]),
  ['if it is known before, nothing is deleted', 'replace workload/town/hall', '',
    'failed workload/town/hall apply.name-spent; sent nothing',
    { spendsNames: 'api.name-spent', knows: [['delete.name-reusable', 'otherwise']] }],
];

describe('delete.name-reusable: a platform that does not accept the name of a deleted record', () => testRuns(spent));
