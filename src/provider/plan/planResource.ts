import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  own as ownValue,
  sameJson,
} from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import type { AttributePath, Diagnostic } from '../../hcl/diagnostic.ts';
import type { Member } from '../../hcl/schema/form.ts';
import { choiceOf, layoutOf } from '../../hcl/schema/kindLayout.ts';
import { hasWriteOnly, instructions, ownNames, writeOnly } from '../../hcl/schema/ownAttributes.ts';
import {
  attributeOf,
  holdsUnknown,
  isObjectValue,
  type ObjectValue,
  sameValue,
  unknown,
  type Value,
} from '../../hcl/value.ts';
import { attributePathOf } from '../../hcl/values/attributePath.ts';
import { manifestOf, withoutValues } from '../../hcl/values/manifestOf.ts';
import { objectValue, type View } from '../../hcl/values/project.ts';
import { equalValues } from '../../kinds/equal.ts';
import type { Unknown } from '../../kinds/registry.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import { type GvcLoss, gvcLossesOf } from '../../plan/record/gvcLosses.ts';
import { shapeFacts } from '../../plan/record/shapeFacts.ts';
import type { Risk } from '../../schema/facts/risk.ts';
import { isContainer, isGvcScoped, type WrittenKind } from '../../schema/record/kinds.ts';
import { linkOf, type Ref } from '../../schema/record/ref.ts';
import { type Comparison, preferPrior } from './preferPrior.ts';
import { deletionDiagnostics, missingGvc, missingSecret, replacementDiagnostics, riskDiagnostics } from './refusals.ts';
import type { StoredKnowledge } from './storedValues.ts';
import { refOf, type Surroundings, type Target, targetOf } from './target.ts';

export interface PlanInput extends Surroundings, StoredKnowledge {
  readonly kind: WrittenKind;
  /** Null if the resource is to be deleted. */
  readonly config: ObjectValue | null;
  /** The last state, refreshed; null if it does not exist. */
  readonly prior: ObjectValue | null;
  /** From the provider block: a greater risk is refused. */
  readonly maxRisk?: Risk;
}

export interface PlannedResource {
  readonly planned: ObjectValue | null;
  /** The attributes that cannot be changed in place; empty if nothing has to be replaced. */
  readonly requiresReplace: readonly AttributePath[];
  readonly diagnostics: readonly Diagnostic[];
  readonly ref: Ref;
  /** The known part of the future record; undefined after a deletion. */
  readonly record: JsonObject | undefined;
  readonly unknowns: readonly Unknown[];
  /** The losses of the records of a GVC by its update. */
  readonly takes: readonly GvcLoss[];
}

/**
 * The planned value of a resource: the configuration if it is set, or the last state if both mean the same. An omitted
 * attribute has its default, the platform's choice, or is unknown.
 */
export function planResource({ kind, config, prior, maxRisk, ...surroundings }: PlanInput): PlannedResource {
  if (config === null) {
    const diagnostics = prior === null ? [] : deletionDiagnostics(kind, prior, { ...surroundings, maxRisk });
    const ref = refOf(kind, prior ?? {}, prior, surroundings);
    return { planned: null, requiresReplace: [], diagnostics, ref, record: undefined, unknowns: [], takes: [] };
  }
  const target = targetOf(kind, config, prior, surroundings);
  const { context, ref, before, after } = target;
  const known = manifestOf(kind, config);
  const { unknowns } = known;
  const view: View = {
    context,
    mode: 'plan',
    unknown: whatIsUnknown(config),
    isMatched: true,
    shortLinks: false,
    enclosing: [],
  };
  const { record: form } = layoutOf(kind);
  const declared = objectValue(form, target.after, { target: target.after, hint: config }, view);
  const isQuiet = isUnchanged(config, prior, target);
  const place = { planned: declared, config, prior, before: target.before, after: target.after };
  const comparison: Comparison = { context, isQuiet, item: 'same' };
  const planned: ObjectValue = {
    ...(prior === null ? declared : preferPrior(form, place, comparison)),
    ...ownValues({ kind, config, prior, ...surroundings }, target.ref),
    ...plannedAnswers({ kind, prior, before, after, unknowns }),
  };
  const requiresReplace = prior === null ? [] : replacedBy({ kind, config, prior, planned, target });
  const isUpdate = prior !== null && requiresReplace.length === 0;
  return {
    planned,
    requiresReplace,
    ref,
    record: unknowns.length > 0 ? known.record : isUpdate ? after : target.desired,
    unknowns,
    takes: isUpdate && isContainer(kind) ? gvcLossesOf(before, after) : [],
    diagnostics: [
      ...missingGvc(kind, config, target.ref),
      ...(prior === null ? missingSecret(kind, config) : []),
      ...(prior !== null && requiresReplace.length > 0 ? replacementDiagnostics(kind, prior, requiresReplace) : []),
      ...riskDiagnostics({ kind, prior, target, replaces: requiresReplace.length > 0, maxRisk, org: surroundings.org }),
    ],
  };
}

function whatIsUnknown(config: ObjectValue): View['unknown'] {
  if (attributeOf(config, 'name') === unknown) return 'name';
  return holdsUnknown(config) ? 'something' : 'nothing';
}

