import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Edge } from '../../../src/plan/model/change.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import { isRefused } from '../../../src/plan/model/planState.ts';
import { lawFigures } from '../../laws/figures.ts';
import { builtIn, carryOut, ModelPlatform } from '../model.ts';
import { parts, stackOf } from '../stacks.ts';
import { changeOf, codes, declare, live, plan, volumeset, volumesetSpec, workload } from '../world.ts';

const gvc = declare('gvc/g');
const liveGvc = live('gvc/g');
const standard = { type: 'standard' };
const fast = { performanceClass: 'high-throughput-ssd', initialCapacity: 200 };
const secret = declare('secret/s', { type: 'opaque', data: { payload: 'x' } });
const liveWeb = live('workload/g/web', workload('web:1'));

describe('what is replaced stays until everything is there that its creation waits for', () => {
  test('a new identity that it refers to', () => {
    const web = declare('workload/g/web', workload('web:1', [], { ...standard, identityLink: '//identity/app' }));
    const made = plan([gvc, declare('identity/g/app'), web], [liveGvc, liveWeb]);
    const change = changeOf(made, 'workload/g/web');
    expect(change.action).toBe('replace');
    expect(change.requires).toContainEqual(expect.objectContaining({ on: 'identity/g/app', soft: false }));
    expect(change.deleteRequires).toEqual([
      { on: 'identity/g/app', because: 'spec.identityLink refers to it', soft: false },
    ]);
  });

  test('what lifecycle.dependsOn names', () => {
    const web = declare('workload/g/web', workload('web:1', [], standard), { dependsOn: ['secret/s'] });
    const made = plan([gvc, secret, web], [liveGvc, liveWeb]);
    expect(changeOf(made, 'workload/g/web').deleteRequires).toMatchObject([{ on: 'secret/s', soft: false }]);
  });

  test('the policy without which it could not read its secrets', () => {
    const env = { env: [{ name: 'S', value: 'scheme://secret/s' }] };
    const spec = {
      ...standard,
      identityLink: '//identity/app',
      containers: [{ name: 'main', image: 'web:1', ...env }],
    };
    const reveal = declare('policy/reveal', {
      targetKind: 'secret',
      targetLinks: ['//secret/s'],
      bindings: [{ permissions: ['reveal'], principalLinks: ['//gvc/g/identity/app'] }],
    });
    const declared = [gvc, secret, declare('identity/g/app'), reveal, declare('workload/g/web', { spec })];
    const { deleteRequires } = changeOf(plan(declared, [liveGvc, liveWeb]), 'workload/g/web');
    expect(deleteRequires).toContainEqual(expect.objectContaining({ on: 'policy/reveal', soft: false }));
  });

  test('of what is replaced along and waits for the deletion itself, what that one waits for', () => {
    const sets = declare('volumeset/g/rows', volumesetSpec(fast), { replace: true, dependsOn: ['secret/s'] });
    const db = declare('workload/g/db', workload('db:1', ['rows']));
    const held = [liveGvc, live('volumeset/g/rows', volumeset(0)), live('workload/g/db', workload('db:1', ['rows']))];
    const made = plan([gvc, secret, sets, db], held);
    expect(codes(made)).toEqual([]);
    expect(changeOf(made, 'volumeset/g/rows').deleteRequires).toMatchObject([
      { on: 'secret/s', soft: false },
      { on: 'workload/g/db', step: 'delete', soft: false },
    ]);
    expect(changeOf(made, 'workload/g/db').deleteRequires).toEqual([
      {
        on: 'secret/s',
        because: 'volumeset/g/rows waits for it: lifecycle.dependsOn names it',
        soft: false,
      },
    ]);
  });

  test('an old name that has to go before the new one is there', () => {
    const rows = declare('volumeset/g/rows', volumesetSpec());
    const lifecycle = { previously: 'db', replace: true, dependsOn: ['secret/s'] };
    const next = declare('workload/g/store', workload('db:1', ['rows'], { type: 'stateful' }), lifecycle);
    const old = live('workload/g/db', workload('db:1', ['rows'], { type: 'stateful' }));
    const made = plan([gvc, secret, rows, next], [liveGvc, live('volumeset/g/rows', volumeset(0)), old]);
    expect(codes(made)).toEqual([]);
    expect(changeOf(made, 'workload/g/db').requires).toMatchObject([{ on: 'secret/s', soft: false }]);
    expect(changeOf(made, 'workload/g/store').requires).toContainEqual(
      expect.objectContaining({ on: 'workload/g/db' }),
    );
  });

  test.each([
    { it: 'that goes last is not held back by what the new one waits for', mounts: [], there: [] },
    { it: 'is not held back by what a new one waits for that is there already', mounts: ['rows'], there: ['store'] },
  ])('an old name $it', ({ mounts, there }) => {
    const rows = declare('volumeset/g/rows', volumesetSpec());
    const lifecycle = { previously: 'db', replace: true, dependsOn: ['secret/s'] };
    const next = declare('workload/g/store', workload('db:2', mounts), lifecycle);
    const names = ['db', ...there].map((name) => live(`workload/g/${name}`, workload('db:1', mounts)));
    const made = plan([gvc, secret, rows, next], [liveGvc, live('volumeset/g/rows', volumeset(0)), ...names]);
    expect(codes(made)).toEqual([]);
    expect(changeOf(made, 'workload/g/db').action).toBe('delete');
    expect(changeOf(made, 'workload/g/db').requires.map(({ on }) => on)).not.toContain('secret/s');
    expect(changeOf(made, 'workload/g/store').requires.map(({ on }) => on)).toContain('secret/s');
  });

  test('a part of the plan takes along no more than before', () => {
    const spec = { ...standard, identityLink: '//identity/app' };
    const app = declare('identity/g/app', { description: 'changed' });
    const web = declare('workload/g/web', workload('web:1', [], spec));
    const held = [liveGvc, live('identity/g/app'), live('workload/g/web', workload('web:1', [], spec))];
    const typed = live('workload/g/web', workload('web:1', [], { identityLink: '//identity/app' }));
    const made = plan([gvc, app, web], [...held.slice(0, 2), typed], { targets: ['workload/g/web'] });
    expect(made.leftOut).toEqual([{ id: 'identity/g/app', action: 'patch' }]);
  });

  test('of generated stacks: whatever cannot be written, nothing is deleted whose creation could have waited for it', () => {
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
      { numRuns: 300 },
    );
    lawFigures({ cases });
    expect(cases).toBeGreaterThan(300);
  });
});

interface Step {
  readonly key: string;
  readonly deletes: boolean;
  /** Without these it is not carried out. */
  readonly after: readonly string[];
  /**
   * These come first, and it is carried out without them too: who swaps two mounts waits so for what lets go of them.
   */
  readonly later: readonly string[];
}

/**
 * The steps of a plan, each with what it cannot do without; written for this test from what the fields of a plan mean.
 */
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

/** What is deleted and not created again where one step fails, although that step does not wait for the deletion. */
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
  const runs = (key: string) => !waitsFor(key, failing.key, ['after']);
  return steps
    .filter(({ key }) => key.endsWith(' delete') && runs(key))
    .filter(({ key }) => !runs(key.slice(0, -' delete'.length)) && !waitsFor(failing.key, key, ['after', 'later']))
    .map(({ key }) => `${key} is carried out, although ${failing.key} failed`);
}
