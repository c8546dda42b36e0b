import { fieldIn, isObject, type JsonObject, type JsonValue, own, sameJson } from '../base/json/json.ts';
import { jsonIn } from '../base/json/jsonText.ts';
import { type Kind, kindNamed } from '../schema/record/kinds.ts';
import { type Place, placeOf } from './place.ts';
import { type Places, placesOf } from './places.ts';
import { type PointerMap, pathsBelow, pointerMap, type Translation, translate, Untranslatable } from './translate.ts';
import {
  inTurn,
  neutralWords,
  replacing,
  type Spelling,
  spelled,
  type Vocabulary,
  vocabularyOf,
  type Way,
  type Words,
} from './words.ts';

export type { Way } from './words.ts';

/**
 * Translates an installation's own words where bytes enter and leave: the rest of the code uses the neutral ones. Names
 * already in the wanted spelling stay. A request with both spellings of one name is refused: `dialect.two-spellings`.
 */
export interface Dialect {
  /** A path with its query, or a `Location`. */
  address(address: string, way: Way): string;
  /** The name of a header, in lower case. */
  header(name: string, way: Way): string;
  /** The value of a response header; name and path are neutral. */
  headerValue(address: string, name: string, value: string, way: Way): string;
  /**
   * The body of a request; the path is neutral. Too deeply nested bodies, and those with a number that JSON cannot
   * represent, are returned unchanged: the reader refuses them.
   */
  request(address: string, body: JsonValue, way: Way): JsonValue;
  /** The body of a response; the path is neutral. */
  answer(address: string, status: number, body: JsonValue, way: Way): JsonValue;
  /**
   * The neutral form of the JSON text that a platform receives; a text that is not JSON is returned unchanged. Errors:
   * also `dialect.neutral-field` if a field does not have the installation's name.
   */
  received(address: string, text: string): string;
  /** The body of a response as text. */
  answerText(address: string, status: number, text: string, way: Way): string;
  /** Whether a text can contain anything to translate. */
  concerns(text: string): boolean;
  /** The manifest in neutral words; the same object if it already is. */
  neutral(manifest: JsonObject): NeutralManifest;
  /** A record, a manifest or a list of records in the platform's spelling, for its other clients. */
  platforms(document: JsonObject): JsonObject;
  /** Paths to the fields of a kind: `spec.sidecar.proxy.http`, `tags."scheme/protected"`. */
  paths(kind: Kind): Spelling;
}

export interface NeutralManifest extends PointerMap {
  readonly value: JsonObject;
}

export function makeDialect(words: Words, names: ReadonlyMap<string, string>): Dialect {
  const vocabulary = vocabularyOf(words, names);
  const places = placesOf(vocabulary, names);
  const messages = messagesOf(vocabulary, words, names);
  const touched = touching(words, names);

  function request(address: string, body: JsonValue, how: Translation): JsonValue {
    const about = readAddress(address);
    return isLocal(about) ? body : whole(body, requestPlace(places, about), how);
  }
  function answer(address: string, status: number, body: JsonValue, way: Way): JsonValue {
    const about = readAddress(address);
    if (isLocal(about)) return body;
    if (status >= 400) return whole(body, refusalPlace(places, about, messages, way), { way, strict: false });
    const place =
      about.segments[0] === 'openapi.json' ? openApiPlace(vocabulary, messages) : answerPlace(places, about, body);
    return whole(body, place, { way, strict: false });
  }
  function inText(text: string, change: (body: JsonValue) => JsonValue): string {
    if (!touched.test(text)) return text;
    const body = jsonIn(text);
    if (body === undefined) return text;
    const changed = change(body);
    return changed === body ? text : JSON.stringify(changed);
  }
  return {
    address: (address, way) => vocabulary.addresses[way](address),
    header: (name, way) => vocabulary.headers[way](name.toLowerCase()),
    headerValue(address, header, value, way) {
      const name = header.toLowerCase();
      if (name === 'location') return vocabulary.addresses[way](value);
      if (!name.startsWith('x-scheme-')) return value;
      return inParameters(value, pathsBelow(requestPlace(places, readAddress(address))), messages, way);
    },
    request: (address, body, way) => request(address, body, { way, strict: true }),
    received: (address, text) =>
      inText(text, (body) => request(address, body, { way: 'toNeutral', strict: true, refusesNeutralFields: true })),
    answer,
    concerns: (text) => touched.test(text),
    answerText: (address, status, text, way) => inText(text, (body) => answer(address, status, body, way)),
    neutral(manifest) {
      const kind = kindNamed(own(manifest, 'kind'));
      const place = kind === undefined ? placeOf({}) : manifestPlace(places.record(kind));
      const value = whole(manifest, place, { way: 'toNeutral', strict: true });
      return {
        value: isObject(value) && !sameJson(value, manifest) ? value : manifest,
        ...pointerMap(manifest, place),
      };
    },
    platforms(document) {
      const about = { segments: [], kind: undefined, operation: undefined };
      const place = manifestPlace(answerPlace(places, about, document));
      const value = whole(document, place, { way: 'toWire', strict: false });
      return isObject(value) ? value : document;
    },
    paths: (kind) => pathsBelow(places.record(kind)),
  };
}

