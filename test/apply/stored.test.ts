import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../src/schema/json/json.ts';
import { failures, fakePlatform } from './harness/harness.ts';
import { body, patching, plan, ref, tags } from './harness/plans.ts';

const id = 'gvc/shop';

/** A GVC of this stack with these tags besides our own, and the platform that makes `stored` of what a PATCH left. */
function world(more: JsonObject, stored: (record: JsonObject) => JsonObject) {
  const made = fakePlatform();
  const live = made.platform.put(ref(id), { description: 'old', tags: { ...tags(id), ...more } }, 3);
  made.platform.fault('patch', id, { kind: 'divergent', change: stored });
  return { ...made, live };
}

function withTag(key: string, value: string) {
  return (record: JsonObject): JsonObject => ({ ...record, tags: { ...objectAt(record, 'tags'), [key]: value } });
}

describe('what a write removes', () => {
  test('is compared: a tag that stays is a divergence, and the run is not verified', async () => {
    const { live, apply } = world({ team: 'a' }, withTag('team', 'a'));
    const change = patching(
      live,
      { tags: { ...tags(id, 4), $drop: ['team'] } },
      { expected: body({ tags: tags(id, 4) }) },
    );
    const applied = await apply(plan(change));
    expect(failures(applied)).toEqual([`${id}: apply.divergence`]);
    expect(applied.result).toMatchObject({
      verified: false,
      differences: [`${id} was written, but not stored as planned: tags.team`],
    });
    expect(applied.result.compared).toBeUndefined();
  });

  test('that is gone is verified', async () => {
    const { live, apply } = world({ team: 'a' }, (record) => record);
    const change = patching(
      live,
      { tags: { ...tags(id, 4), $drop: ['team'] } },
      { expected: body({ tags: tags(id, 4) }) },
    );
    expect((await apply(plan(change))).result.verified).toBe(true);
  });
});

describe('value.tags: tags of the platform', () => {
  const changes = (live: Parameters<typeof patching>[0], more: JsonObject) =>
    patching(
      live,
      { description: 'new' },
      { expected: body({ description: 'new', tags: { ...tags(id, 4), ...more } }) },
    );

  test('that change with each write stop nothing', async () => {
    const { live, apply } = world({ 'its/revision': '7' }, withTag('its/revision', '8'));
    const { result } = await apply(plan(changes(live, { 'its/revision': '7' })));
    expect(result).toMatchObject({ done: [id], verified: true });
  });

  test('that appear with a write stop nothing', async () => {
    const { live, apply } = world({}, withTag('its/revision', '8'));
    expect((await apply(plan(changes(live, {})))).result).toMatchObject({ done: [id], verified: true });
  });

  test('or of others that a write loses are a divergence', async () => {
    const { live, apply } = world({ theirs: 'x' }, (record) => ({ ...record, tags: tags(id, 4) }));
    expect(failures(await apply(plan(changes(live, { theirs: 'x' }))))).toEqual([`${id}: apply.divergence`]);
  });

  test('of our own with another value are a divergence', async () => {
    const { live, apply } = world({}, withTag('gantry/stack', 'other'));
    expect(failures(await apply(plan(changes(live, {}))))).toEqual([`${id}: apply.divergence`]);
  });
});
