import { isArray, isObject, type JsonValue, sameJson } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { quantityValue } from '../../base/text/quantity.ts';
import type { FieldFacts } from '../../schema/facts/fieldFacts.ts';
import type { Condition } from './rule.ts';

/** A value at a path, with the unit of its field. */
export interface Value {
  /** Undefined if the manifest has no value there. */
  readonly value: JsonValue | undefined;
  readonly quantity: FieldFacts['quantity'];
}

/** Whether every part of the condition is true. */
export function holds(condition: Condition, { value, quantity }: Value): boolean {
  const { exists, equals, in: among, matches, min, max, not, any } = condition;
  const number = value === undefined ? undefined : amount(value, quantity);
  const isBeyond = (limit: number | string, sign: 1 | -1): boolean => {
    const other = amount(limit, quantity);
    return number === undefined || other === undefined || (number - other) * sign > 0;
  };
  return (
    (exists === undefined || exists === (value !== undefined)) &&
    (equals === undefined || isSame(value, equals, quantity)) &&
    (among === undefined || among.some((each) => isSame(value, each, quantity))) &&
    (matches === undefined || (isScalar(value) && new RegExp(matches, 'u').test(String(value)))) &&
    (min === undefined || !isBeyond(min, -1)) &&
    (max === undefined || !isBeyond(max, 1)) &&
    (not === undefined || !holds(not, { value, quantity })) &&
    (any === undefined || any.some((each) => holds(each, { value, quantity })))
  );
}

/** Cores, bytes, or the number itself; undefined if it is not a number. */
export function amount(value: JsonValue, quantity: FieldFacts['quantity']): number | undefined {
  if (quantity === undefined) return typeof value === 'number' ? value : undefined;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  return quantityValue(value);
}

function isSame(value: JsonValue | undefined, other: JsonValue, quantity: FieldFacts['quantity']): boolean {
  if (value === undefined) return false;
  const [a, b] = quantity === undefined ? [] : [amount(value, quantity), amount(other, quantity)];
  return a === undefined || b === undefined ? sameJson(value, other) : a === b;
}

function isScalar(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && !isArray(value) && !isObject(value);
}

/** The demand, in words that follow a path, such as `must be at least 2`. */
export function inWords(condition: Condition): string {
  return `must ${demands(condition).join(' and ')}`;
}

function demands({ exists, equals, in: among, matches, min, max, not, any }: Condition): readonly string[] {
  return compact([
    exists === undefined ? undefined : exists ? 'be there' : 'not be there',
    equals === undefined ? undefined : `be ${JSON.stringify(equals)}`,
    among === undefined ? undefined : `be one of ${among.map((each) => JSON.stringify(each)).join(', ')}`,
    matches === undefined ? undefined : `match ${matches}`,
    min === undefined ? undefined : `be at least ${min}`,
    max === undefined ? undefined : `be at most ${max}`,
    not === undefined ? undefined : `not (${demands(not).join(' and ')})`,
    any?.map((each) => demands(each).join(' and ')).join(' or '),
  ]);
}
