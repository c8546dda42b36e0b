import { isArray, isObject, type JsonValue } from '../../base/json/json.ts';
import { textsIn } from '../../base/json/textsIn.ts';
import type { FieldDocument } from '../../change/documents/planDocument.ts';

/** The links of one field in one spelling: `//gvc/shop` beside `//gvc/other`, not `/org/acme/gvc/shop`. */
export function linksAlike(field: FieldDocument, org: string | undefined): FieldDocument {
  const { old, new: next } = field;
  if (org === undefined || old === undefined || next === undefined) return field;
  if (![...textsIn(old), ...textsIn(next)].some((text) => text.startsWith('//'))) return field;
  const full = `/org/${org}/`;
  return { ...field, old: shortened(old, full), new: shortened(next, full) };
}

function shortened<Value extends JsonValue>(value: Value, full: string): Value;
function shortened(value: JsonValue, full: string): JsonValue {
  if (typeof value === 'string') return value.startsWith(full) ? `//${value.slice(full.length)}` : value;
  if (isArray(value)) return value.map((item) => shortened(item, full));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shortened(member, full)]));
}
