import { isArray, isObject, type JsonValue } from '../../schema/json/json.ts';
import { withoutSecrets } from '../../schema/text/withoutSecrets.ts';
import { withoutControls } from './shownText.ts';

/** A shorter one stands in every text. */
const shortest = 4;

/**
 * Refusals become messages: nothing that a terminal would obey gets into them, and nothing that the other side repeats
 * of a token or a secret. What is taken out may stand in the middle of a secret, so that goes first, in the secrets
 * too.
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
