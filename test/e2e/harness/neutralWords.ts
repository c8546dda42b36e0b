import { isArray, isObject, type JsonValue } from '../../../src/base/json/json.ts';

/** One request or answer, as it went over the wire. */
export interface WireMessage {
  readonly address: string;
  readonly headers: readonly string[];
  readonly body: string;
}

/** What the scenarios call so themselves: names and values of users, which no dialect touches. */
const usersOwn = /vendor\.example\.com\/accelerator|tracer-token/g;
/** Prose, and ids of Gantry's own rules: `gvc.proxy-user` is one in front of every installation. */
const prose: ReadonlySet<string> = new Set(['message', 'rule', 'description']);
/** Fields of the platform itself that are called scheme, by their values. */
const schemesOfPorts: ReadonlySet<JsonValue> = new Set(['HTTP', 'HTTPS', 'http', 'https', 'tcp', 'ws', 'wss']);

const word = /scheme|proxy|vendor|tracer|controlplane/i;
const unmistakable = /scheme:\/\/|scheme\/(?:protected|release|run)|SCHEME_|x-scheme-|proxy\.(?:filters|http_grpc)/;

/**
 * Every neutral word in a message that should have none. It knows nothing of how they are translated: the list is
 * written by hand.
 */
export function neutralWordsIn({ address, headers, body }: WireMessage): readonly string[] {
  const found = headers.filter((name) => word.test(name)).map((name) => `header ${name}`);
  if (word.test(decodeURIComponent(address).replace(usersOwn, ''))) found.push(`address ${address}`);
  if (body === '') return found;
  let parsed: JsonValue;
  try {
    parsed = JSON.parse(body);
  } catch {
    return found; // cut off on purpose
  }
  return [...found, ...inside(parsed, '')];
}

function inside(value: JsonValue, place: string): readonly string[] {
  if (typeof value === 'string') return inText(value, place);
  if (isArray(value)) return value.flatMap((item, index) => inside(item, `${place}[${index}]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const below = `${place}.${key}`;
    const own = key === 'scheme' && schemesOfPorts.has(member);
    const named = !own && word.test(key.replace(usersOwn, '')) ? [`key ${below}`] : [];
    return [...named, ...inside(member, below)];
  });
}

function inText(text: string, place: string): readonly string[] {
  const grammar = prose.has(place.split('.').at(-1) ?? '') ? unmistakable : word;
  return grammar.test(text.replace(usersOwn, '')) ? [`text ${place}: ${text}`] : [];
}
