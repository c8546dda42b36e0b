import { type JsonObject, objectAt, own } from '../json/json.ts';

/** The platform deletes no record with this tag, whoever asks (platform/concepts.tags). */
export const protectedTag = 'scheme/protected';

export function isProtected(record: JsonObject): boolean {
  const value = own(objectAt(record, 'tags'), protectedTag);
  return value === true || value === 'true';
}
