import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { changeOf, closure, declare, foreign, live, plan, snapshot } from '../world.ts';

const main = (...secrets: readonly string[]): JsonObject => ({
  ...{ name: 'main', image: 'a' },
  env: secrets.map((name) => ({ name: name.toUpperCase(), value: `scheme://secret/${name}` })),
});
const reader = (...secrets: readonly string[]): JsonObject => ({
  spec: { type: 'standard', identityLink: '//identity/app', containers: [main(...secrets)] },
});
const nobody: JsonObject = { spec: { type: 'standard', containers: [main('s')] } };
const bind = (permissions: readonly string[], ...who: readonly string[]): JsonObject => ({
  permissions,
  principalLinks: who.map((name) => `//gvc/g/identity/${name}`),
});
const reveal = bind(['reveal'], 'app');
const named: JsonObject = { targetKind: 'secret', targetLinks: ['//secret/s'], bindings: [reveal] };
const all: JsonObject = { targetKind: 'secret', target: 'all', bindings: [reveal] };
const query = { kind: 'secret', spec: { match: 'all', terms: [] } };
const around = [live('gvc/g'), live('identity/g/app'), foreign('secret/s'), foreign('secret/t')];

/** Those of the policies that the workload waits for. */
function waitsFor(workload: JsonObject, policy: JsonObject): readonly string[] {
  const made = plan([declare('workload/g/web', workload), declare('policy/p', policy)], around, { scope: 'partial' });
  return changeOf(made, 'workload/g/web').requires.map(({ on }) => on);
}

describe('a workload is written after the policy through which its identity reads its secrets (platform/access.permissions)', () => {
  test.each<[string, JsonObject, JsonObject, boolean]>(
    // biome-ignore format: a row is a case
    [
      ['that names the secret', reader('s'), named, true],
      ['that names it beside another', reader('t', 's'), named, true],
      ['for all secrets', reader('s'), all, true],
      ['that queries secrets', reader('s'), { targetKind: 'secret', targetQuery: query, bindings: [reveal] }, true],
      ['with reveal among other permissions', reader('s'), { ...named, bindings: [bind(['view', 'reveal'], 'app')] },
        true],
      ['that grants edit', reader('s'), { ...named, bindings: [bind(['edit'], 'app')] }, true],
      ['that grants manage', reader('s'), { ...named, bindings: [bind(['manage'], 'app')] }, true],
      ['that names the identity in its second binding', reader('s'),
        { ...named, bindings: [bind(['reveal'], 'x'), reveal] }, true],
      ['not one that only grants view', reader('s'), { ...named, bindings: [bind(['view'], 'app')] }, false],
      ['not one for another secret', reader('t'), named, false],
      ['not one for another identity', reader('s'), { ...named, bindings: [bind(['reveal'], 'x')] }, false],
      ['not one that grants it to others, and less to this one', reader('s'),
        { ...named, bindings: [bind(['reveal'], 'x'), bind(['view'], 'app')] }, false],
      ['not one for all of another kind', reader('s'), { targetKind: 'gvc', target: 'all', bindings: [reveal] }, false],
      ['not if it reads no secret', reader(), all, false],
      ['not if it has no identity', nobody, named, false],
      ['not one without bindings', reader('s'), { ...named, bindings: [] }, false],
    ],
  )('%s', (_, workload, policy, expected) => {
    expect(waitsFor(workload, policy)).toEqual(expected ? ['policy/p'] : []);
  });

  test('the edge is soft, because the policy may fail and the workload can still be written', () => {
    const made = plan([declare('workload/g/web', reader('s')), declare('policy/p', named)], around, {
      scope: 'partial',
    });
    expect(changeOf(made, 'workload/g/web').requires).toMatchObject([{ on: 'policy/p', soft: true }]);
  });

  test('a kept policy is not included in a partial plan', () => {
    const desired = [declare('workload/g/web', reader('s')), declare('policy/p', named)];
    const made = plan(desired, [...around, live('policy/p', named)], { scope: 'partial', targets: ['workload/g/web'] });
    expect(changeOf(made, 'policy/p')).toMatchObject({ action: 'keep', notes: [] });
  });
});

describe('a policy is deleted after a workload that reads through it', () => {
  const [group, liveGroup] = [declare('group/x'), live('group/x')];
  const web = live('workload/g/web', reader('s'));
  // Without the identity: the policy refers to it too, and the edges would form a cycle.
  const held = [liveGroup, ...around.filter(({ ref }) => ref.kind !== 'identity'), web];
  const staying = [group, declare('gvc/g'), declare('identity/g/app')];

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'that is deleted itself', desired: staying, policy: named, waits: ['workload/g/web'] },
      { it: 'whichever secrets it is for', desired: staying, policy: all, waits: ['workload/g/web'] },
      { it: 'that is deleted with its GVC', desired: [group], policy: named, waits: ['gvc/g'] },
      { it: 'but not after a kept workload',
        desired: [...staying, declare('workload/g/web', reader('s'))], policy: named,
        waits: [] },
      { it: 'but not after a changed workload',
        desired: [...staying, declare('workload/g/web', { ...reader('s'), description: 'new' })], policy: named,
        waits: [] },
      { it: 'but not after a workload that reads another secret',
        desired: staying, policy: { ...named, targetLinks: ['//secret/t'] },
        waits: [] },
    ],
  )('$it', ({ desired, policy, waits }) => {
    const closures = closure('g', [web]);
    const made = plan(desired, snapshot([...held, live('policy/p', policy)], { closures }));
    const { action, requires } = changeOf(made, 'policy/p');
    expect(action).toBe('delete');
    const readers = requires.filter(({ because }) => because.includes('reads secrets'));
    expect(readers.map(({ on, soft }) => [on, soft])).toEqual(waits.map((id) => [id, true]));
  });
});
