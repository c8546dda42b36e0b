import { expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import { appliedStateOf } from '../../../src/gantry/savedPlan/planUndo.ts';
import { appliedTag } from '../../../src/manifest/model/ownTags.ts';
import { tagsAtVersion } from '../../../src/plan/record/version.ts';
import { makeReplan } from '../../../src/plan/replan.ts';
import { changeOf, declare, live, options, plan, snapshot } from '../../plan/world.ts';

const web = (image: string): JsonObject => ({ spec: { type: 'standard', containers: [{ name: 'main', image }] } });
const shown = web(`b:1@sha256:${'0'.repeat(64)}`);

/** The changes since a change to `b:1`, if the record has this version and the mark another one. */
function movedAt(version: number, written: number): readonly string[] {
  const desired = [declare('gvc/g'), declare('workload/g/web', web('b:1'))];
  const before = live('workload/g/web', web('a:1'), { version: 3 });
  const made = plan(desired, snapshot([live('gvc/g'), before]));
  const promised = changeOf(made, before.id).expected?.expose() ?? {};
  const tags = tagsAtVersion(objectAt(promised, 'tags'), appliedTag, written, 3);
  const now = snapshot([
    live('gvc/g'),
    { ...before, version, record: { ...before.record, ...promised, ...shown, version, tags } },
  ]);
  return appliedStateOf(made, now, makeReplan(desired, now, options)).stale.map(({ id }) => id);
}

test('a change in two writes is as the plan left it, if the platform adds a digest', () => {
  expect(movedAt(5, 5)).toEqual([]);
});

test('a change is not as the plan left it after a write of others', () => {
  expect(movedAt(6, 5)).toEqual(['workload/g/web']);
});
