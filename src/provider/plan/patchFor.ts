import { type JsonObject, type JsonValue, objectAt, own as ownField, sameJson } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { layoutOf } from '../../hcl/schema/kindLayout.ts';
import { ownNames, writeOnly } from '../../hcl/schema/ownAttributes.ts';
import { attributeOf, type ObjectValue } from '../../hcl/value.ts';
import { manifestOf } from '../../hcl/values/manifestOf.ts';
import { hiddenField, isUnrevealed } from '../../kinds/kindFacts.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import { diff } from '../../patch/diff.ts';
import { type FieldChange, fieldChanges } from '../../patch/fieldChanges.ts';
import { reconcile } from '../../patch/reconcile.ts';
import { bySchema } from '../../patch/shouldMask.ts';
import type { Directives } from '../../patch/writePatch.ts';
import { declaredTags, planTags, tagPatch } from '../../plan/record/claims.ts';
import { answered } from '../../plan/record/shapeFacts.ts';
import type { WrittenKind } from '../../schema/record/kinds.ts';
import { pointerTo } from '../../schema/shape/paths.ts';
import { withOthersRoutes } from './routes.ts';
import { formsOfAnswer, knownForms, type StoredKnowledge, type StoredValues } from './storedValues.ts';
import { type Surroundings, targetOf } from './target.ts';

export interface WrittenInput extends Surroundings, StoredKnowledge {
  readonly kind: WrittenKind;
  /** The configuration at the time of the apply, without unknown values. */
  readonly config: ObjectValue;
  /** Null after a creation. */
  readonly prior: ObjectValue | null;
  /** The record as it is now. */
  readonly live: JsonObject;
}

export interface PatchInput extends WrittenInput {
  readonly prior: ObjectValue;
  /** Which list directives the endpoint honours. @default all */
  readonly directives?: Directives;
}

export interface ResourcePatch {
  /** The body of the PATCH, without `id` and `version`. */
  readonly patch: JsonObject;
  /** The values that the reply must have in the fields that it names. */
  readonly expected: JsonObject;
  readonly fields: readonly FieldChange[];
}

/** The smallest PATCH from the live record to the configuration, proven; undefined if nothing has to be written. */
export function patchFor({ directives = 'all', ...input }: PatchInput): ResourcePatch | undefined {
  const { kind, config, prior, live } = input;
  const { desired, shown, ref, context, ignore } = declarationOf(input);
  const liveTags = objectAt(live, 'tags');
  const before = objectAt(manifestOf(kind, prior).record, 'tags');
  const tags = planTags({
    desired: objectAt(desired, 'tags'),
    live: liveTags,
    protect: guardOf(config),
    claim: (key) => ({ mine: Object.hasOwn(before, key) ? 'set' : undefined, others: [] }),
    ignored: () => false,
  });
  const stored = knownForms(ref, shown, context, input);
  const found = diff(kind, shown, { ...desired, tags: liveTags }, { context, directives, ignore, stored });
  const tagChange = tagPatch(tags.set, tags.drop);
  if (found === undefined && tagChange === undefined) return undefined;
  const shape = shapeOf(kind, live);
  return {
    patch: { ...found?.patch, ...present({ tags: tagChange }) },
    expected: { ...answered(shape, found?.proof ?? live), tags: tags.result },
    fields: found === undefined ? [] : fieldChanges(bySchema(shape), shown, found.target, context),
  };
}

/** The declared part of a live record, including write-only values. */
function declarationOf({ kind, config, prior, live, ...where }: WrittenInput) {
  const { ref, desired, context, writesSecret } = targetOf(kind, config, prior, where);
  // A write-only value is not compared: it is written, or kept. An undeclared value is also kept.
  const hidden = hiddenField(kind);
  const isSaid = hidden !== undefined && attributeOf(config, writeOnly.data) === null && Object.hasOwn(desired, hidden);
  return {
    ref,
    context,
    desired: withOthersRoutes(
      kind,
      { ...desired, ...(writesSecret ? secretOf(kind, config) : {}) },
      { config, prior, live },
    ),
    shown: prior === null ? live : withPriorSecret(kind, prior, live),
    ignore: hidden === undefined || writesSecret || isSaid ? [] : [hidden],
  };
}

/** The record as it is in the answer to our own write. */
export interface ReadAnswer {
  /** The values that the platform stored in its own way. */
  readonly stored: StoredValues;
  /** The paths of `stored` without a declared value. */
  readonly filled: ReadonlySet<string>;
  /** The paths that a plan would still change. */
  readonly left: readonly string[];
}

export function readAnswer(input: WrittenInput): ReadAnswer {
  const { desired, shown, context, ignore } = declarationOf(input);
  const shape = shapeOf(input.kind, shown);
  const found = { stored: new Map<string, JsonValue>(), filled: new Set<string>() };
  const stored = formsOfAnswer(context, found, input.capabilities);
  const declared = { ...desired, tags: objectAt(shown, 'tags') };
  const { target } = reconcile(shape, shown, declared, { context, ignore, stored });
  const left = fieldChanges(bySchema(shape), shown, target, context);
  // An unchanged value counts as declared (`effectiveConfig`), but is still the platform's.
  const kept = Object.entries(input.stored ?? {}).filter(([path, value]) => {
    const at = pointerTo(path, shape, shown);
    return sameJson(at === undefined ? null : valueThere(shown, at), value);
  });
  return {
    stored: Object.fromEntries([...kept, ...found.stored]),
    filled: found.filled,
    left: left.map(({ path }) => path),
  };
}

/** The live record with the last written value, if that cannot be read. */
function withPriorSecret(kind: WrittenKind, prior: ObjectValue, live: JsonObject): JsonObject {
  const field = hiddenField(kind);
  if (field === undefined || !isUnrevealed(kind, live)) return live;
  const value = ownField(manifestOf(kind, prior).record, field);
  return value === undefined ? live : { ...live, [field]: value };
}

/** The body of the POST that creates the resource. */
export function creationOf(kind: WrittenKind, config: ObjectValue): JsonObject {
  const { record } = manifestOf(kind, config);
  const tags = declaredTags(objectAt(record, 'tags'), guardOf(config));
  return Object.keys(tags).length === 0 ? record : { ...record, tags };
}

function guardOf(config: ObjectValue): boolean | undefined {
  const guard = attributeOf(config, ownNames.protected);
  return typeof guard === 'boolean' ? guard : undefined;
}

function secretOf(kind: WrittenKind, config: ObjectValue): JsonObject {
  const field = layoutOf(kind).record.members.find(({ form }) => form.is === 'choice')?.field;
  const value = field === undefined ? undefined : ownField(manifestOf(kind, config).record, field);
  return field === undefined || value === undefined ? {} : { [field]: value };
}
