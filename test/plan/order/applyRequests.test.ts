import { describe, expect, test } from 'vitest';
import { Body } from '../../../src/manifest/model/body.ts';
import type { Action, Change, Edge, UncheckedChange } from '../../../src/plan/model/change.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import { countApplyRequests, triedCreations } from '../../../src/plan/order/applyRequests.ts';
import type { Kind } from '../../../src/schema/record/kinds.ts';
import { changeWith } from '../changes.ts';

const then = { then: new Body({}, {}), expectedThen: new Body({}, {}), thenRequires: [] };

function change(action: Action, kind: Kind, name: string, more: Partial<UncheckedChange> = {}): Change {
  const id = `${kind}/${name}`;
  return changeWith({ id, ref: { kind, name }, kind, name, action, ...more });
}

function waiting(count: number): readonly Change[] {
  return Array.from({ length: count }, (_, index) => change('keep', 'workload', `w${index}`, { wait: true }));
}

const on = (id: string, more: Partial<Edge> = {}): Edge => ({ on: id, because: '', soft: false, ...more });

/**
 * Each changed kind is listed once at the end. A deletion is a read, a DELETE and a read that shows its result. The content
 * of a GVC is three lists.
 */
describe('the requests of an apply (design, law 7)', () => {
  // biome-ignore format: a row is a case
  test.each<[string, readonly Change[], Pick<Plan, 'preconditions' | 'dryRun'>, number]>([
    ['none for kept resources', [change('keep', 'secret', 's')], {}, 0],
    ['a POST', [change('create', 'secret', 's')], {}, 1 + 1],
    ['one list for two records of a kind', [change('create', 'secret', 's'), change('create', 'secret', 't')], {},
      2 + 1],
    ['one list for each kind', [change('create', 'secret', 's'), change('create', 'gvc', 'g')], {}, 2 + 2],
    ['a second step', [change('create', 'gvc', 'g', then)], {}, 2 + 1],
    ['a wait until the record is ready', [change('patch', 'workload', 'w', { wait: true })], {}, 2 + 1],
    ['no wait for a kind without readiness', [change('patch', 'secret', 's', { wait: true })], {}, 1 + 1],
    ['the content of a GVC that loses something', [change('patch', 'gvc', 'g', { takes: [] })], {}, 3 + 1 + 1],
    ['a deletion', [change('delete', 'secret', 's')], {}, 3 + 1],
    ['the deletion of a GVC', [change('delete', 'gvc', 'g')], {}, 3 + 3 + 1],
    ['only the verification of a record deleted with its GVC', [change('delete', 'workload', 'w', { via: 'gvc/g' })],
      {}, 1],
    ['a replacement: DELETE, mark, POST', [change('replace', 'secret', 's')], {}, 3 + 1 + 1 + 1],
    ['its creation as a dry run', [change('replace', 'secret', 's')], { dryRun: 'honoured' }, 3 + 1 + 1 + 1 + 1],
    ['a replacement with a second step and a wait', [change('replace', 'workload', 'w', { ...then, wait: true })], {},
      3 + 1 + 1 + 1 + 1 + 1],
    ['one PATCH to test preconditions', [change('patch', 'secret', 's')], { preconditions: 'unsaid' }, 1 + 1 + 1],
    ['the same for an adoption', [change('adopt', 'secret', 's')], { preconditions: 'unsaid' }, 1 + 1 + 1],
    ['the same for a release', [change('forget', 'secret', 's')], { preconditions: 'unsaid' }, 1 + 1 + 1],
    ['the same for a second step', [change('create', 'gvc', 'g', then)], { preconditions: 'unsaid' }, 2 + 1 + 1],
    ['none without a PATCH', [change('create', 'secret', 's')], { preconditions: 'unsaid' }, 1 + 1],
    ['those of a refused change, as if it were not refused', [change('refuse', 'secret', 's', { intended: 'create' })],
      {}, 1 + 1],
    ['the record and the deployments of a workload that is only waited for', waiting(10), {}, 10 + 10],
    ['one list for many of them', waiting(11), {}, 1 + 11],
  ])('%s', (_, changes, given, expected) => {
    expect(countApplyRequests(changes, given)).toBe(expected);
  });
});

describe('a creation is tried in a dry run before the deletion that it waits for', () => {
  const renamed = (requires: readonly Edge[]) =>
    change('create', 'workload', 'new', { renamedFrom: 'workload/old', requires });
  const gone = (more: Partial<UncheckedChange> = {}) => change('delete', 'workload', 'old', more);

  test.each<[string, readonly Change[], readonly string[]]>(
    // biome-ignore format: a row is a case
    [
      ['for a replacement', [change('replace', 'secret', 's')], ['secret/s']],
      ['not if nothing is deleted first', [change('create', 'secret', 's'), gone()], []],
      ['if the deletion waits for the same steps',
        [change('replace', 'secret', 's', { requires: [on('gvc/g')], deleteRequires: [on('gvc/x'), on('gvc/g')] })],
        ['secret/s']],
      ['not if it waits for more steps', [change('replace', 'secret', 's', { requires: [on('gvc/g')] })], []],
      ['not if only one of two records exists',
        [change('replace', 'secret', 's', { requires: [on('gvc/g'), on('gvc/h')], deleteRequires: [on('gvc/g')] })],
        []],
      ['not if it waits for another step of the same record',
        [change('replace', 'secret', 's',
            { requires: [on('gvc/g', { step: 'then' })], deleteRequires: [on('gvc/g')] })], []],
      ['for a new name that waits for the old one', [renamed([on('workload/old')]), gone()], ['workload/old']],
      ['not for one that does not wait', [renamed([]), gone()], []],
      ['not for one that waits for another record', [renamed([on('gvc/g')]), gone({ requires: [on('gvc/g')] })], []],
      ['not for one with a soft edge', [renamed([on('workload/old', { soft: true })]), gone()], []],
      ['for a new name: a record that the deletion waits for exists too',
        [renamed([on('workload/old'), on('gvc/g')]), gone({ requires: [on('gvc/g')] })], ['workload/old']],
      ['not if the old name waits for fewer steps', [renamed([on('workload/old'), on('gvc/g')]), gone()], []],
      ['not if the old name is deleted with its GVC', [renamed([on('workload/old')]), gone({ via: 'gvc/g' })], []],
      ['not if the old name does not exist', [renamed([on('workload/old')])], []],
      ['not for a domain, whose dry run has another name', [change('replace', 'domain', 'a.com')], []],
      ['not for a change without a body', [change('refuse', 'secret', 's', { intended: 'replace' })], []],
    ],
  )('%s', (_, changes, expected) => {
    expect([...triedCreations(changes).keys()]).toEqual(expected);
  });
});
