import { maxBodyDepth, maxBodyValues, maxListItems, maxObjectMembers } from '../../schema/decisions.ts';
import { isArray, isObject, type JsonValue } from '../../schema/json.ts';
import { ApiFailure, invalid } from './apiFailure.ts';

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openBracket = 0x5b;
const openBrace = 0x7b;
const closeBracket = 0x5d;
const closeBrace = 0x7d;

/**
 * Refuses a text with too many values or levels before it is parsed: a megabyte of small members takes the parser ten times
 * as long as one of text. What is no JSON may pass; the parser says so.
 */
export function requireReadable(text: string): void {
  let values = 1;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (code === comma) values += 1;
    else if (code === openBracket || code === openBrace) {
      values += 1;
      depth += 1;
      if (depth > maxBodyDepth) {
        throw new ApiFailure('unreadable_body', `the body is nested deeper than ${maxBodyDepth} levels`);
      }
    } else if (code === closeBracket || code === closeBrace) depth -= 1;
    if (values > maxBodyValues) throw new ApiFailure(413, `the body holds more than ${maxBodyValues} values`);
  }
}

/** Where the text in quotes ends that begins here. */
function endOfText(text: string, begin: number): number {
  for (let at = text.indexOf('"', begin + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}

/** 400 for the first list or object of a document that has more items or members than any may have. */
export function requireBounded(value: JsonValue, path = ''): void {
  if (isArray(value)) {
    if (value.length > maxListItems) throw tooMany(path, `a list has at most ${maxListItems} items`);
    for (const [index, item] of value.entries()) requireBounded(item, below(path, String(index)));
  } else if (isObject(value)) {
    const members = Object.entries(value);
    if (members.length > maxObjectMembers) throw tooMany(path, `an object has at most ${maxObjectMembers} members`);
    for (const [name, member] of members) requireBounded(member, below(path, name));
  }
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function tooMany(path: string, message: string): ApiFailure {
  return invalid([{ path, message, rule: 'body.limit' }]);
}
