import type { DesiredResource } from '../manifest/model/manifest.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import { ignoredBelow, parseIgnored } from '../patch/model/ignored.ts';
import { own } from '../schema/json/json.ts';
import { formatRef, type ResourceId } from '../schema/record/ref.ts';
import { shapeOf } from '../schema/shape/shapeOf.ts';
import { type Draft, withRefusals } from './draft.ts';
import type { Planning } from './planning.ts';
import { refuse } from './refusals.ts';
import { shapeFacts } from './shapeFacts.ts';

/** The record that a replacement has deleted, and in whose place this one is to be created: under its old name too. */
export function deletedBefore(
  { id, ref, lifecycle }: DesiredResource,
  { snapshot: { unfinished } }: Planning,
): LiveResource | undefined {
  const { previously } = lifecycle;
  return (
    unfinished?.get(id) ??
    (previously === undefined ? undefined : unfinished?.get(formatRef({ ...ref, name: previously })))
  );
}

/** Sensitive fields that are to stay as they were (`lifecycle.ignore`), and that the record does not show. */
export function unreadFields({ ref, record, lifecycle }: DesiredResource, from: LiveResource): readonly string[] {
  const ignored = parseIgnored(lifecycle.ignore ?? []);
  if (ignored.length === 0) return [];
  const { sensitive } = shapeFacts(shapeOf(ref.kind, record));
  return sensitive.filter((name) => ignoredBelow(ignored, name).length > 0 && own(from.record, name) === undefined);
}

/** What is made anew, and would not have the values that it is to keep, because nobody can read them. */
export function refuseLostValues(
  drafts: ReadonlyMap<ResourceId, Draft>,
  planning: Planning,
): ReadonlyMap<ResourceId, Draft> {
  const lost = [...drafts.values()].flatMap((draft) => {
    const fields = lostValues(draft, planning);
    return fields.length === 0 ? [] : [{ draft, fields }];
  });
  if (lost.length === 0 || planning.options.allowLostValues === lost.length) return drafts;
  const refused = lost.map(({ draft, fields }) => {
    const refusal = refuse.lostValues(fields, draft.action === 'replace', lost.length);
    return [draft.id, withRefusals(draft, [refusal])] as const;
  });
  return new Map([...drafts, ...refused]);
}

function lostValues({ action, desired, live }: Draft, planning: Planning): readonly string[] {
  if (desired === undefined) return [];
  const from = action === 'replace' ? live : action === 'create' ? deletedBefore(desired, planning) : undefined;
  return from === undefined ? [] : unreadFields(desired, from);
}
