import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { fakePlatform } from './harness/harness.ts';
import { body, change, creating, deleting, following, patching, plan, ref, stack, tags } from './harness/plans.ts';

const web = 'workload/town/web';
const open = { firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'] } } };
const refused = { kind: 'error', code: 'api.invalid', message: 'no' } as const;

function served(endpoint: string, spec: JsonObject = open): JsonObject {
  return { name: 'web', tags: tags(web), spec: { type: 'standard', ...spec }, status: { endpoint } };
}

/** Each request takes 20 ms. */
describe('facts about each change after a run', () => {
  test('its end, its times, and the version that it wrote', async () => {
    const { platform, apply } = fakePlatform();
    platform.fault('create', 'gvc/refused', refused);
    const { result } = await apply(
      plan(creating('gvc/made'), creating('gvc/refused'), creating('gvc/after', following('gvc/refused'))),
      { concurrency: 1 },
    );
    expect(result.changes).toEqual([
      // It goes first, because another change waits for it.
      { id: 'gvc/refused', outcome: 'failed', startedMs: 0, elapsedMs: 20 },
      { id: 'gvc/after', outcome: 'skipped' },
      { id: 'gvc/made', outcome: 'done', startedMs: 20, elapsedMs: 20, version: 1 },
    ]);
    expect(result).not.toHaveProperty('ready');
  });

  test('its progress, if its second step was refused', async () => {
    const { platform, apply } = fakePlatform();
    platform.fault('patch', 'gvc/town', refused);
    const second = { then: body({ description: 'second' }), thenRequires: [] };
    const { result } = await apply(plan(creating('gvc/town', second)));
    expect(result.changes).toEqual([
      { id: 'gvc/town', outcome: 'failed', reached: 'written', startedMs: 0, elapsedMs: 40, version: 1 },
    ]);
  });

  test('that the record is missing, if it was deleted to be replaced', async () => {
    const { platform, apply } = fakePlatform();
    const old = platform.put(ref('gvc/town'), { tags: tags('gvc/town') });
    platform.fault('create', old.id, refused);
    const { result } = await apply(plan(creating(old.id, { action: 'replace', liveUid: old.uid, liveVersion: 1 })));
    expect(result.changes).toMatchObject([{ id: old.id, outcome: 'failed', reached: 'deleted' }]);
    expect(result.changes?.[0]).not.toHaveProperty('version');
  });

  test('that a step was skipped because of another change, although its first one is done', async () => {
    const { platform, apply } = fakePlatform();
    platform.fault('create', 'secret/a', refused);
    const { requires: thenRequires } = following('secret/a');
    const two = creating('gvc/town', { then: body({ description: 'second' }), thenRequires });
    const { result, events } = await apply(plan(two, creating('secret/a')));
    const skipped = { id: 'gvc/town', reached: 'written', because: 'secret/a failed' };
    expect(result.skipped).toEqual([skipped]);
    expect(events).toContainEqual({ type: 'skipped', ...skipped });
    expect(result.changes).toContainEqual({
      id: 'gvc/town',
      outcome: 'skipped',
      reached: 'written',
      startedMs: 0,
      elapsedMs: 20,
      version: 1,
    });
  });

  test('that an unchanged record is ready, with version and addresses, without a write', async () => {
    const { platform, apply } = fakePlatform();
    platform.put(ref(web), served('https://web.example'), 3);
    const ready = {
      status: {
        ready: true,
        lastProcessedVersion: 3,
        expectedDeploymentVersion: 3,
        versions: [{ workload: 3, ready: true }],
      },
    };
    platform.deploymentsOf.set(web, () => [{ name: 'a', ...ready }]);
    const { result, events } = await apply(plan(change(web, { action: 'keep', wait: true })));
    expect(result.ready).toEqual([web]);
    expect(result.changes).toEqual([
      { id: web, outcome: 'ready', startedMs: 0, elapsedMs: 40, version: 3, endpoints: ['https://web.example'] },
    ]);
    expect(events.map(({ type }) => type)).toEqual(['done']);
  });

  test('none without changes', async () => {
    const { apply } = fakePlatform();
    expect((await apply(plan())).result).toEqual({
      done: [],
      failed: [],
      skipped: [],
      requests: 0,
      verified: true,
      interrupted: false,
    });
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'as read by the verification: it has an address by now', uid: undefined,
        endpoints: ['https://new.example'] },
      { it: 'as in the response, if another record has the name by now', uid: 'another',
        endpoints: ['https://old.example'] },
    ],
  )('the addresses of a workload, $it', async ({ uid, endpoints }) => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(web), served('https://old.example'));
    const happens = () => platform.put(live.ref, served('https://new.example'), 9, uid ?? live.uid);
    platform.fault('owned', stack, ...Array.from({ length: 4 }, () => ({ kind: 'meanwhile', happens }) as const));
    const { result } = await apply(plan(patching(live, { description: 'new' })));
    expect(result.changes).toMatchObject([{ id: web, version: 2, endpoints }]);
  });

  test('no address for a workload without inbound traffic', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(web), served('https://web.example', {}));
    const { result } = await apply(plan(patching(live, { description: 'new' })));
    expect(result.changes?.[0]).not.toHaveProperty('endpoints');
  });

  test.each([
    { it: 'done with it, without its own step', left: false, differences: undefined },
    { it: 'that it still exists', left: true, differences: ['secret/town/x was deleted, but exists again'] },
  ])('for a record deleted with its GVC: $it', async ({ left, differences }) => {
    const { platform, apply } = fakePlatform();
    const gvc = platform.put(ref('gvc/town'), { tags: tags('gvc/town') });
    const child = platform.put(ref('secret/town/x'), { tags: tags('secret/town/x') });
    const happens = () => left && platform.put(child.ref, child.record, 1, child.uid);
    platform.fault('owned', stack, { kind: 'meanwhile', happens });
    const { result, events } = await apply(
      plan(deleting(gvc, { cascadesTo: [child.id] }), deleting(child, { via: gvc.id })),
    );
    expect(result).toMatchObject({ done: [gvc.id, child.id], verified: !left });
    expect(result.differences).toEqual(differences);
    expect(events.flatMap((event) => (event.type === 'started' ? [event.id] : []))).toEqual([gvc.id]);
  });
});
