import type { JsonValue } from '../../base/json/json.ts';
import { excessIn, excessOfText } from '../../kinds/bodyLimits.ts';
import { maxBodyDepth, maxBodyValues } from '../../schema/facts/limits.ts';
import { ApiFailure, invalid } from './apiFailure.ts';

/** Refuses a text with too many values or levels. Invalid JSON may pass; the parser refuses it. */
export function requireReadable(text: string): void {
  const excess = excessOfText(text);
  if (excess === 'depth') {
    throw new ApiFailure('unreadable_body', `the body is nested deeper than ${maxBodyDepth} levels`);
  }
  if (excess === 'values') throw new ApiFailure(413, `the body contains more than ${maxBodyValues} values`);
}

/** Throws 400 for the first list or object with more items or members than allowed, or for a rounded number. */
export function requireBounded(value: JsonValue): void {
  const excess = excessIn(value);
  if (excess === undefined) return;
  throw invalid([{ path: excess.place.join('.'), message: excess.message, rule: 'body.limit' }]);
}
