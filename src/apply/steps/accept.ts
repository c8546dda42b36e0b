import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Body } from '../../manifest/model/body.ts';
import { ownerTag } from '../../manifest/model/ownTags.ts';
import { partTagOf } from '../../manifest/model/partTag.ts';
import type { Change } from '../../plan/model/change.ts';
import { type JsonObject, objectAt, own } from '../../schema/json/json.ts';
import { unexplained } from '../reply/replyCheck.ts';
import { DivergenceError } from '../run/applyErrors.ts';
import type { Run } from '../run/run.ts';

/**
 * Records a write; `already`: it was made before the request. The first answer that differs from the proof of the plan
 * stops the whole run.
 */
export function accept(
  run: Run,
  change: Change,
  live: LiveResource,
  promised: { readonly body: JsonObject; readonly expected: Body | undefined } | undefined,
  already = false,
): void {
  const tags = objectAt(live.record, 'tags');
  const { stack } = run.plan;
  // Also when another stack has taken it over meanwhile: a hand-over.
  const forgotten =
    change.part === true
      ? own(tags, partTagOf(stack) ?? '') === undefined
      : change.action === 'forget' && own(tags, ownerTag) !== stack;
  run.written.set(change.id, forgotten ? { as: 'forgotten' } : { as: 'stored', live, ...(already ? { already } : {}) });
  const expected = promised?.expected;
  if (promised === undefined || expected === undefined) return;

  const { paths, notes } = unexplained({ body: promised.body, expected }, live, run.plan.org, () =>
    run.replan?.ofAnswer?.(change.id, live),
  );
  for (const note of notes) run.notes.add(note);
  if (paths.length === 0) return;
  run.stop(`the platform did not store ${change.id} as expected`);
  throw new DivergenceError(change.id, paths);
}
