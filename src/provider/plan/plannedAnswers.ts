import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  own,
  sameJson,
} from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import type { Member } from '../../hcl/schema/form.ts';
import { layoutOf } from '../../hcl/schema/kindLayout.ts';
import { attributeOf, isObjectValue, type ObjectValue, unknown, type Value } from '../../hcl/value.ts';
import type { Unknown } from '../../kinds/check/registry.ts';
import type { WrittenKind } from '../../schema/record/kinds.ts';

export interface AnswersInput {
  readonly kind: WrittenKind;
  readonly prior: ObjectValue | null;
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** The values of the configuration that are not known yet. */
  readonly unknowns: readonly Unknown[];
}

/**
 * The values that only the platform decides, as far as they last: they stay unless a field changes that they follow.
 */
export function plannedAnswers({ kind, prior, before, after, unknowns }: AnswersInput): ObjectValue {
  const { answered } = layoutOf(kind);
  if (prior === null) return Object.fromEntries(answered.map(({ name }) => [name, unknown]));
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
  return Object.fromEntries(answered.map((member) => [member.name, planned(member, attributeOf(prior, member.name))]));
}

/** Is one of both places inside of the other? */
function meets(path: readonly string[], pointer: Pointer): boolean {
  return path.every((step, index) => {
    const other = pointer[index];
    return other === undefined || step === '*' || step === String(other);
  });
}

/** The values of a record at a path, `*` standing for every item of a list. */
function valuesAt(value: JsonValue | undefined, [step, ...rest]: readonly string[]): JsonArray {
  if (value === undefined) return [];
  if (step === undefined) return [value];
  if (step === '*') return isArray(value) ? value.flatMap((item) => valuesAt(item, rest)) : [];
  return isObject(value) ? valuesAt(own(value, step), rest) : [];
}
