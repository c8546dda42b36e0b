import { type Renaming, steered, swapped, unchanged } from './renaming.ts';

/** What the specification writes in place of an installation's own words. */
export const neutralWords = ['scheme', 'proxy', 'vendor', 'tracer'] as const;
export type Word = (typeof neutralWords)[number];

/** The installation's word for each neutral one; the word itself where it has no other. */
export type Words = Readonly<Record<Word, string>>;

/** It must do as a URI scheme and as a part of a header, and in capitals of an environment variable. */
export const wordGrammar = /^[a-z][a-z0-9]{1,39}$/;

/** A part of a name, as `proxy_grpc`, `typedProxy`, `PROXY_X` and `proxy.filters` have them. */
const partGrammar = /[A-Z]?[a-z][a-z0-9]*|[A-Z][A-Z0-9]*(?![a-z])/g;

/** The parts of a name, in lower case. */
function partsOf(name: string): readonly string[] {
  return (name.match(partGrammar) ?? []).map((part) => part.toLowerCase());
}

/** A name with words of the neutral spelling in it. */
export function hasNeutralWord(name: string): boolean {
  return partsOf(name).some((part) => neutralWords.some((word) => word === part));
}

/** Each part of a name that is a word, in the case that it has. */
export function wordsInside(words: Words): Renaming {
  const whole = steered(unchanged, new Map(neutralWords.map((word) => [word, words[word]])));
  const all = [...neutralWords, ...Object.values(words)];
  const known = new RegExp(all.join('|'), 'i');
  // `V2x` is not one part in `AV2x`: with such a word, none is looked for behind a capital letter.
  const capitalised = all.every((each) => /^[a-z]{2}/.test(each));
  function rename(name: string, word: (part: string) => string): string {
    if (!known.test(name)) return name;
    return name.replace(partGrammar, (part) => {
      const lower = part.toLowerCase();
      const other = word(lower);
      if (other === lower || (!capitalised && isCapitalised(part))) return part;
      return inCaseOf(part, lower, other);
    });
  }
  return { toWire: (name) => rename(name, whole.toWire), toNeutral: (name) => rename(name, whole.toNeutral) };
}

/**
 * Keys of JSON objects. A key that is the one word `scheme` is a field of the platform itself (`httpGet.scheme`, and
 * that of a direct port): it stays, and so must the installation's word for it.
 */
export function wordsInKeys(words: Words): Renaming {
  const inside = wordsInside(words);
  const others = neutralWords.filter((word) => word !== 'scheme');
  const bare = steered(unchanged, new Map(others.map((word) => [word, words[word]])));
  function isBare(key: string): boolean {
    return /^[a-z][a-z0-9]*$/.test(key);
  }
  return {
    toWire: (key) => (isBare(key) ? bare : inside).toWire(key),
    toNeutral: (key) => (isBare(key) ? bare : inside).toNeutral(key),
  };
}

function isCapitalised(part: string): boolean {
  return part !== part.toLowerCase() && part !== part.toUpperCase();
}

function inCaseOf(part: string, lower: string, word: string): string {
  if (part === lower) return word;
  if (part === part.toUpperCase()) return word.toUpperCase();
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Two whole words change places. */
export function wholeWord(neutral: string, installations: string): Renaming {
  if (neutral === installations) return unchanged;
  return swapped((name) => (name === neutral ? installations : name === installations ? neutral : name));
}
