import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Edge } from '../../../src/plan/model/change.ts';
import { isRefused, type Plan } from '../../../src/plan/model/plan.ts';
import { runs } from '../../harness/sampled.ts';
import { lawFigures } from '../../laws/figures.ts';
import { builtIn, carryOut, ModelPlatform } from '../model.ts';
import { declared, held, type PlanRow, testPlans } from '../planText.ts';
import { parts, stackOf } from '../stacks.ts';
import { changeOf, plan } from '../world.ts';

const store = 'gvc/g; secret/s; volumeset/g/rows; workload/g/store image(b) previously(db) replace dependsOn(secret/s)';

// biome-ignore format: a row is a case
const waits: readonly PlanRow[] = [
  ['a new identity that it refers to', 'gvc/g; identity/g/app; workload/g/web type(standard) identity(app)',
    'gvc/g; workload/g/web', '… replace workload/g/web after identity/g/app gone-after identity/g/app'],
  ['the targets of lifecycle.dependsOn', 'gvc/g; secret/s; workload/g/web type(standard) dependsOn(secret/s)',
    'gvc/g; workload/g/web', '… replace workload/g/web gone-after secret/s'],
  ['the policy that lets it read its secrets',
    'gvc/g; secret/s; identity/g/app; policy/reveal lets(reveal,s,app); ' +
      'workload/g/web type(standard) identity(app) reads(s)', 'gvc/g; workload/g/web',
    '… replace workload/g/web gone-after identity/g/app, policy/reveal, ~secret/s'],
  ['the prerequisites of a replaced record whose deletion it waits for',
    'gvc/g; secret/s; volumeset/g/rows fast replace dependsOn(secret/s); workload/g/db mounts(rows)',
    'gvc/g; volumeset/g/rows; workload/g/db mounts(rows)',
    '… replace volumeset/g/rows gone-after secret/s, workload/g/db delete; ' +
      'replace workload/g/db gone-after secret/s'],
  ['an old name that must be deleted before the new one is created', `${store} mounts(rows)`,
    'gvc/g; volumeset/g/rows; workload/g/db mounts(rows)',
    '… delete workload/g/db after secret/s; create workload/g/store after secret/s, workload/g/db'],
  ['an old name that is deleted last does not wait for prerequisites of the new one', store,
    'gvc/g; volumeset/g/rows; workload/g/db',
    '… delete workload/g/db after workload/g/store ready; create workload/g/store after secret/s'],
  ['an old name does not wait for prerequisites of a new one that exists already', `${store} mounts(rows)`,
    'gvc/g; volumeset/g/rows; workload/g/db mounts(rows); workload/g/store mounts(rows)',
    '… delete workload/g/db after nothing; patch workload/g/store after secret/s, workload/g/db'],
];

describe('a replaced record is kept until the prerequisites of its creation exist', () => {
  testPlans(waits);

  test('with reasons: its own prerequisites and the indirect ones', () => {
    const web = 'gvc/g; identity/g/app; workload/g/web type(standard) identity(app)';
    const one = changeOf(plan(declared(web), held('gvc/g; workload/g/web')), 'workload/g/web');
    expect(one.deleteRequires).toMatchObject([{ because: 'spec.identityLink refers to it' }]);
    const sets = 'gvc/g; secret/s; volumeset/g/rows fast replace dependsOn(secret/s); workload/g/db mounts(rows)';
    const along = plan(declared(sets), held('gvc/g; volumeset/g/rows; workload/g/db mounts(rows)'));
    const because = 'volumeset/g/rows waits for it: lifecycle.dependsOn names it';
    expect(changeOf(along, 'workload/g/db').deleteRequires).toMatchObject([{ because }]);
  });

  test('a partial plan includes no more changes', () => {
    const desired = declared('gvc/g; identity/g/app text(changed); workload/g/web type(standard) identity(app)');
    const made = plan(desired, held('gvc/g; identity/g/app; workload/g/web identity(app)'), {
      targets: ['workload/g/web'],
    });
    expect(made.leftOut).toEqual([{ id: 'identity/g/app', action: 'patch' }]);
  });

  test('in generated stacks, no failed write leaves a record deleted whose creation could have waited for it', () => {
    let cases = 0;
    fc.assert(
      fc.property(fc.array(parts, { minLength: 2, maxLength: 3 }), (stacks) => {
        const platform = new ModelPlatform();
        platform.put(builtIn);
        for (const stack of stacks) {
          const made = plan(stackOf(stack), platform.snapshot(), { maxDeletes: undefined, allowEmpty: true });
          if (isRefused(made)) continue;
          const steps = stepsOf(made);
          for (const failing of steps.filter(({ key }) => !key.endsWith(' delete'))) {
            cases += 1;
            expect(lostBy(failing, steps)).toEqual([]);
          }
          carryOut(made, platform, () => 0);
        }
      }),
      { numRuns: runs(300) },
    );
    lawFigures({ cases });
    expect(cases).toBeGreaterThan(300);
  });
});

interface Step {
  readonly key: string;
  readonly deletes: boolean;
  /** Required: it is not carried out without these. */
  readonly after: readonly string[];
  /** Preferred: these come first, but it is carried out without them, as when two workloads swap mounts. */
  readonly later: readonly string[];
}

/** The steps of a plan with their requirements, derived for this test from the meaning of the plan's fields. */
function stepsOf({ changes }: Plan): readonly Step[] {
  const replaced = new Set(changes.filter(({ action }) => action === 'replace').map(({ id }) => id));
  const keys = (edges: readonly Edge[]) =>
    edges.map(({ on, step }) => (step === 'then' || (step === 'delete' && replaced.has(on)) ? `${on} ${step}` : on));
  const hard = (edges: readonly Edge[] = []) => keys(edges.filter(({ soft }) => !soft));
  const wished = (edges: readonly Edge[] = []) => keys(edges.filter(({ soft }) => soft));
  return changes
    .filter(({ action, via }) => action !== 'keep' && via === undefined)
    .flatMap(({ id, action, requires, deleteRequires, thenRequires, then }): readonly Step[] => [
      ...(action === 'replace'
        ? [{ key: `${id} delete`, deletes: true, after: hard(deleteRequires), later: wished(deleteRequires) }]
        : []),
      {
        key: id,
        deletes: action === 'delete',
        after: [...hard(requires), ...(action === 'replace' ? [`${id} delete`] : [])],
        later: wished(requires),
      },
      ...(then === undefined
        ? []
        : [{ key: `${id} then`, deletes: false, after: [id, ...hard(thenRequires)], later: wished(thenRequires) }]),
    ]);
}

/** The records deleted and not created again if one step fails, except by deletions that wait for that step. */
function lostBy(failing: Step, steps: readonly Step[]): readonly string[] {
  const byKey = new Map(steps.map((step) => [step.key, step]));
  const waitsFor = (
    key: string,
    on: string,
    how: readonly ('after' | 'later')[],
    seen = new Set<string>(),
  ): boolean => {
    if (key === on) return true;
    if (seen.has(key)) return false;
    seen.add(key);
    const step = byKey.get(key);
    return how.some((each) => step?.[each].some((next) => waitsFor(next, on, how, seen)));
  };
  const goesOn = (key: string) => !waitsFor(key, failing.key, ['after']);
  return steps
    .filter(({ key }) => key.endsWith(' delete') && goesOn(key))
    .filter(({ key }) => !goesOn(key.slice(0, -' delete'.length)) && !waitsFor(failing.key, key, ['after', 'later']))
    .map(({ key }) => `${key} is carried out, although ${failing.key} failed`);
}
