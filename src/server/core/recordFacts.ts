import { isObject, type JsonObject, objectAt, own } from '../../schema/json/json.ts';
import type { Row } from '../store/row.ts';

export const protectedTag = 'scheme/protected';

export function isProtected(row: Row): boolean {
  const value = own(objectAt(row.record, 'tags'), protectedTag);
  return value === true || value === 'true';
}

/** Who made the record: `builtin` for the platform itself. */
export function originOf(row: Row): string | undefined {
  const origin = own(objectAt(row.state, 'shown'), 'origin');
  return typeof origin === 'string' ? origin : undefined;
}

/** All that the client owns of it but the values of a secret, and where it comes from: what rules look at. */
export function wholeRecord(row: Row): JsonObject {
  const origin = originOf(row);
  return { ...row.record, ...(origin === undefined ? {} : { origin }) };
}

export function keysOf(row: Row): readonly JsonObject[] {
  const keys = own(row.state, 'keys');
  return Array.isArray(keys) ? keys.filter(isObject) : [];
}
