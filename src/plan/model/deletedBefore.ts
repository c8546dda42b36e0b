import { own } from '../../base/json/json.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { parsePatterns, patternsBelow } from '../../patch/model/place.ts';
import { formatRef } from '../../schema/record/ref.ts';
import { shapeFacts } from '../record/shapeFacts.ts';
import type { PlanContext } from './planContext.ts';

/** The record that a replacement has deleted, and in whose place this one is to be created: under its old name too. */
export function deletedBefore(
  { id, ref, lifecycle }: DesiredResource,
  { snapshot: { unfinished } }: PlanContext,
): LiveResource | undefined {
  const { previously } = lifecycle;
  return (
    unfinished?.get(id) ??
    (previously === undefined ? undefined : unfinished?.get(formatRef({ ...ref, name: previously })))
  );
}

/** Sensitive fields that are to stay as they were (`lifecycle.ignore`), and that the record does not show. */
export function unreadFields({ ref, record, lifecycle }: DesiredResource, from: LiveResource): readonly string[] {
  const ignored = parsePatterns(lifecycle.ignore);
  if (ignored.length === 0) return [];
  const { sensitive } = shapeFacts(shapeOf(ref.kind, record));
  return sensitive.filter((name) => patternsBelow(ignored, name).length > 0 && own(from.record, name) === undefined);
}
