import { type JsonObject, objectAt, own } from '../../base/json/json.ts';

/** The platform refuses to delete a record with this tag (platform/concepts.tags). */
export const protectedTag = 'scheme/protected';

export function isProtected(record: JsonObject): boolean {
  const value = own(objectAt(record, 'tags'), protectedTag);
  return value === true || value === 'true';
}
