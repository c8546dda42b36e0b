import { describe, expect, test } from 'vitest';
import { trialName } from '../../src/apply/remove.ts';
import { checkRecord } from '../../src/kinds/registry.ts';
import { countApplyRequests } from '../../src/plan/order/applyRequests.ts';
import { creatableKinds } from '../../src/schema/record/kinds.ts';
import type { BodyProblem } from '../../src/schema/record/problem.ts';
import type { ResourceId } from '../../src/schema/record/ref.ts';
import { type More, planned, type RunRow, testRuns } from './harness/runText.ts';

const hall = 'workload/town/hall';
const trial = 'workload/town/hall-dry-run';
const replaced = `replace ${hall}`;
const renamed = `delete ${hall}; create workload/town/court renames(${hall})`;
/** The workload mounts the volume set: it is deleted first and created last. */
const mount = `replace volumeset/town/rows goneAfter(${hall}); replace ${hall} after(volumeset/town/rows)`;

type Wrong = (of: { readonly name: string; readonly description: unknown; readonly isThere: boolean }) => BodyProblem[];

/** The problems of a body under this name, while the old record exists or after its deletion. */
function finding(wrong: Wrong): Required<Pick<More, 'offered' | 'refuses'>> {
  const isThere = (ids: readonly ResourceId[]) => ids.includes(hall);
  const refuses: NonNullable<More['refuses']> = ({ name }, { description }, ids) =>
    wrong({ name, description, isThere: isThere(ids) });
  return { offered: true, refuses };
}

const nothing = finding(() => []);
const tooMuch = { path: 'spec.defaultOptions.capacityAI', message: 'this org may not use it' };
const inUse = { path: 'spec.containers.main.volumes./rows', message: 'the volume set is in use' };
const refused: Wrong = ({ description }) => (description === 'made' ? [tooMuch] : []);
/** A copy of the old record mounts the volume set too. */
const taken: Wrong = ({ description, isThere }) => (description !== undefined && isThere ? [inUse] : []);
const ofRenaming = (message: string) =>
  finding(({ name, ...of }) =>
    name === 'court-dry-run' ? refused({ name, ...of }).map(() => ({ path: 'spec', message })) : [],
  );
const noVerdict = ['conflict', 'quota', 'forbidden', 'not-found', 'method', 'unavailable', 'reply-lost', 'bad-reply'];

// biome-ignore format: a row is a case
const tried: readonly RunRow[] = [
  ['a refused body: nothing is marked and nothing is deleted', replaced, '',
    `failed ${hall} apply.creation-refused (= ${hall} was not deleted, because the platform would refuse to create it ` +
      `again: ${tooMuch.path}: ${tooMuch.message}); reached nothing; sent nothing; now ${hall}@1=old`, finding(refused)],
  ['an accepted body: tried once, under an unused name, before the mark', replaced, '',
    `done ${hall}; asked try ${trial}, patch ${hall}, delete ${hall}, create ${hall}; there ${hall}`, nothing],
  ['of two replacements only the refused one stops', `${replaced}; replace workload/town/court`, '',
    `failed ${hall} apply.creation-refused; done workload/town/court; now workload/town/court@1=made, ${hall}@1=old; ` +
      'sent patch workload/town/court, delete workload/town/court, create workload/town/court',
    finding((of) => (of.name.startsWith('hall') ? refused(of) : []))],
  ['nothing is tried on a platform without dry runs', replaced, '',
    `failed ${hall} api.invalid; asked patch ${hall}, delete ${hall}, create ${hall}; there nothing`,
    { refuses: finding(refused).refuses }],
  ['a renaming that deletes the old name first', renamed, '',
    `failed ${hall} apply.creation-refused (would refuse to create workload/town/court in its place); there ${hall}; ` +
      'asked try workload/town/court-dry-run, try workload/town/court-dry-run', finding(refused)],
  ['of a chain, the one that is created first, before anything is deleted', mount, '',
    `failed ${hall} apply.creation-refused (= volumeset/town/rows was not deleted, because the platform would refuse to ` +
      `create it again: ${tooMuch.path}: ${tooMuch.message}); skipped volumeset/town/rows; sent nothing; ` +
      `now volumeset/town/rows@1=old, ${hall}@1=old`,
    finding((of) => (of.name.startsWith('rows') ? refused(of) : []))],
  ['of a chain, each one once, and not a creation that waits for a change after the deletion', mount, '',
    `done volumeset/town/rows, ${hall}; asked try volumeset/town/rows-dry-run, patch volumeset/town/rows, patch ${hall}, ` +
      `delete ${hall}, delete volumeset/town/rows, create volumeset/town/rows, create ${hall}`, nothing],
  ['a creation that two chains wait for: once, and neither begins',
    `${mount}; replace workload/town/court after(volumeset/town/rows)`.replace(`goneAfter(${hall})`,
      `goneAfter(${hall},workload/town/court)`), '',
    `failed ${hall} apply.creation-refused; failed workload/town/court apply.creation-refused; sent nothing; ` +
      'asked try volumeset/town/rows-dry-run, try volumeset/town/rows-dry-run',
    finding((of) => (of.name.startsWith('rows') ? refused(of) : []))],
  ['of a chain, before its own deletion if it waits for something in between',
    `create secret/a afterDeletion(${hall}); replace volumeset/town/rows afterDeletion(secret/a) goneAfter(secret/a); ` +
      `replace ${hall} after(volumeset/town/rows)`, '',
    `done secret/a, volumeset/town/rows, ${hall}; asked patch volumeset/town/rows, patch ${hall}, delete ${hall}, ` +
      'create secret/a, try volumeset/town/rows-dry-run, delete volumeset/town/rows, create volumeset/town/rows, ' +
      `create ${hall}`, nothing],
  ['a record without a mark is read again before it is deleted, as the dry run took time', replaced,
    `try ${trial}: ${hall} edited; patch ${hall}: api.forbidden`, `failed ${hall} plan.stale; now ${hall}@2=edited`,
    nothing],
];

