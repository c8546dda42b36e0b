import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import type { Pointer } from '../../src/base/json/pointer.ts';
import { fileProblem } from '../../src/manifest/model/locatedProblem.ts';
import { judgePlan } from '../../src/policies/rules/judgePlan.ts';
import { located } from '../../src/policies/rules/verdict.ts';
import { declare, plan } from '../plan/world.ts';

describe('a finding has the position of the value at its path, or of the nearest parent in the manifest', () => {
  const containers = [
    { name: 'side', image: 'b:1' },
    { name: 'main', image: 'a:1', args: ['--a', '--b'] },
  ];
  const record: JsonObject = { spec: { type: 'standard', containers } };
  const found = (path: string | undefined): Pointer => {
    const resource = declare('workload/g/web', record, { protect: true });
    const finding = { policy: 'p', severity: 'error', message: 'no', ...(path === undefined ? {} : { path }) } as const;
    return located(finding, resource, { file: 'elsewhere', line: 1, column: 1 }).pointer;
  };

  test.each<{ path: string | undefined; pointer: Pointer }>([
    { path: undefined, pointer: [] },
    { path: 'spec.type', pointer: ['spec', 'type'] },
    { path: 'spec.containers.main.image', pointer: ['spec', 'containers', 1, 'image'] },
    { path: 'spec.containers.0.image', pointer: ['spec', 'containers', 0, 'image'] },
    { path: 'spec.containers.main.args.1', pointer: ['spec', 'containers', 1, 'args', 1] },
    { path: 'spec.containers.main.cpu', pointer: ['spec', 'containers', 1] },
    { path: 'spec.containers.third.cpu', pointer: ['spec', 'containers'] },
    { path: 'spec.type.x', pointer: ['spec', 'type'] },
    { path: 'lifecycle.protect', pointer: ['lifecycle', 'protect'] },
  ])('$path', ({ path, pointer }) => {
    expect(found(path)).toEqual(pointer);
  });
});

describe('a plan that policies have judged', () => {
  const before = plan([declare('group/ops')], []);
  const problem = (resource: string | undefined, severity: 'error' | 'warning') => ({
    ...fileProblem({ file: 'a.yaml', line: 1, column: 2 }, 'policy.p', 'no', 'Do it.'),
    ...{ severity, path: 'spec', ...(resource === undefined ? {} : { resource }) },
  });
  const judged = (problems: readonly ReturnType<typeof problem>[], imposed: readonly string[] = []) =>
    judgePlan(before, { problems, notes: ['an exception'], imposed: new Set(imposed) });
  const message = 'a.yaml:1:2: spec: no. Do it.';

  test('is unchanged without findings', () => {
    expect(judgePlan(before, { problems: [], notes: [], imposed: new Set() })).toBe(before);
  });

  test('has an error at the change of its resource, with the exception that allows it', () => {
    const { changes, refusals, notes } = judged([problem('group/ops', 'error')]);
    expect(changes).toMatchObject([
      { action: 'refuse', intended: 'create', refusals: [{ code: 'policy.p', message, allow: expect.any(String) }] },
    ]);
    expect([refusals, notes]).toEqual([before.refusals, [...before.notes, 'an exception']]);
    const [imposed] = judged([problem('group/ops', 'error')], ['p']).changes;
    expect(imposed?.refusals.map(({ allow }) => allow)).toEqual([undefined]);
  });

  test('has a warning as a note of the change', () => {
    const [change] = judged([problem('group/ops', 'warning')]).changes;
    expect(change).toMatchObject({ action: 'create', refusals: [], notes: [`policy.p: ${message}`] });
  });

  test('has findings without a change as findings of the whole plan', () => {
    const warning = { ...problem('gvc/other', 'warning'), message: 'rather not' };
    const { changes, refusals, notes } = judged([problem(undefined, 'error'), warning]);
    expect(changes).toEqual(before.changes);
    expect(refusals).toMatchObject([{ code: 'policy.p', message }]);
    const note = 'policy.p: a.yaml:1:2: spec: rather not. Do it.';
    expect(notes).toEqual([...before.notes, note, 'an exception']);
  });
});