function whole(body: JsonValue, place: Place, how: Translation): JsonValue {
  try {
    return translate(body, place, how);
  } catch (error) {
    if (error instanceof Untranslatable) return body;
    throw error;
  }
}

/** Matches texts that can contain anything to translate: most bodies do not, and need not be parsed. */
function touching(words: Words, names: ReadonlyMap<string, string>): RegExp {
  const all = [...neutralWords, ...Object.values(words), ...names.keys(), ...names.values()];
  return new RegExp([String.raw`\\u`, ...all.map(escaped)].join('|'), 'i'); // a letter may be escaped
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

// ---- which place a body is ----

/** The subject of a request, by its neutral path. */
interface Address {
  readonly segments: readonly string[];
  /** The kind of the collection or item; undefined if the path has none. */
  readonly kind: Kind | undefined;
  /** The rest of the path: `-query`, `-command`. */
  readonly operation: string | undefined;
}

function readAddress(address: string): Address {
  const path = address.split(/[?#]/, 1)[0] ?? '';
  const segments = path.split('/').slice(1);
  const first = segments.findIndex((segment) => segment.startsWith('-'));
  const record = first === -1 ? segments : segments.slice(0, first);
  const isItem = record.length % 2 === 0;
  const kind = record[0] === 'org' ? kindNamed(record.at(isItem ? -2 : -1)) : undefined;
  return { segments, kind, operation: first === -1 ? undefined : segments[first] };
}

/** Gantry's own operations: they transfer its files, which are the same for every installation. */
const local: ReadonlySet<string> = new Set(['-clock', '-faults', '-snapshot', '-health', '-metrics']);

function isLocal({ segments }: Address): boolean {
  return local.has(segments[0] ?? '');
}

function requestPlace(places: Places, { segments, kind, operation }: Address): Place {
  if (segments.at(-1) === '-query') return places.query(operation === '-query' ? kind : undefined);
  if (segments[0] === 'audit') return places.auditEvent;
  return operation === undefined && kind !== undefined ? places.record(kind) : places.answer;
}

/** The place of a response: by the kind in the body, else by the request. */
function answerPlace(places: Places, { segments, kind, operation }: Address, body: JsonValue): Place {
  const said = fieldIn(body, 'kind');
  const stated = kindNamed(said);
  if (stated !== undefined) return places.record(stated);
  if (said === 'auditevent') return places.auditEvent;
  if (said !== undefined) return places.answer;
  if (segments[0] === 'audit') return places.auditEvent;
  return operation === undefined && kind !== undefined ? places.record(kind) : places.answer;
}

/** A manifest is a record plus instructions for Gantry that contain its paths. */
function manifestPlace(record: Place): Place {
  const paths = placeOf({ text: pathsBelow(record) });
  const lifecycle = placeOf({
    child: (key) => (/^(?:ignore|untyped|sensitive)$/.test(key) ? paths : placeOf({})),
  });
  return { ...record, child: (key, beside) => (key === 'lifecycle' ? lifecycle : record.child(key, beside)) };
}

/** Fields in the schemas have their wire names; the words of OpenAPI stay. */
function openApiPlace({ keys }: Vocabulary, messages: Spelling): Place {
  const names = placeOf({ text: keys });
  const schema: Place = placeOf({
    text: messages,
    child: (key) => (key === 'properties' ? properties : key === 'required' ? names : undefined),
  });
  const properties: Place = placeOf({ keys, text: messages, child: () => schema });
  return schema;
}

// ---- text for people ----

/** Reserved tags that messages of the platform quote; `scheme/` alone could be part of anything. */
const quotedTags = [
  ...['protected', 'deployTimestamp', 'relaxMemoryToCpuRatio', 'relaxGracePeriodMax', 'timeoutSecondsOverride'],
  ...['sessionCookie', 'sessionDuration', 'routeLimitOverride', 'skipDNSCheck', 'wildcard'],
  ...['clientCertificateValidation', 'release', 'run'],
];

/**
 * Prose, in which single words stay; only text that must be a name is translated: references, reserved tags and
 * prefixes, names of filters.
 */
function messagesOf(vocabulary: Vocabulary, words: Words, names: ReadonlyMap<string, string>): Spelling {
  const { tags, headers, environment, containers, hosts, types, context } = vocabulary;
  const { scheme } = words;
  const literally = new Map<string, string>([
    ['scheme://', `${scheme}://`],
    ['x-scheme-', headers.toWire('x-scheme-')],
    ['SCHEME_', environment.toWire('SCHEME_')],
    ['scheme-*', containers.toWire('scheme-*')],
    ['_scheme.', hosts.toWire('_scheme.')],
    ['_scheme-', hosts.toWire('_scheme-')],
    ...quotedTags.map((tag) => [`scheme/${tag}`, tags.toWire(`scheme/${tag}`)] as const),
    ...[...names].filter(([neutral]) => neutral.startsWith('proxy.')),
  ]);
  const all = [...literally.keys(), ...literally.values()].toSorted((a, b) => b.length - a.length).map(escaped);
  return inTurn(
    replacing(new RegExp(`(?<![\\w./-])(?:${all.join('|')})`, 'g'), spelled([], literally)),
    replacing(new RegExp(`(?<![\\w./-])(?:proxy|${words.proxy})\\.(?:filters|http)[\\w.]*`, 'g'), types),
    replacing(/(?<=\/auditctx\/)[a-z][-a-z0-9]*/g, context),
  );
}

/** Parameters in the platform's own headers: `RULE;path="spec.x";message="…"`, lists of RFC 8941. */
function inParameters(value: string, paths: Spelling, messages: Spelling, way: Way): string {
  return value.replace(/;(path|message)="((?:[^"\\]|\\.)*)"/g, (_, parameter: string, written: string) => {
    const text = written.replaceAll(/\\(.)/g, '$1');
    const other = (parameter === 'path' ? paths : messages)[way](text);
    return `;${parameter}="${other.replaceAll(/["\\]/g, '\\$&')}"`;
  });
}

