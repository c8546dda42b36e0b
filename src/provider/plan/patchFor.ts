import { type JsonObject, objectAt, own as ownField } from '../../base/json/json.ts';
import { layoutOf } from '../../hcl/schema/kindLayout.ts';
import { own, writeOnly } from '../../hcl/schema/ownAttributes.ts';
import { attributeOf, type ObjectValue } from '../../hcl/value.ts';
import { manifestOf } from '../../hcl/values/manifestOf.ts';
import { diff } from '../../patch/diff.ts';
import type { Directives } from '../../patch/write/writeOptions.ts';
import { declaredTags, planTags, tagPatch } from '../../plan/claims/tagPlan.ts';
import { answered } from '../../plan/record/shapeFacts.ts';
import { hiddenField, isUnrevealed } from '../../schema/facts/kindFacts.ts';
import type { CreatableKind } from '../../schema/record/kinds.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
import { type Surroundings, targetOf } from './target.ts';

export interface PatchInput extends Surroundings {
  readonly kind: CreatableKind;
  /** Everything in it is known: the configuration at the time of the apply. */
  readonly config: ObjectValue;
  readonly prior: ObjectValue;
  /** The record as it is now. */
  readonly live: JsonObject;
  /** Which list directives the endpoint honours. @default all */
  readonly directives?: Directives;
}

export interface ResourcePatch {
  /** The body of the PATCH, without `id` and `version`. */
  readonly patch: JsonObject;
  /** What the reply must say of the fields that it names. */
  readonly expected: JsonObject;
}

/** The smallest PATCH from the live record to the configuration, proven; undefined when nothing has to be written. */
export function patchFor({
  kind,
  config,
  prior,
  live,
  directives = 'all',
  ...where
}: PatchInput): ResourcePatch | undefined {
  const { desired, context, writesSecret } = targetOf(kind, config, prior, where);
  const secret = writesSecret ? secretOf(kind, config) : {};
  const shown = withPriorSecret(kind, prior, live);
  const liveTags = objectAt(live, 'tags');
  const before = objectAt(manifestOf(kind, prior).record, 'tags');
  const tags = planTags({
    desired: objectAt(desired, 'tags'),
    live: liveTags,
    protect: guardOf(config),
    claim: (key) => ({ mine: Object.hasOwn(before, key) ? 'set' : undefined, others: [] }),
    ignored: () => false,
  });
  // A value that is written once is compared with nothing: it is written, or it stays. So does one that nobody says.
  const hidden = hiddenField(kind);
  const isSaid = hidden !== undefined && attributeOf(config, writeOnly.data) === null && Object.hasOwn(desired, hidden);
  const ignore = hidden === undefined || writesSecret || isSaid ? [] : [hidden];
  const found = diff(kind, shown, { ...desired, ...secret, tags: liveTags }, { context, directives, ignore });
  const tagChange = tagPatch(tags.set, tags.drop);
  if (found === undefined && tagChange === undefined) return undefined;
  const shape = shapeOf(kind, live);
  return {
    patch: { ...found?.patch, ...(tagChange === undefined ? {} : { tags: tagChange }) },
    expected: { ...answered(shape, found?.proof ?? live), tags: tags.result },
  };
}

/** The live record with the value that was written last, where it cannot be read. */
function withPriorSecret(kind: CreatableKind, prior: ObjectValue, live: JsonObject): JsonObject {
  const field = hiddenField(kind);
  const value =
    field === undefined || !isUnrevealed(kind, live) ? undefined : ownField(manifestOf(kind, prior).record, field);
  return field === undefined || value === undefined ? live : { ...live, [field]: value };
}

/** The body of the POST that creates the resource. */
export function creationOf(kind: CreatableKind, config: ObjectValue): JsonObject {
  const { record } = manifestOf(kind, config);
  const tags = declaredTags(objectAt(record, 'tags'), guardOf(config));
  return Object.keys(tags).length === 0 ? record : { ...record, tags };
}

function guardOf(config: ObjectValue): boolean | undefined {
  const guard = attributeOf(config, own.protected);
  return typeof guard === 'boolean' ? guard : undefined;
}

function secretOf(kind: CreatableKind, config: ObjectValue): JsonObject {
  const field = layoutOf(kind).record.members.find(({ form }) => form.is === 'choice')?.field;
  const value = field === undefined ? undefined : ownField(manifestOf(kind, config).record, field);
  return field === undefined || value === undefined ? {} : { [field]: value };
}
