import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { changeOf, codes, declare, foreign, live, plan, snapshot, workload } from '../world.ts';

/** Tags of others; this stack adds two of its own. */
function tagsOfOthers(count: number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`team/t${index}`, 'x']));
}

const gvc = foreign('gvc/g');
const web = 'workload/g/web';
const standard = workload('a', [], { type: 'standard' });

/** A workload of another type, so that it is replaced. */
function replaced(tags: JsonObject, fields: JsonObject = {}, options: Partial<PlanOptions> = {}) {
  const desired = declare(web, { ...standard, description: 'ours' }, { ignore: ['description'] });
  const held = live(web, { ...workload('a'), tags, ...fields }, { applied: { tagKeys: ['ours'] } });
  return plan([desired], snapshot([gvc, held]), options);
}

describe('a record is marked before it is replaced, so an interruption loses nothing that others set', () => {
  // biome-ignore format: a row is a case
  test.each([
    { it: 'with 49 tags there is room', others: 47, refused: [] },
    { it: 'with 50 there is none, and it is refused before any write', others: 48, refused: ['replace.unmarked'] },
  ])('$it', ({ others, refused }) => {
    expect(codes(replaced(tagsOfOthers(others)))).toEqual(refused);
  });

  test('the refusal names the values that would be lost, and the permit', () => {
    const [refusal] = changeOf(replaced(tagsOfOthers(48), { description: 'theirs' }), web).refusals;
    expect(refusal).toEqual({
      code: 'replace.unmarked',
      message:
        'it cannot be marked before it is deleted (it has 50 tags, and a record has at most 50), so if the run is ' +
        'killed before it is created again, this is lost: description, tags."team/t0", tags."team/t1", ' +
        'tags."team/t10", tags."team/t11", tags."team/t12", tags."team/t13", tags."team/t14", ' +
        'tags."team/t15", tags."team/t16" and 39 more',
      allow: '--allow-unmarked, or one tag less',
    });
  });

  test('with the permit it becomes a note, and the change is made without the mark', () => {
    const change = changeOf(replaced(tagsOfOthers(48), {}, { allowUnmarked: true }), web);
    expect(change).toMatchObject({ action: 'replace', unmarked: true });
    expect(change.notes).toEqual([expect.stringContaining('this is lost: description, tags."team/t0"')]);
  });

  test('nothing is refused if the new record carries over only declared values', () => {
    const own = Object.fromEntries(Array.from({ length: 48 }, (_, index) => [`t${index}`, 'x']));
    const held = live(web, { ...workload('a'), tags: own });
    const made = plan([declare(web, { ...standard, tags: own })], snapshot([gvc, held]));
    expect(codes(made)).toEqual([]);
    expect(changeOf(made, web)).not.toHaveProperty('carries');
  });

  test('every replacement lists what it carries over: ignored values, tags of others, operational switches', () => {
    const spec = { ...objectAt(workload('a'), 'spec'), defaultOptions: { suspend: true } };
    const change = changeOf(replaced({ cost: '7', ours: 'x' }, { description: 'theirs', spec }), web);
    expect(change).toMatchObject({ carries: ['description', 'spec.defaultOptions.suspend', 'tags.cost'] });
    expect(change).not.toHaveProperty('unmarked');
  });
});
