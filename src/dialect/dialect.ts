import type { JsonValue } from '../schema/json/json.ts';
import { answerPlace, isLocal, readAddress, refusalPlace, requestPlace } from './documents.ts';
import { messagesOf } from './messages.ts';
import { pathsBelow } from './paths.ts';
import type { Place } from './places/place.ts';
import { placesOf } from './places/places.ts';
import { translate, Untranslatable } from './translate.ts';
import type { Renaming, Way } from './words/renaming.ts';
import { vocabularyOf } from './words/vocabulary.ts';
import { neutralWords, type Words } from './words/words.ts';

export type { Way } from './words/renaming.ts';

/** An installation's own words, translated where bytes enter and leave: the rest of the code knows the neutral ones. */
export interface Dialect {
  /** A path with its query, or a `Location`. */
  address(address: string, way: Way): string;
  /** The name of a header, in lower case. */
  header(name: string, way: Way): string;
  /** The value of a header of an answer from a path; name and path are the neutral ones. */
  headerValue(address: string, name: string, value: string, way: Way): string;
  /**
   * The body of a request to a path, which is the neutral one. What is nested deeper than any request may be, or holds
   * a number that JSON cannot write, comes back as it is: whoever reads it refuses it.
   */
  request(address: string, body: JsonValue, way: Way): JsonValue;
  /** The body of an answer from a path, which is the neutral one. */
  answer(address: string, status: number, body: JsonValue, way: Way): JsonValue;
  /** The same for JSON as text. What is no JSON comes back as it is. */
  requestText(address: string, text: string, way: Way): string;
  answerText(address: string, status: number, text: string, way: Way): string;
  /** Whether a text can hold anything to translate. */
  concerns(text: string): boolean;
}

export function makeDialect(words: Words, names: ReadonlyMap<string, string>): Dialect {
  const vocabulary = vocabularyOf(words, names);
  const places = placesOf(vocabulary);
  const messages = messagesOf(vocabulary);
  const touched = touching(words, names);

  function request(address: string, body: JsonValue, way: Way): JsonValue {
    const about = readAddress(address);
    return isLocal(about) ? body : whole(body, requestPlace(places, about), way);
  }
  function answer(address: string, status: number, body: JsonValue, way: Way): JsonValue {
    const about = readAddress(address);
    if (isLocal(about)) return body;
    const place =
      status < 400 ? answerPlace(places, about, body, way, messages) : refusalPlace(places, about, messages);
    return whole(body, place, way);
  }
  function inText(text: string, change: (body: JsonValue) => JsonValue): string {
    if (!touched.test(text)) return text;
    try {
      const body: JsonValue = JSON.parse(text);
      const changed = change(body);
      return changed === body ? text : JSON.stringify(changed);
    } catch (error) {
      if (error instanceof SyntaxError) return text;
      throw error;
    }
  }
  return {
    address: (address, way) => vocabulary.addresses[way](address),
    header: (name, way) => vocabulary.headers[way](name.toLowerCase()),
    headerValue(address, name, value, way) {
      const paths = pathsBelow(requestPlace(places, readAddress(address)));
      return headerValue(name.toLowerCase(), value, { addresses: vocabulary.addresses, paths, messages }, way);
    },
    request,
    answer,
    concerns: (text) => touched.test(text),
    requestText: (address, text, way) => inText(text, (body) => request(address, body, way)),
    answerText: (address, status, text, way) => inText(text, (body) => answer(address, status, body, way)),
  };
}

function whole(body: JsonValue, place: Place, way: Way): JsonValue {
  try {
    return translate(body, place, way);
  } catch (error) {
    if (error instanceof Untranslatable) return body;
    throw error;
  }
}

/** Whether a text can hold anything to translate: most bodies do not, and need not be read. */
function touching(words: Words, names: ReadonlyMap<string, string>): RegExp {
  const all = [...neutralWords, ...Object.values(words), ...names.keys(), ...names.values()];
  // A letter may be escaped.
  return new RegExp(
    [String.raw`\\u`, ...all.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))].join('|'),
    'i',
  );
}

/**
 * The value of a header, by its neutral name: an address in `location`; in those of the platform's own the places of
 * warnings, `RULE;path="spec.x";message="…"`, as a list of RFC 8941 writes them. All others stay.
 */
function headerValue(
  name: string,
  value: string,
  {
    addresses,
    paths,
    messages,
  }: { readonly addresses: Renaming; readonly paths: Renaming; readonly messages: Renaming },
  way: Way,
): string {
  if (name === 'location') return addresses[way](value);
  if (!name.startsWith('x-scheme-')) return value;
  const parameters = /;(path|message)="((?:[^"\\]|\\.)*)"/g;
  return value.replace(parameters, (_, parameter: string, written: string) => {
    const text = written.replaceAll(/\\(.)/g, '$1');
    const other = (parameter === 'path' ? paths : messages)[way](text);
    return `;${parameter}="${other.replaceAll(/["\\]/g, '\\$&')}"`;
  });
}
