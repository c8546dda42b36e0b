import { isArray, isObject, type JsonValue } from '../../../src/base/json/json.ts';

/** One request or answer on the wire. */
export interface WireMessage {
  readonly address: string;
  readonly headers: readonly string[];
  readonly body: string;
}

/** Names and values that users of the scenarios choose, which no dialect changes. */
const usersOwn = /vendor\.example\.com\/accelerator|tracer-token/g;
/** Fields with prose or with ids of Gantry's own rules, such as `gvc.proxy-user`. */
const prose: ReadonlySet<string> = new Set(['message', 'rule', 'description']);
/** The values of the platform's own fields that are named `scheme`. */
const schemesOfPorts: ReadonlySet<JsonValue> = new Set(['HTTP', 'HTTPS', 'http', 'https', 'tcp', 'ws', 'wss']);

const word = /scheme|proxy|vendor|tracer|controlplane/i;
const unmistakable = /scheme:\/\/|scheme\/(?:protected|release|run)|SCHEME_|x-scheme-|proxy\.(?:filters|http_grpc)/;

/**
 * The neutral words in a message that should have none. The list is written by hand, independently of the translation.
 */
export function neutralWordsIn({ address, headers, body }: WireMessage): readonly string[] {
  const found = headers.filter((name) => word.test(name)).map((name) => `header ${name}`);
  if (word.test(decodeURIComponent(address).replace(usersOwn, ''))) found.push(`address ${address}`);
  if (body === '') return found;
  let parsed: JsonValue;
  try {
    parsed = JSON.parse(body);
  } catch {
    return found; // truncated on purpose
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
