import { type JsonObject, type JsonValue, objectAt, own, put } from '../../base/json/json.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { Body } from '../../manifest/model/body.ts';
import { partTagOf } from '../../manifest/model/partTag.ts';
import type { Diff } from '../../patch/diff.ts';
import type { Sensitivity } from '../../patch/model/sensitivity.ts';
import { maskSensitive } from '../../patch/show/mask.ts';
import { linkOf } from '../../schema/record/links.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import type { OthersTags } from '../claims/claims.ts';
import { tagPatch } from '../claims/tagPlan.ts';
import type { PlanContext } from '../model/planContext.ts';
import { type Holds, writePart } from '../record/ownership.ts';
import { answered } from '../record/shapeFacts.ts';
import { versionAfter } from '../record/version.ts';

export interface PartWriteInput {
  readonly shape: ObjectShape;
  readonly sensitivity: Sensitivity;
  readonly live: LiveResource;
  /** What changes apart from tags. */
  readonly found: Diff | undefined;
  /** All tags as they are to be. */
  readonly tags: JsonObject;
  readonly mine: Holds;
  /** What the stack claims afterwards. */
  readonly claimed: Holds;
  /** A claim ends on something that stays. */
  readonly released: boolean;
  readonly adopting: boolean;
  /** The tag in which the stack recorded the part under its former name. */
  readonly former: string | undefined;
  /** What changes in the records of other stacks; only with a change of ours. */
  readonly others: OthersTags;
}

export interface PartWrite {
  readonly action: 'patch' | 'adopt';
  readonly reason: string;
  readonly patch: Body;
  readonly expected: Body;
  /** The whole record afterwards. */
  readonly result: JsonObject;
}

/** The PATCH of a part with the tag that remembers it; undefined when there is nothing to write. */
export function partWrite(input: PartWriteInput, planning: PlanContext): PartWrite | 'too-many' | undefined {
  const { shape, sensitivity, live, found, claimed, mine, released, adopting, former } = input;
  const { options, org } = planning;
  const tag = partTagOf(options.owner) ?? '';
  const liveTags = objectAt(live.record, 'tags');
  const facts = { link: linkOf(live.ref, org), version: versionAfter(live.version), holds: claimed };
  const text = claimed.size === 0 ? undefined : writePart(facts, options.hash);
  if (claimed.size > 0 && text === undefined) return 'too-many';

  const { set, drop } = changedTags(liveTags, input.tags);
  const isGivenUp = text === undefined && own(liveTags, tag) !== undefined;
  const isMoved = former !== undefined && own(liveTags, former) !== undefined;
  const isClaimed = isMoved || [...claimed].some(([item, hold]) => mine.get(item) !== hold);
  const differs = found !== undefined || tagPatch(set, drop) !== undefined;
  if (!differs && !isGivenUp && !isClaimed && !released) return undefined;

  const marks: JsonObject = { ...input.others.set, ...(text === undefined ? {} : { [tag]: text }) };
  const dropped = [...drop, ...input.others.drop, ...(isGivenUp ? [tag] : []), ...(isMoved ? [former] : [])];
  const tags = tagPatch({ ...set, ...marks }, dropped);
  const others = Object.fromEntries(
    Object.entries(input.tags).filter(([key]) => key !== tag && !dropped.includes(key)),
  );
  const mask = (document: JsonObject): Body => new Body(document, maskSensitive(sensitivity, document));
  return {
    action: differs || isGivenUp || !isClaimed ? 'patch' : 'adopt',
    reason: differs
      ? 'a part of it is declared'
      : isGivenUp
        ? 'no part of it belongs to this stack any more'
        : !isClaimed
          ? 'this stack no longer declares some of its items, which stay'
          : adopting
            ? 'existing items become part of this stack'
            : 'this stack declares items that are there already',
    patch: mask({ id: live.uid, version: live.version, ...found?.patch, ...(tags === undefined ? {} : { tags }) }),
    expected: mask({ ...answered(shape, found?.proof ?? live.record), tags: { ...others, ...marks } }),
    result: { ...(found?.proof ?? live.record), tags: { ...others, ...marks } },
  };
}

function changedTags(
  live: JsonObject,
  target: JsonObject,
): { readonly set: JsonObject; readonly drop: readonly string[] } {
  const set: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(target)) if (own(live, key) !== value) put(set, key, value);
  return { set, drop: Object.keys(live).filter((key) => !Object.hasOwn(target, key)) };
}