// biome-ignore format: a row is a case
const passed: readonly RunRow[] = [
  ...noVerdict.map((code): RunRow => [code, replaced, `try ${trial}: api.${code}`, `done ${hall}`, nothing]),
  ['a problem of the tried name', replaced, '', `done ${hall}`,
    finding(({ name }) => (name === 'hall-dry-run' ? [{ path: 'name', message: 'this name is reserved' }] : []))],
  ['a problem with a record of the chain, which is deleted before', mount, '', `done volumeset/town/rows, ${hall}`,
    finding(({ name, description, isThere }) => name === 'rows-dry-run' && description === 'made' && isThere
      ? [{ path: 'spec', message: 'the workload "hall" has reserved this' }] : [])],
  ['a problem of a renaming with its own name, which does not exist yet', renamed, '', 'there workload/town/court',
    ofRenaming('there is no workload "court"')],
  ['a problem of a renaming with its old name, which still exists', renamed, '', 'there workload/town/court',
    ofRenaming('the workload "hall" mounts it as stateful')],
  ['an existing record of the name: the body was checked as its update', replaced, `${trial}: added`, `done ${hall}`,
    finding((of) => (of.name === 'hall' ? [] : refused(of)))],
  ['Ctrl-C before the dry run: it is not sent', replaced, `read ${hall}: abort`,
    `done nothing; asked nothing; now ${hall}@1=old`, nothing],
  ['Ctrl-C during the dry run: nothing is started', replaced, `try ${trial}: abort`,
    `done nothing; asked try ${trial}; now ${hall}@1=old`, nothing],
];

// biome-ignore format: a row is a case
const ofCopy: readonly RunRow[] = [
  ['is no reason: it may be resolved with the deletion', replaced, '',
    `done ${hall}; asked try ${trial}, try ${trial}, patch ${hall}, delete ${hall}, create ${hall}`, finding(taken)],
  ['is not named if there is another reason', replaced, '',
    `failed ${hall} apply.creation-refused; causes ${hall} api.invalid ${tooMuch.path}: ${tooMuch.message}; ` +
      `now ${hall}@1=old`, finding((of) => [...taken(of), ...refused(of)])],
  ['is unknown if the copy gets no response', replaced, `try ${trial}: -, api.forbidden`, `done ${hall}`,
    finding(taken)],
];

describe('the creation of a replacement is tried in a dry run', () => {
  testRuns(tried);

  test('as often as planned', async () => {
    const { made, apply } = planned(replaced, nothing);
    expect((await apply()).result.requests).toBe(countApplyRequests(made.changes, made));
  });

  test.each([
    ['a creation that waits for a change after the deletion', mount, 1],
    ['a domain, whose name has a meaning', 'replace domain/www.example.com', 0],
    ['a record deleted with its GVC', `delete ${hall} via(gvc/town); create workload/town/new renames(${hall})`, 0],
  ])('except %s: planned requests', (_, text, more) => {
    const { changes } = planned(text).made;
    expect(countApplyRequests(changes, { dryRun: 'honoured' })).toBe(countApplyRequests(changes) + more);
  });
});

describe('an inconclusive dry run does not stop a replacement', () => {
  testRuns(passed);

  test('except an internal error', async () => {
    const { platform, apply } = planned(replaced, nothing);
    const happens = () => {
      throw new TypeError('ours');
    };
    platform.fault('try', trial, { kind: 'meanwhile', happens });
    await expect(apply()).rejects.toThrow('ours');
  });
});

describe('a problem that a copy of the old record also has', () => testRuns(ofCopy));

describe('the tried name', () => {
  const named = ['abc', 'a-b', `a${'b'.repeat(48)}`, `a${'-'.repeat(45)}b`, `a${'9'.repeat(63)}`];
  test.each(creatableKinds.filter((kind) => kind !== 'domain'))('is a valid name of a %s', (kind) => {
    for (const name of named) {
      const problems = checkRecord(kind, { name: trialName(name) }, { org: 'acme', gvc: 'town' }, 'server');
      expect(
        problems.filter(({ path }) => path === 'name'),
        name,
      ).toEqual([]);
    }
  });
});