/** Whether nothing is written to the platform. */
function isUnchanged(config: ObjectValue, prior: ObjectValue | null, { before, after, writesSecret }: Target): boolean {
  if (prior === null || holdsUnknown(config)) return false;
  const guard = attributeOf(config, ownNames.protected);
  return before === after && !writesSecret && (guard === null || guard === attributeOf(prior, ownNames.protected));
}

/** The attributes that are not fields of the record. */
function ownValues({ kind, config, prior, org }: PlanInput & { readonly config: ObjectValue }, ref: Ref): ObjectValue {
  const guard = attributeOf(config, ownNames.protected);
  const names = Object.keys(instructions(kind));
  const isUnknown = (name: string): boolean => attributeOf(config, name) === unknown;
  const inGvc = isUnknown(ownNames.gvc) ? unknown : (ref.gvc ?? null);
  return {
    ...Object.fromEntries(names.map((name) => [name, attributeOf(config, name)])),
    [ownNames.protected]: guard ?? (prior === null ? false : (attributeOf(prior, ownNames.protected) ?? false)),
    ...(isGvcScoped(kind) ? { [ownNames.gvc]: inGvc } : {}),
    ...(hasWriteOnly(kind)
      ? {
          [writeOnly.data]: withoutValues(choiceOf(kind)?.form, attributeOf(config, writeOnly.data)),
          [writeOnly.version]: attributeOf(config, writeOnly.version),
        }
      : {}),
    [ownNames.link]: isUnknown('name') || isUnknown(ownNames.gvc) ? unknown : linkOf(ref, org),
  };
}

/** Whether Terraform sees no change in the plan. */
export function isNoChange({ planned }: PlannedResource, prior: ObjectValue | null): boolean {
  return planned === null || prior === null ? planned === prior : sameValue(planned, prior);
}

interface PlannedUpdate {
  readonly kind: WrittenKind;
  readonly config: ObjectValue;
  readonly prior: ObjectValue;
  readonly planned: ObjectValue;
  readonly target: Target;
}

/** The changed attributes that the platform does not change in place. */
function replacedBy({ kind, config, prior, planned, target }: PlannedUpdate): readonly AttributePath[] {
  const { before, after, context } = target;
  const names = ['name', ...(isGvcScoped(kind) ? [ownNames.gvc] : [])];
  const address = names.filter((name) => attributeOf(planned, name) !== attributeOf(prior, name));
  const shape = shapeOf(kind, before);
  const fields = shapeFacts(shape).immutable.flatMap(({ pointer, shape: field }): readonly AttributePath[] => {
    const path = attributePathOf(kind, pointer, config);
    const changes =
      holdsUnknown(attributeAt(config, path)) ||
      !equalValues(field, valueThere(before, pointer), valueThere(after, pointer), context);
    return changes ? [path] : [];
  });
  return [...address.map((name) => [name]), ...fields];
}

/** The attribute at a path without list positions; unknown inside an unknown value. */
function attributeAt(object: ObjectValue, path: AttributePath): Value {
  return path.reduce<Value>(
    (at, step) => (isObjectValue(at) ? attributeOf(at, String(step)) : at === unknown ? unknown : null),
    object,
  );
}

interface AnswersInput {
  readonly kind: WrittenKind;
  readonly prior: ObjectValue | null;
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** The unknown values of the configuration. */
  readonly unknowns: readonly Unknown[];
}

/** The lasting values that only the platform decides: they stay unless a field that they depend on changes. */
function plannedAnswers({ kind, prior, before, after, unknowns }: AnswersInput): ObjectValue {
  const { lastingAnswers } = layoutOf(kind);
  if (prior === null) return Object.fromEntries(lastingAnswers.map(({ name }) => [name, unknown]));
  const mayChange = (path: string): boolean => {
    const steps = path.split('.');
    const isOpen = unknowns.some(({ pointer }) => meets(steps, pointer));
    return isOpen || !sameJson(valuesAt(before, steps), valuesAt(after, steps));
  };
  const planned = ({ follows, form }: Member, old: Value): Value => {
    if (follows !== undefined) return follows.some(mayChange) ? unknown : old;
    if (form.is !== 'object' || !isObjectValue(old)) return old;
    const members = form.members.map(
      (member) => [member.name, planned(member, attributeOf(old, member.name))] as const,
    );
    return Object.fromEntries(members);
  };
  return Object.fromEntries(
    lastingAnswers.map((member) => [member.name, planned(member, attributeOf(prior, member.name))]),
  );
}

/** Whether one of the places contains the other. */
function meets(path: readonly string[], pointer: Pointer): boolean {
  return path.every((step, index) => {
    const other = pointer[index];
    return other === undefined || step === '*' || step === String(other);
  });
}

/** The values of a record at a path, where `*` is every item of a list. */
function valuesAt(value: JsonValue | undefined, [step, ...rest]: readonly string[]): JsonArray {
  if (value === undefined) return [];
  if (step === undefined) return [value];
  if (step === '*') return isArray(value) ? value.flatMap((item) => valuesAt(item, rest)) : [];
  return isObject(value) ? valuesAt(ownValue(value, step), rest) : [];
}
