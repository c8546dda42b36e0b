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
 * Each kind that is touched is asked for once at the end; a deletion is read, sent, and seen to be done; content of a GVC
 * is three lists.
 */
describe('the requests of an apply (design, law 7)', () => {
  test.each<[string, readonly Change[], Pick<Plan, 'preconditions' | 'dryRun'>, number]>([
    ['nothing for what stays', [change('keep', 'secret', 's')], {}, 0],
    ['a POST', [change('create', 'secret', 's')], {}, 1 + 1],
    ['one query for two of a kind', [change('create', 'secret', 's'), change('create', 'secret', 't')], {}, 2 + 1],
    ['one query for each kind', [change('create', 'secret', 's'), change('create', 'gvc', 'g')], {}, 2 + 2],
    ['a second step', [change('create', 'gvc', 'g', then)], {}, 2 + 1],
    ['what is waited for until it is ready', [change('patch', 'workload', 'w', { wait: true })], {}, 2 + 1],
    ['no readiness of what has none', [change('patch', 'secret', 's', { wait: true })], {}, 1 + 1],
    ['the content of a GVC that loses something', [change('patch', 'gvc', 'g', { takes: [] })], {}, 3 + 1 + 1],
    ['a deletion', [change('delete', 'secret', 's')], {}, 3 + 1],
    ['the deletion of a GVC', [change('delete', 'gvc', 'g')], {}, 3 + 3 + 1],
    ['only to verify for what goes with its GVC', [change('delete', 'workload', 'w', { via: 'gvc/g' })], {}, 1],
    ['a replacement: deleted, marked, created', [change('replace', 'secret', 's')], {}, 3 + 1 + 1 + 1],
    ['the creation of it, tried', [change('replace', 'secret', 's')], { dryRun: 'honoured' }, 3 + 1 + 1 + 1 + 1],
    [
      'a replacement with a second step, and waiting',
      [change('replace', 'workload', 'w', { ...then, wait: true })],
      {},
      3 + 1 + 1 + 1 + 1 + 1,
    ],
    ['one PATCH to learn of versions', [change('patch', 'secret', 's')], { preconditions: 'unsaid' }, 1 + 1 + 1],
    ['the same where something is adopted', [change('adopt', 'secret', 's')], { preconditions: 'unsaid' }, 1 + 1 + 1],
    ['the same where something is let go', [change('forget', 'secret', 's')], { preconditions: 'unsaid' }, 1 + 1 + 1],
    ['the same for a second step', [change('create', 'gvc', 'g', then)], { preconditions: 'unsaid' }, 2 + 1 + 1],
    ['none where no PATCH is sent', [change('create', 'secret', 's')], { preconditions: 'unsaid' }, 1 + 1],
    ['of what is refused, as if it were not', [change('refuse', 'secret', 's', { intended: 'create' })], {}, 1 + 1],
    ['the record and the deployments of what is waited for unchanged', waiting(10), {}, 10 + 10],
    ['one query for many of them', waiting(11), {}, 1 + 11],
  ])('%s', (_, changes, given, expected) => {
    expect(countApplyRequests(changes, given)).toBe(expected);
  });
});

describe('a creation is tried before the deletion that makes room for it', () => {
  const renamed = (requires: readonly Edge[]) =>
    change('create', 'workload', 'new', { renamedFrom: 'workload/old', requires });
  const gone = (more: Partial<UncheckedChange> = {}) => change('delete', 'workload', 'old', more);

  test.each<[string, readonly Change[], readonly string[]]>(
    // biome-ignore format: a row is a case
    [
      ['of a replacement', [change('replace', 'secret', 's')], ['secret/s']],
      ['not where nothing is deleted first', [change('create', 'secret', 's'), gone()], []],
      ['where the deletion waits for the same',
        [change('replace', 'secret', 's', { requires: [on('gvc/g')], deleteRequires: [on('gvc/x'), on('gvc/g')] })],
        ['secret/s']],
      ['not where it waits for more', [change('replace', 'secret', 's', { requires: [on('gvc/g')] })], []],
      ['not where only one of two is there',
        [change('replace', 'secret', 's', { requires: [on('gvc/g'), on('gvc/h')], deleteRequires: [on('gvc/g')] })],
        []],
      ['not where it waits for another step of the same',
        [change('replace', 'secret', 's',
            { requires: [on('gvc/g', { step: 'then' })], deleteRequires: [on('gvc/g')] })], []],
      ['of a new name that waits for the old one', [renamed([on('workload/old')]), gone()], ['workload/old']],
      ['not of one that does not', [renamed([]), gone()], []],
      ['not of one that waits for something else', [renamed([on('gvc/g')]), gone({ requires: [on('gvc/g')] })], []],
      ['not of one that only prefers to', [renamed([on('workload/old', { soft: true })]), gone()], []],
      ['of a new name: what the deletion waits for is there too',
        [renamed([on('workload/old'), on('gvc/g')]), gone({ requires: [on('gvc/g')] })], ['workload/old']],
      ['not where the old name waits for less', [renamed([on('workload/old'), on('gvc/g')]), gone()], []],
      ['not where the old name goes with its GVC', [renamed([on('workload/old')]), gone({ via: 'gvc/g' })], []],
      ['not where the old name is gone', [renamed([on('workload/old')])], []],
      ['not of a domain, whose dry run has another name', [change('replace', 'domain', 'a.com')], []],
      ['not of what has no body to be tried', [change('refuse', 'secret', 's', { intended: 'replace' })], []],
    ],
  )('%s', (_, changes, expected) => {
    expect([...triedCreations(changes).keys()]).toEqual(expected);
  });
});
