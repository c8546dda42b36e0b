import { isArray, isObject, type JsonValue } from '../../base/json/json.ts';
import { withoutSecrets } from '../../base/text/withoutSecrets.ts';
import { withoutControls } from './shownText.ts';

/** A shorter text occurs everywhere. */
const shortest = 4;

/**
 * Makes the text of a refusal safe to print: without control characters, and without a token or secret that the other
 * side repeats. Control characters may be in the middle of a secret, so they are removed first, in the secrets too.
 */
export function cleanRefusal(document: JsonValue, hidden: readonly string[]): JsonValue {
  const shown = hidden.map(withoutControls).filter(({ length }) => length >= shortest);
  return withoutSecrets(printable(document), [...hidden, ...shown]);
}

function printable(value: JsonValue): JsonValue {
  if (typeof value === 'string') return withoutControls(value);
  if (isArray(value)) return value.map(printable);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [withoutControls(key), printable(member)]));
}
