import { describe, expect, test } from 'vitest';
import { actions, changeOf, closure, codes, declare, live, plan, snapshot } from '../world.ts';

const gaps = new Map([['group', 'it shows 2 of 3'] as const]);
const kept = declare('group/kept');
const records = [live('group/kept'), live('group/old')];
const cut = snapshot(records, { gaps });

describe('a platform that does not list everything', () => {
  test('a resource that is no longer declared is kept, with a note', () => {
    const made = plan([kept], cut);
    expect(actions(made)).toEqual([]);
    expect(changeOf(made, 'group/old').notes).toEqual([
      'no longer declared, and kept: the platform does not list everything',
    ]);
    expect(made.notes).toEqual([
      'the platform does not list every group (it shows 2 of 3): nothing is deleted because it is no longer declared',
    ]);
    expect(codes(made)).toEqual([]);
  });

  test('--prune is refused', () => {
    expect(codes(plan([kept], cut, { scope: 'partial', prune: true }))).toEqual(['delete.unlisted']);
    expect(codes(plan([kept], cut, { scope: 'partial' }))).toEqual([]);
  });

  test('destroy is refused, unless unseen resources may stay', () => {
    const destroy = { destroys: true, allowEmpty: true };
    expect(codes(plan([], cut, destroy))).toEqual(['delete.unlisted']);
    const made = plan([], cut, { ...destroy, allowUnseen: true });
    expect(codes(made)).toEqual([]);
    expect(actions(made)).toEqual(['delete group/kept', 'delete group/old']);
    expect(made.notes.join()).toContain('resources of this stack that it does not show stay as they are');
  });

  test('other changes are planned as usual', () => {
    const made = plan([declare('group/kept', { description: 'new' }), declare('group/new')], cut);
    expect(actions(made)).toEqual(['patch group/kept', 'create group/new']);
  });

  test('a list of a GVC that lacks a known child is not its content', () => {
    const shown = live('identity/g/shown');
    const records = [live('group/kept'), live('gvc/g'), shown, live('identity/g/unshown')];
    const whole = { closures: closure('g', [shown, live('identity/g/unshown')]) };
    expect(codes(plan([kept], snapshot(records, whole)))).toEqual([]);
    const made = plan([kept], snapshot(records, { closures: closure('g', [shown]) }));
    expect(codes(made)).toEqual(['delete.closure-unknown']);
    expect(changeOf(made, 'gvc/g').refusals[0]?.message).toContain('(the list left out identity/g/unshown)');
  });

  test('a platform that does not report view permissions grants them, with a note', () => {
    const closures = new Map([['g', { known: true, children: [], views: 'untold' as const }]]);
    const made = plan([kept], snapshot([live('group/kept'), live('gvc/g')], { closures }));
    expect(codes(made)).toEqual([]);
    expect(changeOf(made, 'gvc/g').notes.join()).toContain('does not say what this token may view');
    const hidden = new Map([['volumeset/g/rows', 'volumeset.view'] as const]);
    const refused = plan([kept], snapshot([live('group/kept'), live('gvc/g')], { closures, hidden }));
    expect(codes(refused)).toEqual(['delete.unseen']);
    expect(
      codes(plan([kept], snapshot([live('group/kept'), live('gvc/g')], { closures, hidden }), { allowUnseen: true })),
    ).toEqual([]);
  });

  test('a GVC with unknown content is not deleted, and the reason is given', () => {
    const because = 'GET /org/o/gvc/g/workload: the list is not complete: it shows 1 of 2';
    const closures = new Map([['g', { known: false, children: [], because }]]);
    const made = plan([kept], snapshot([live('group/kept'), live('gvc/g')], { closures }));
    expect(changeOf(made, 'gvc/g').refusals[0]?.message).toContain(`(${because})`);
    expect(closure('g', [], false).get('g')?.because).toBeUndefined();
  });
});
