import { isArray, isObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { available, suggestion } from '../../base/text/suggestion.ts';
import type { FieldFacts } from '../../schema/facts/fieldFacts.ts';
import { amount } from '../rules/condition.ts';
import { type Condition, operators } from '../rules/rule.ts';
import type { SettingFaults } from './fault.ts';

export interface ReadConditionOptions {
  /** Of the object with the condition, below `policies`. */
  readonly at: Pointer;
  readonly faults: SettingFaults;
  /** What the field is a quantity of. */
  readonly quantity: FieldFacts['quantity'];
  /** The names that may stand beside the operators, for the hint. */
  readonly besides: readonly string[];
}

/** Conditions in conditions; deeper ones nobody writes by hand. */
const deepest = 10;

/** A condition, or undefined where something is wrong with it. */
export function readCondition(given: JsonObject, options: ReadConditionOptions): Condition | undefined {
  const { at, faults, besides } = options;
  const before = faults.problems.length;
  const keys = Object.keys(given);
  if (at.length > deepest * 2) return void faults.add(at, `holds more than ${deepest} conditions in each other`);
  const unknown = keys.find((key) => !operators.some((operator) => operator === key));
  if (unknown !== undefined) {
    const known = [...besides, ...operators];
    faults.add([...at, unknown], 'is not known in a condition', suggestion(unknown, known) ?? available(known));
  } else if (keys.length === 0) {
    faults.add(at, 'says no condition', `Give one of ${operators.join(', ')}.`);
  }
  const { equals } = given;
  const condition = {
    ...readExists(given['exists'], options),
    ...(equals === undefined ? {} : { equals }),
    ...readIn(given['in'], options),
    ...readMatches(given['matches'], options),
    ...readLimit('min', given['min'], options),
    ...readLimit('max', given['max'], options),
    ...readNot(given['not'], options),
    ...readAny(given['any'], options),
  };
  return faults.problems.length > before ? undefined : condition;
}

function readExists(value: JsonValue | undefined, { at, faults }: ReadConditionOptions): Condition {
  if (value === undefined) return {};
  if (typeof value === 'boolean') return { exists: value };
  faults.add([...at, 'exists'], 'must be true or false');
  return {};
}

function readIn(value: JsonValue | undefined, { at, faults }: ReadConditionOptions): Condition {
  if (value === undefined) return {};
  if (isArray(value) && value.length > 0) return { in: value };
  faults.add([...at, 'in'], 'must be a list of values');
  return {};
}

function readMatches(value: JsonValue | undefined, { at, faults }: ReadConditionOptions): Condition {
  if (value === undefined) return {};
  const fault = typeof value === 'string' ? faultOfPattern(value) : 'must be a text';
  if (fault === undefined && typeof value === 'string') return { matches: value };
  faults.add([...at, 'matches'], fault ?? 'must be a text', "An example: matches: '^registry\\.example\\.com/'");
  return {};
}

function faultOfPattern(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch {
    return 'is not a valid regular expression';
  }
}

function readLimit(
  name: 'min' | 'max',
  value: JsonValue | undefined,
  { at, faults, quantity }: ReadConditionOptions,
): Condition {
  if (value === undefined) return {};
  if ((typeof value === 'number' || typeof value === 'string') && amount(value, quantity) !== undefined) {
    return name === 'min' ? { min: value } : { max: value };
  }
  const examples = { cpu: 'an amount of CPU, such as 500m or 0.5', memory: 'an amount of memory, such as 512Mi' };
  faults.add([...at, name], `must be ${quantity === undefined ? 'a number' : examples[quantity]}`);
  return {};
}

function readNot(value: JsonValue | undefined, options: ReadConditionOptions): Condition {
  if (value === undefined) return {};
  const read = readInside(value, [...options.at, 'not'], options);
  return read === undefined ? {} : { not: read };
}

function readAny(value: JsonValue | undefined, options: ReadConditionOptions): Condition {
  if (value === undefined) return {};
  if (!isArray(value) || value.length === 0) {
    options.faults.add([...options.at, 'any'], 'must be a list of conditions');
    return {};
  }
  return { any: value.flatMap((each, index) => readInside(each, [...options.at, 'any', index], options) ?? []) };
}

function readInside(value: JsonValue, at: Pointer, options: ReadConditionOptions): Condition | undefined {
  if (isObject(value)) return readCondition(value, { ...options, at, besides: [] });
  return void options.faults.add(at, 'must be a condition, such as {equals: 1}');
}
