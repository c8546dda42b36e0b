import { ToolError } from '../errors/toolError.ts';
import { isObject, type JsonObject, type JsonValue, own } from '../schema/json/json.ts';
import { available } from '../schema/text/suggestion.ts';
import { refuseCollisions } from './collisions.ts';
import { type Dialect, makeDialect } from './dialect.ts';
import { classOf, type NameClass } from './words/vocabulary.ts';
import { neutralWords, type Word, type Words, wordGrammar } from './words/words.ts';

/**
 * A dialect out of `{words: {scheme, proxy, vendor, tracer}, names: {neutral: installation's}}`; both parts, and each
 * word, may be left out. `source` is for messages.
 *
 * Errors: `dialect.file`, `dialect.word`, `dialect.name`, `dialect.collision`.
 */
export function readDialect(parsed: unknown, source: string): Dialect {
  const file = parsed ?? {};
  if (!isObject(file)) throw bad(source, 'file', 'it must hold words and names');
  const stranger = Object.keys(file).find((key) => key !== 'words' && key !== 'names');
  if (stranger !== undefined) {
    throw bad(source, 'file', `there is no ${JSON.stringify(stranger)} in a dialect. Available: words, names.`);
  }
  const words = readWords(partOf(file, 'words', source), source);
  const names = readNames(partOf(file, 'names', source), source);
  refuseCollisions(words, names, source);
  return makeDialect(words, names);
}

function partOf(file: JsonObject, key: string, source: string): JsonObject {
  const part = own(file, key) ?? {};
  if (isObject(part)) return part;
  throw bad(source, 'file', `${key} must be a map of names`);
}

function readWords(part: JsonObject, source: string): Words {
  const stranger = Object.keys(part).find((key) => !neutralWords.some((word) => word === key));
  if (stranger !== undefined) {
    throw bad(source, 'word', `${JSON.stringify(stranger)} is not a neutral word. ${available(neutralWords)}`);
  }
  const word = (name: Word): string => {
    const value = own(part, name) ?? name;
    if (typeof value === 'string' && wordGrammar.test(value)) return value;
    throw bad(
      source,
      'word',
      `words.${name} is ${shown(value)}; a word has 2 to 40 lower-case letters and digits, and begins with a letter`,
    );
  };
  return { scheme: word('scheme'), proxy: word('proxy'), vendor: word('vendor'), tracer: word('tracer') };
}

const nameGrammar = /^[\w@.:/-]{1,200}$/;

/** What the installation's spelling must look like, by the class of the name. */
const grammars: Readonly<Record<NameClass, RegExp>> = {
  keys: nameGrammar,
  tags: nameGrammar,
  headers: /^[a-z0-9-]{1,200}$/,
  environment: /^[A-Za-z_]\w{0,199}$/,
  containers: /^[a-z][-a-z0-9]{0,62}$/,
  context: /^[a-z][-a-z0-9]{0,62}$/,
};
/** A field stays a field: a path with its name can be read apart. */
const fieldGrammar = /^[A-Za-z_@][\w@]*$/;

function readNames(part: JsonObject, source: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [neutral, value] of Object.entries(part)) {
    const nameClass = classOf(neutral);
    const grammar = nameClass === 'keys' && fieldGrammar.test(neutral) ? fieldGrammar : grammars[nameClass];
    if (!nameGrammar.test(neutral) || typeof value !== 'string' || !grammar.test(value)) {
      throw bad(
        source,
        'name',
        `names says that ${shown(neutral)} is called ${shown(value)}, which cannot be such a name`,
      );
    }
    names.set(neutral, value);
  }
  return names;
}

function shown(value: JsonValue): string {
  return JSON.stringify(value);
}

function bad(source: string, what: 'file' | 'word' | 'name', message: string): ToolError {
  return new ToolError({
    code: `dialect.${what}`,
    message: `${source}: ${message}`,
    hint: 'A dialect is for example `words: {scheme: acme}` and `names: {proxy_grpc: acme_grpc}`.',
  });
}
