/** The specification's words for an installation's own. */
export const neutralWords = ['scheme', 'proxy', 'vendor', 'tracer'] as const;
export type Word = (typeof neutralWords)[number];

/** The installation's word for each neutral one; the same word if there is no other. */
export type Words = Readonly<Record<Word, string>>;

/**
 * The spelling of one class of names. A text already in the wanted spelling stays, so conversions can be repeated, and
 * either spelling may be written: `toNeutral(toWire(x))` is `toNeutral(x)`.
 */
export interface Spelling {
  readonly toWire: (text: string) => string;
  readonly toNeutral: (text: string) => string;
}

export type Way = keyof Spelling;

function same(text: string): string {
  return text;
}

export const asWritten: Spelling = { toWire: same, toNeutral: same };

type Pair = readonly [neutral: string, wire: string];

/** `whole` names take precedence over prefixes; the spelling of a whole name is not read as a prefixed name. */
export function spelled(prefixes: readonly Pair[], whole: ReadonlyMap<string, string> = new Map()): Spelling {
  return exceptFor(whole, {
    toWire: (text) => withPrefix(text, prefixes),
    toNeutral: (text) =>
      withPrefix(
        text,
        prefixes.map(([neutral, wire]) => [wire, neutral]),
      ),
  });
}

function withPrefix(text: string, prefixes: readonly Pair[]): string {
  const pair = prefixes.find(([from]) => text.startsWith(from));
  return pair === undefined ? text : pair[1] + text.slice(pair[0].length);
}

/** The names of the dialect take precedence over its words. */
function exceptFor(whole: ReadonlyMap<string, string>, base: Spelling): Spelling {
  if (whole.size === 0) return base;
  const back = new Map([...whole].map(([neutral, wire]) => [wire, neutral]));
  return {
    toWire: (text) => whole.get(text) ?? (back.has(text) ? text : base.toWire(text)),
    toNeutral(text) {
      const name = back.get(text);
      if (name !== undefined) return name;
      const other = base.toNeutral(text);
      return whole.has(other) ? text : other;
    },
  };
}

/** Applies all spellings in order; each skips what the others translate. */
export function inTurn(...spellings: readonly Spelling[]): Spelling {
  return {
    toWire: (text) => spellings.reduce((said, { toWire }) => toWire(said), text),
    toNeutral: (text) => spellings.reduce((said, { toNeutral }) => toNeutral(said), text),
  };
}

/** A part of a name such as `proxy_grpc`, `typedProxy`, `PROXY_X` or `proxy.filters`. */
const partGrammar = /[A-Z]?[a-z][a-z0-9]*|[A-Z][A-Z0-9]*(?![a-z])/g;

/** Whether a name contains words of the neutral spelling. */
export function hasNeutralWord(name: string): boolean {
  return (name.match(partGrammar) ?? []).some((part) => neutralWords.some((word) => word === part.toLowerCase()));
}

/** Translates each part of a name that is a word, keeping its case. */
function wordsInside(words: Words, translated: readonly Word[] = neutralWords): Spelling {
  // `V2x` is not a part of `AV2x`: with such a word, no parts are searched after a capital letter.
  const capitalised = Object.values(words).every((each) => /^[a-z]{2}/.test(each));
  function renaming(pairs: readonly Pair[]): (name: string) => string {
    const images = new Map(pairs.filter(([from, to]) => from !== to));
    if (images.size === 0) return same;
    return (name) =>
      name.replace(partGrammar, (part) => {
        const image = images.get(part.toLowerCase());
        if (image === undefined || part === part.toLowerCase()) return image ?? part;
        if (part === part.toUpperCase()) return image.toUpperCase();
        return capitalised ? image.charAt(0).toUpperCase() + image.slice(1) : part;
      });
  }
  return {
    toWire: renaming(translated.map((word) => [word, words[word]])),
    toNeutral: renaming(translated.map((word) => [words[word], word])),
  };
}

/** Names by class, as their neutral spelling shows it; the rest are keys and names of types. */
const classes = {
  tags: /^scheme\//,
  headers: /^x-scheme-/,
  environment: /^SCHEME_/,
  containers: /^scheme-/,
  context: /^scheme$/,
} as const;

export type NameClass = keyof typeof classes | 'keys';

const classNames = ['tags', 'headers', 'environment', 'containers', 'context'] as const;

export function classOf(neutral: string): NameClass {
  return classNames.find((name) => classes[name].test(neutral)) ?? 'keys';
}

