import { isArray, type JsonValue, own } from '../base/json/json.ts';
import { closeBrace, closeBracket, comma, endOfText, openBrace, openBracket, quote } from '../base/json/punctuation.ts';
import {
  maxBodyBytes,
  maxBodyDepth,
  maxBodyValues,
  maxListItems,
  maxObjectMembers,
  maxSecretBytes,
} from '../schema/facts/limits.ts';
import type { Kind } from '../schema/record/kinds.ts';
import { hiddenField } from './kindFacts.ts';

/** Maximum number of bytes in the body of a POST or PATCH of a record. */
export function mostBytesOf(kind: Kind): number {
  return hiddenField(kind) === undefined ? maxBodyBytes : maxSecretBytes;
}

/**
 * Whether a JSON text has too many values or levels, found before parsing: the parser takes ten times as long for a
 * megabyte of small members as for one of text.
 */
export function excessOfText(text: string): 'values' | 'depth' | undefined {
  let values = 1;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at) ?? text.length;
    else if (code === comma) values += 1;
    else if (code === openBracket || code === openBrace) {
      values += 1;
      depth += 1;
      if (depth > maxBodyDepth) return 'depth';
    } else if (code === closeBracket || code === closeBrace) depth -= 1;
    if (values > maxBodyValues) return 'values';
  }
  return undefined;
}

export interface Excess {
  /** Created only for a problem. */
  readonly place: (number | string)[];
  readonly message: string;
}

/** The first list or object with more items or members than allowed, or a number that was rounded. */
export function excessIn(value: JsonValue): Excess | undefined {
  if (typeof value === 'number') return isExact(value) ? undefined : { place: [], message: inexact };
  if (typeof value !== 'object' || value === null) return undefined;
  if (isArray(value)) {
    if (value.length > maxListItems) return { place: [], message: `a list has at most ${maxListItems} items` };
    for (const [index, item] of value.entries()) {
      const excess = excessIn(item);
      if (excess !== undefined) return below(index, excess);
    }
    return undefined;
  }
  const names = Object.keys(value);
  if (names.length > maxObjectMembers) {
    return { place: [], message: `an object has at most ${maxObjectMembers} members` };
  }
  for (const name of names) {
    const member = own(value, name);
    const excess = member === undefined ? undefined : excessIn(member);
    if (excess !== undefined) return below(name, excess);
  }
  return undefined;
}

const inexact = `an integer beyond ±${Number.MAX_SAFE_INTEGER} cannot be stored as it was written`;

/** Larger integers may have been rounded when read; still larger ones are infinite, which JSON does not have. */
function isExact(value: number): boolean {
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
}

function below(part: number | string, excess: Excess): Excess {
  excess.place.unshift(part);
  return excess;
}