/** A refusal; its paths are those of the sent record (platform/errors.body). */
function refusalPlace(places: Places, address: Address, messages: Spelling, way: Way): Place {
  const paths = pathsBelow(requestPlace(places, address));
  const text = (said: string, at?: JsonValue) =>
    problemText(said, typeof at === 'string' && at !== '' ? at : undefined, { paths, messages, way });
  const path = placeOf({ text: paths });
  const message = (at?: JsonValue) => {
    const inWords = (said: string) => text(said, at);
    return placeOf({ text: { toWire: inWords, toNeutral: inWords } });
  };
  const problem = placeOf({
    text: messages,
    child: (key, beside) => (key === 'path' ? path : key === 'message' ? message(own(beside, 'path')) : undefined),
  });
  const { answer } = places;
  const details = placeOf({
    text: messages,
    child: (key, beside) => (key === 'problems' ? problem : answer.child(key, beside)),
  });
  return placeOf({
    text: messages,
    child: (key) => (key === 'message' ? message() : key === 'details' ? details : answer),
  });
}

interface ProblemWords {
  /** For paths below the record of the request. */
  readonly paths: Spelling;
  readonly messages: Spelling;
  readonly way: Way;
}

/** Translates the path before the colon, the quoted field, and other names. `at`: a path beside the message. */
function problemText(message: string, at: string | undefined, { paths, messages, way }: ProblemWords): string {
  const [head = '', before] = /^(\S+): /.exec(message) ?? [];
  const rest = messages[way](message.slice(head.length));
  const start = before === undefined ? '' : `${paths[way](before)}: `;
  const path = at ?? before;
  const field = path?.split('.').at(-1);
  if (path === undefined || field === undefined) return start + rest;
  const other = paths[way](path).split('.').at(-1) ?? field;
  return start + (other === field ? rest : rest.replaceAll(JSON.stringify(field), JSON.stringify(other)));
}