/**
 * The classes of names that an installation may spell differently (platform/proxy.names, platform/concepts.names,
 * platform/concepts.tags, platform/concepts.quantities).
 */
export type Vocabulary = ReturnType<typeof vocabularyOf>;

/** `names` take precedence over `words`. */
export function vocabularyOf(words: Words, names: ReadonlyMap<string, string>) {
  const { scheme } = words;
  const capital = scheme.charAt(0).toUpperCase() + scheme.slice(1);
  const ofClass = (wanted: NameClass) => new Map([...names].filter(([neutral]) => classOf(neutral) === wanted));
  const keyNames = ofClass('keys');
  const inside = wordsInside(words);
  // `httpGet.scheme` and the `scheme` of a direct port are fields of the platform itself.
  const bare = wordsInside(words, ['proxy', 'vendor', 'tracer']);
  const ofKey = (key: string) => (/^[a-z][a-z0-9]*$/.test(key) ? bare : inside);
  const keys = exceptFor(keyNames, {
    toWire: (key) => ofKey(key).toWire(key),
    toNeutral: (key) => ofKey(key).toNeutral(key),
  });
  const context = spelled([], new Map([['scheme', scheme], ...ofClass('context')]));
  const addresses = addressesWith(context);
  const tags = spelled([['scheme/', `${scheme}/`]], ofClass('tags'));
  return {
    /** Keys of JSON objects. */
    keys,
    /** Names of types and filters: `proxy.filters.http.ext_authz`, and values of `@type`. */
    types: exceptFor(keyNames, inside),
    /** For example `scheme/protected`. */
    tags,
    /** For example `x-scheme-session`; in lower case. */
    headers: spelled([['x-scheme-', `x-${scheme}-`]], ofClass('headers')),
    /** For example `SCHEME_TOKEN`; the reserved prefix matches in any case (platform/gvc, rule G4). */
    environment: spelled(
      [
        ['SCHEME_', `${scheme.toUpperCase()}_`],
        ['scheme_', `${scheme}_`],
        ['Scheme_', `${capital}_`],
      ],
      ofClass('environment'),
    ),
    /** For example `scheme-agent`. */
    containers: spelled([['scheme-', `${scheme}-`]], ofClass('containers')),
    /** The name of the audit context that every org has. */
    context,
    /** `_scheme.example.com`, which proves ownership of a domain (platform/domain.ownership). */
    hosts: spelled([
      ['_scheme.', `_${scheme}.`],
      ['_scheme-', `_${scheme}-`],
    ]),
    /** Paths, with or without a query. */
    addresses,
    /** References: `scheme://secret/x` and links; all other text stays (platform/concepts.links). */
    references: inTurn(
      spelled(
        ['secret/', 'volumeset/', 'internal/'].map((host) => [`scheme://${host}`, `${scheme}://${host}`] as const),
      ),
      addresses,
    ),
    /** Expressions over records, such as an identity matcher's: reserved tags in any quotation marks. */
    expressions: replacing(/(?<=(["'`]))[a-z][a-z0-9]*\/[\w./-]+(?=\1)/g, tags),
  };
}

/** Respells the matches of a grammar in a text. */
export function replacing(grammar: RegExp, { toWire, toNeutral }: Spelling): Spelling {
  return {
    toWire: (text) => text.replace(grammar, (found) => toWire(found)),
    toNeutral: (text) => text.replace(grammar, (found) => toNeutral(found)),
  };
}

/** A link to an audit context, or a path below it: `/org/o/auditctx/x`, `//auditctx/x`, `/audit/org/o/auditctx/x`. */
const contextPath = /(?<=^(?:https?:\/\/[^/?#]+)?(?:\/audit)?(?:\/org\/[^/?#]+|\/)\/auditctx\/)[^/?#]+/;
/** A query of an audit trail by the name of a context. */
const trailPath =
  /(?<=^(?:https?:\/\/[^/?#]+)?\/audit\/org\/[^/?#]+\/resource\/name\/)[^/?#]+(?=\?(?:[^#]*&)?resourceType=auditctx(?:&|$))/;
const contextParameter = /(?<=[?&]contextName=)[^&#]*/g;

/** The only installation-specific words in a path are the audit context that every org has (platform/audit.trail). */
function addressesWith(context: Spelling): Spelling {
  return inTurn(...[contextPath, trailPath, contextParameter].map((grammar) => replacing(grammar, context)));
}
