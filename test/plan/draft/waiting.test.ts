import { describe, expect, test } from 'vitest';
import type { Lifecycle } from '../../../src/manifest/model/manifest.ts';
import { isEmptyPlan, isIdlePlan, type Plan, waitsUnchanged } from '../../../src/plan/model/plan.ts';
import { changeOf, declare, live, plan, volumeset, volumesetSpec, workload } from '../world.ts';

const web = (lifecycle: Lifecycle = {}) => declare('workload/g/web', workload('a:1'), lifecycle);
const gvc = declare('gvc/g');
const [liveGvc, liveWeb] = [live('gvc/g'), live('workload/g/web', workload('a:1'))];

function waiting(made: Plan): readonly string[] {
  return made.changes.filter(waitsUnchanged).map(({ id }) => id);
}

/** A plan of records that exist already. */
function unchanged(lifecycle: Lifecycle, wait: boolean): Plan {
  const made = plan([gvc, web(lifecycle)], [liveGvc, liveWeb], { wait });
  expect(isEmptyPlan(made)).toBe(true);
  return made;
}

describe('waiting for an unchanged resource', () => {
  test.each<[string, Lifecycle, boolean, readonly string[]]>([
    ['with --wait', {}, true, ['workload/g/web']],
    ['with lifecycle.wait', { wait: true }, false, ['workload/g/web']],
    ['no, without both', {}, false, []],
    ['no, with lifecycle.wait: false', { wait: false }, true, []],
  ])('%s', (_, lifecycle, wait, expected) => {
    const made = unchanged(lifecycle, wait);
    expect(waiting(made)).toEqual(expected);
    expect(isIdlePlan(made)).toBe(expected.length === 0);
  });

  test('has its own time limit, and its requests are counted: its record and its deployments', () => {
    const made = unchanged({ waitTimeout: '1m30s' }, true);
    expect(changeOf(made, 'workload/g/web')).toMatchObject({ action: 'keep', waitTimeoutMs: 90_000 });
    expect(made.requests.apply).toBe(2);
    expect(unchanged({}, false).requests.apply).toBe(0);
  });

  test('excludes undeclared resources and those without an owner', () => {
    const loose = plan([gvc], [liveGvc, liveWeb], { wait: true, scope: 'partial' });
    expect(waiting(loose)).toEqual([]);
    const unrecorded = live('workload/g/web', workload('a:1'), { applied: null });
    const foreign = plan([gvc], [liveGvc, unrecorded], { wait: true });
    expect(changeOf(foreign, 'workload/g/web').unowned).toBe(true);
    expect(waiting(foreign)).toEqual([]);
  });

  test('of a partial plan includes only the selected resources', () => {
    const api = declare('workload/g/api', workload('a:1'));
    const there = [liveGvc, liveWeb, live('workload/g/api', workload('a:1'))];
    const made = plan([gvc, web(), api], there, { wait: true, targets: ['workload/g/api'] });
    expect(waiting(made)).toEqual(['workload/g/api']);
  });
});

test.each<[string, Lifecycle, boolean, readonly object[]]>([
  ['starts when it is ready, with dependsOn ready', { wait: true }, false, [{ on: 'workload/g/web', ready: true }]],
  ['starts without waiting with --wait alone: the change may be what makes it ready', {}, true, []],
])('a change that depends on an unchanged workload %s', (_, lifecycle, wait, expected) => {
  const group = declare('group/after', {}, { dependsOn: ['workload/g/web'] });
  const made = plan([gvc, web(lifecycle), group], [liveGvc, liveWeb], { wait });
  expect(changeOf(made, 'group/after').requires).toMatchObject(expected);
});

test('a replacement that depends on an unchanged workload waits to delete until that and its users are ready', () => {
  const rows = declare(
    'volumeset/g/rows',
    volumesetSpec({ performanceClass: 'high-throughput-ssd', initialCapacity: 200 }),
    { replace: true, dependsOn: ['workload/g/web'] },
  );
  const there = [liveGvc, liveWeb, live('volumeset/g/rows', volumeset(0))];
  const waits = (made: Plan): readonly string[] =>
    (changeOf(made, 'volumeset/g/rows').deleteRequires ?? []).map(({ on, ready }) => `${on} ${ready === true}`);
  const alone = plan([gvc, web({ wait: true }), rows], there);
  expect(waits(alone)).toEqual(['workload/g/web true']);
  const mounting = workload('db:1', ['rows']);
  const used = [...there, live('workload/g/db', mounting)];
  const both = plan([gvc, web({ wait: true }), rows, declare('workload/g/db', mounting, { replace: true })], used);
  expect(waits(both)).toEqual(['workload/g/db false', 'workload/g/web true']);
});
