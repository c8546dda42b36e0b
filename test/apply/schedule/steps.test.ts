import { describe, expect, test } from 'vitest';
import { describeKey, planSteps } from '../../../src/apply/tasks.ts';
import type { Change, Edge } from '../../../src/plan/model/change.ts';
import { fakePlatform } from '../harness/harness.ts';
import { body, change, creating, deleting, following, plan, ref, tags } from '../harness/plans.ts';

const web = 'workload/shop/web';
const pin = { liveUid: 'u', liveVersion: 1 };
const replacing = (fields = {}) => creating(web, { action: 'replace', ...pin, ...fields });

describe('an edge means one step of the other change', () => {
  interface Case {
    readonly it: string;
    readonly edge: Partial<Edge>;
    readonly target: Change;
    readonly on: string;
  }
  const two = { then: body({}), expectedThen: body({}) };
  test.each<Case>(
    // biome-ignore format: a row is a case
    [
      { it: 'its write', edge: {}, target: creating(web), on: web },
      { it: 'its write, even of a replacement', edge: {}, target: replacing(), on: web },
      { it: 'the deletion of a replacement', edge: { step: 'delete' }, target: replacing(), on: `${web}#delete` },
      { it: 'a deletion', edge: { step: 'delete' }, target: change(web, { action: 'delete' }), on: web },
      { it: 'the second step', edge: { step: 'then' }, target: creating(web, two), on: `${web}#then` },
      { it: 'the only step, if the first one of two is done', edge: { step: 'then' }, target: creating(web),
        on: web },
      { it: 'the first step of two', edge: {}, target: creating(web, two), on: web },
      { it: 'readiness, if the edge requires it', edge: { ready: true }, target: creating(web), on: `${web}#ready` },
      { it: 'readiness of a kept resource', edge: { ready: true }, target: change(web, { action: 'keep' }),
        on: `${web}#ready` },
      { it: 'readiness, if the change waits for it', edge: {}, target: creating(web, { wait: true }),
        on: `${web}#ready` },
      { it: 'not the readiness of a kept resource', edge: {}, target: change(web, { action: 'keep', wait: true }),
        on: web },
      { it: 'no readiness of a deleted resource', edge: {}, target: change(web, { action: 'delete', wait: true }),
        on: web },
    ],
  )('$it', ({ edge, target, on }) => {
    const requires = [{ on: web, because: 'it refers to it', soft: true, ...edge }];
    const steps = planSteps(plan(target, creating('secret/a', { requires })));
    expect(steps.find(({ key }) => key === 'secret/a')?.after).toEqual([{ on, soft: true }]);
  });

  test('and nothing if the other one is not in the plan', async () => {
    const { apply } = fakePlatform();
    const edges: readonly Partial<Edge>[] = [{}, { step: 'delete' }, { step: 'then' }, { ready: true }];
    const changes = edges.map((edge, index) =>
      creating(`secret/s${index}`, { requires: [{ on: web, because: 'it refers to it', soft: false, ...edge }] }),
    );
    expect((await apply(plan(...changes))).result.done).toHaveLength(4);
  });
});

describe('the steps of a change', () => {
  const steps = (given: Change) =>
    planSteps(plan(given)).map(({ key, step, after }) => [key, step, after.map(({ on }) => on)]);

  test('that creates, patches, then waits: each step waits for the first, the second also for its requirements', () => {
    const then = { then: body({}), expectedThen: body({}) };
    expect(steps(creating(web, { ...then, wait: true, ...following('gvc/shop') }))).toEqual([
      [web, 'create', ['gvc/shop']],
      [`${web}#then`, 'then', [web]],
      [`${web}#ready`, 'ready', [web]],
    ]);
    expect(steps(creating(web, { ...then, thenRequires: following('secret/a').requires }))[1]).toEqual([
      `${web}#then`,
      'then',
      ['secret/a', web],
    ]);
  });

  test('that replaces: the deletion waits for its own edges, the creation for that and its own edges', () => {
    const deleteRequires = following('policy/p').requires;
    expect(steps(replacing({ deleteRequires, ...following('secret/a') }))).toEqual([
      [`${web}#delete`, 'delete', ['policy/p']],
      [web, 'create', ['secret/a', `${web}#delete`]],
    ]);
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'deletes has one step', given: change(web, { action: 'delete', wait: true }), made: [[web, 'delete', []]] },
      { it: 'is deleted with its GVC has one step', given: change(web, { action: 'delete', via: 'gvc/shop' }),
        made: [[web, 'via', ['gvc/shop']]] },
      { it: 'keeps has none', given: change(web, { action: 'keep' }), made: [] },
      { it: 'keeps and waits has one step', given: change(web, { action: 'keep', wait: true }),
        made: [[`${web}#ready`, 'ready', [web]]] },
    ],
  )('that $it', ({ given, made }) => {
    expect(steps(given)).toEqual(made);
  });

  test('second steps of several changes wait for each other as planned', async () => {
    const { platform, apply } = fakePlatform();
    const then = (description: string) => ({ then: body({ description }), expectedThen: body({ description }) });
    const late = [{ on: 'gvc/b', because: 'it refers to it', soft: false, step: 'then' as const }];
    const { result } = await apply(
      plan(creating('gvc/a', { ...then('a'), thenRequires: late }), creating('gvc/b', then('b'))),
    );
    expect(result).toMatchObject({ done: ['gvc/b', 'gvc/a'], failed: [] });
    expect(platform.log.slice(-3)).toEqual(['patch gvc/b', 'patch gvc/a', 'owned shop']);
  });

  test('without writes emit no started event', async () => {
    const { platform, apply } = fakePlatform();
    const gvc = platform.put(ref('gvc/shop'), { tags: tags('gvc/shop') });
    const inside = platform.put(ref(web), { tags: tags(web) });
    const kept = platform.put(ref('workload/town/hall'), { spec: { defaultOptions: { suspend: true } } });
    const { events } = await apply(
      plan(
        deleting(gvc, { cascadesTo: [web] }),
        deleting(inside, { via: gvc.id }),
        change(kept.id, { action: 'keep', wait: true }),
      ),
    );
    expect(events.filter(({ type }) => type === 'started')).toEqual([{ type: 'started', id: gvc.id, step: 'delete' }]);
  });
});

test.each([
  { key: web, text: web },
  { key: `${web}#delete`, text: `${web} (deletion)` },
  { key: `${web}#then`, text: `${web} (second step)` },
  { key: `${web}#ready`, text: `${web} (readiness)` },
])('the step $key is called $text', ({ key, text }) => {
  expect(describeKey(key)).toBe(text);
});
