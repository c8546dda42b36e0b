import {
  At,
  adviceOf,
  object,
  optionals,
  type Reader,
  type ReadProblem,
  readEach,
  tryRead,
} from '../base/form/read.ts';
import { isObject } from '../base/json/json.ts';
import { ToolError } from '../base/toolError.ts';
import { sheets } from '../kinds/list.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import { isKnownKind } from '../schema/record/kinds.ts';
import type { Shape } from '../schema/shape/shape.ts';
import { type Dialect, makeDialect } from './dialect.ts';
import { spelledField, structural } from './places.ts';
import { classOf, type NameClass, neutralWords, vocabularyOf, type Words } from './words.ts';

/** A word must be valid as a URI scheme, in a header, and in capitals in an environment variable. */
const wordGrammar = /^[a-z][a-z0-9]{1,39}$/;

/**
 * Reads a dialect from `{words: {scheme, proxy, vendor, tracer}, names: {neutral: installation's}}`; both parts, and
 * each word, are optional. `source` is for messages.
 *
 * Errors: `dialect.file`, `dialect.word`, `dialect.name`, `dialect.collision`.
 */
export function readDialect(parsed: unknown, source: string): Dialect {
  const read = tryRead(() =>
    (parsed ?? null) === null ? {} : dialectReader.read(isObject(parsed) ? parsed : '', new At()),
  );
  if ('problems' in read) throw unreadable(read.problems[0], source);
  const { words: given = {}, names = new Map<string, string>() } = read.value;
  const words = { scheme: 'scheme', proxy: 'proxy', vendor: 'vendor', tracer: 'tracer', ...given };
  refuseCollisions(words, names, source);
  return makeDialect(words, names);
}

const nameGrammar = /^[\w@.:/-]{1,200}$/;

/** The pattern for the installation's spelling, by the class of the name. */
const grammars: Readonly<Record<NameClass, RegExp>> = {
  keys: nameGrammar,
  tags: nameGrammar,
  headers: /^[a-z0-9-]{1,200}$/,
  environment: /^[A-Za-z_]\w{0,199}$/,
  containers: /^[a-z][-a-z0-9]{0,62}$/,
  context: /^[a-z][-a-z0-9]{0,62}$/,
};
/** A name valid for a field, so that paths with it can be parsed. */
const fieldGrammar = /^[A-Za-z_@][\w@]*$/;

const names: Reader<ReadonlyMap<string, string>> = {
  schema: { type: 'object', additionalProperties: { type: 'string' } },
  read(given, at) {
    if (!isObject(given)) throw at.bad('must be a map of names');
    const reads = Object.entries(given).map(([neutral, value]) => () => {
      const nameClass = classOf(neutral);
      const grammar = nameClass === 'keys' && fieldGrammar.test(neutral) ? fieldGrammar : grammars[nameClass];
      const called = `: ${JSON.stringify(neutral)} is called ${JSON.stringify(value)}`;
      if (!nameGrammar.test(neutral) || typeof value !== 'string' || !grammar.test(value)) {
        throw at.bad(`${called}, which cannot be such a name`);
      }
      if (structural.has(neutral)) throw at.bad(`${called}, but that is a name of the API`);
      return [neutral, value] as const;
    });
    return new Map(readEach(reads));
  },
};

const word: Reader<string> = {
  schema: { type: 'string', pattern: wordGrammar.source },
  read(given, at) {
    if (typeof given === 'string' && wordGrammar.test(given)) return given;
    const demand = 'a word has 2 to 40 lower-case letters and digits, and begins with a letter';
    throw at.bad(`is ${JSON.stringify(given)}; ${demand}`);
  },
};

const dialectReader = object(
  optionals({ words: object(optionals({ scheme: word, proxy: word, vendor: word, tracer: word })), names }),
  { expected: 'an object with words and names' },
);

function unreadable(problem: ReadProblem, source: string): ToolError {
  const [part] = problem.pointer;
  const what = problem.pointer.length > 1 && part === 'words' ? 'word' : part === 'names' ? 'name' : 'file';
  return new ToolError({
    code: `dialect.${what}`,
    message: `${source}: ${adviceOf(problem, 'name')}`,
    hint: 'A dialect is for example `words: {scheme: acme}` and `names: {proxy_grpc: acme_grpc}`.',
  });
}

/**
 * Schemes and prefixes with a meaning on every installation (platform/concepts.names, platform/workload.references,
 * rule W30, rule W32).
 */
const taken: ReadonlyMap<string, string> = new Map([
  ...['s3', 'gs', 'azureblob', 'azurefs', 'scratch', 'k8s'].map((word) => [word, 'schemes of volume URIs'] as const),
  ...['http', 'https', 'ws', 'wss', 'tcp'].map((word) => [word, 'schemes of addresses'] as const),
  ['debugger', 'reserved prefixes of container names'],
  ['gantry', 'the tags of Gantry'],
]);

/** Refuses a spelling shared by two names, which could not be read. Errors: `dialect.collision`. */
function refuseCollisions(words: Words, names: ReadonlyMap<string, string>, source: string): void {
  function refuse(message: string): never {
    throw new ToolError({
      code: 'dialect.collision',
      message: `${source}: ${message}`,
      hint: 'Each name needs a spelling of its own at its place: change the word, or give one of the two in names.',
    });
  }
  const use = taken.get(words.scheme);
  if (use !== undefined) refuse(`words.scheme is ${words.scheme}, which is taken: ${use}`);
  refuseTwice(
    neutralWords.map((word) => [word, words[word]]),
    'the words',
    refuse,
  );
  for (const nameClass of new Set([...names.keys()].map(classOf))) {
    refuseTwice(
      [...names].filter(([neutral]) => classOf(neutral) === nameClass),
      'the names',
      refuse,
    );
  }
  const { keys } = vocabularyOf(words, names);
  const kinds = Object.keys(sheets).filter(isKnownKind);
  for (const { place, fields } of kinds.flatMap((kind) => objectsIn(shapeOf(kind), kind, ''))) {
    refuseTwice(
      fields.map((name) => [name, spelledField(name, names, keys)]),
      `${place}: the fields`,
      refuse,
    );
  }
}

/** Refuses a spelling of two names, and the neutral spelling of another one. */
function refuseTwice(
  spelled: readonly (readonly [neutral: string, wire: string])[],
  what: string,
  refuse: (message: string) => never,
): void {
  const neutral = new Set(spelled.map(([name]) => name));
  const byWire = new Map<string, string>();
  for (const [name, wire] of spelled) {
    const other = byWire.get(wire) ?? (wire !== name && neutral.has(wire) ? wire : undefined);
    if (other !== undefined) refuse(`${what} ${other} and ${name} are both ${wire}`);
    byWire.set(wire, name);
  }
}

interface Declared {
  /** For messages: `workload spec.containers[]`. */
  readonly place: string;
  readonly fields: readonly string[];
}

function objectsIn(shape: Shape, kind: string, path: string): readonly Declared[] {
  switch (shape.type) {
    case 'object': {
      const below = [...shape.fields].flatMap(([name, field]) =>
        objectsIn(field, kind, path === '' ? name : `${path}.${name}`),
      );
      return [{ place: `${kind} ${path}`.trim(), fields: [...shape.fields.keys()] }, ...below];
    }
    case 'list':
      return objectsIn(shape.item, kind, `${path}[]`);
    case 'map':
      return objectsIn(shape.value, kind, `${path}.*`);
    default:
      return [];
  }
}
