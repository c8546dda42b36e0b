import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  own,
  stringAt,
} from '../../../base/json/json.ts';
import type { Pointer } from '../../../base/json/pointer.ts';
import { suggest } from '../../../base/text/suggest.ts';
import { queryMatches, queryOperators, querySelectors } from '../../../schema/facts/queryWords.ts';
import type { Problem } from '../../../schema/record/problem.ts';
import { longestQueryPattern } from '../../http/limits.ts';

/** A parsed query with its defaults (platform/query). */
export interface Query {
  readonly match: (typeof queryMatches)[number];
  readonly terms: readonly Term[];
  readonly sort: Sort | undefined;
  readonly links: boolean;
}

/** A sort order by the dotted path of a field. */
export interface Sort {
  readonly by: string;
  readonly descending: boolean;
}

export interface Term {
  readonly op: string;
  readonly by: (typeof querySelectors)[number];
  readonly key: string;
  readonly value: string | number | boolean | undefined;
  /** Set for `=~`. */
  readonly pattern?: (text: string) => boolean;
}

const operators: ReadonlySet<string> = new Set(queryOperators);

/** Reads a query. Adds to `problems`. */
export function readQuery(body: JsonObject, kind: string, problems: Problem[]): Query {
  function problem(pointer: Pointer, message: string): void {
    problems.push({ rule: 'query.term', path: pointer.join('.'), pointer, message, severity: 'error' });
  }
  const stated = own(body, 'kind');
  if (stated !== undefined && stated !== null && stated !== kind)
    problem(['kind'], `the query is about ${JSON.stringify(stated)}, not ${kind}`);
  const fetch = own(body, 'fetch') ?? 'items';
  if (fetch !== 'items' && fetch !== 'links') problem(['fetch'], 'must be items or links');

  const stored = own(body, 'spec') ?? null;
  if (stored !== null && !isObject(stored)) problem(['spec'], 'must be an object');
  const spec = objectAt(body, 'spec');
  const given = own(spec, 'match') ?? 'all';
  const match = queryMatches.find((known) => known === given);
  if (match === undefined) problem(['spec', 'match'], 'must be all, any or none');
  const listed = own(spec, 'terms');
  if (listed !== undefined && listed !== null && !isArray(listed)) problem(['spec', 'terms'], 'must be a list');

  const terms = listAt(spec, 'terms').flatMap((term, index) => {
    const read = readTerm(term, (message) => problem(['spec', 'terms', index], message));
    return read ?? [];
  });
  return {
    match: match ?? 'all',
    terms,
    sort: readSort(own(spec, 'sort'), (message) => problem(['spec', 'sort'], message)),
    links: fetch === 'links',
  };
}

const queryMembers = ['kind', 'fetch', 'context', 'spec'] as const;
const specMembers = ['match', 'terms', 'sort'] as const;
const termMembers = ['op', ...querySelectors, 'value'] as const;
const sortMembers = ['by', 'order'] as const;
const mostUnknown = 20;

/**
 * The problems of unknown members: a mistyped condition would otherwise be ignored, and every record would match. Only
 * for queries in requests; those in records are checked with their record.
 */
export function unknownMembers(body: JsonObject): readonly Problem[] {
  const problems: Problem[] = [];
  function checkMembers(value: JsonValue | undefined, known: readonly string[], at: Pointer): void {
    if (!isObject(value)) return;
    for (const name of Object.keys(value)) {
      if (known.includes(name)) continue;
      if (problems.length >= mostUnknown) return;
      const meant = suggest(name, known);
      const fix = meant === undefined ? `known are ${known.join(', ')}` : `did you mean ${meant}?`;
      const pointer = [...at, name.slice(0, longestName)];
      const message = `is not a member of a query: ${fix}`;
      problems.push({ rule: 'query.member', path: pointer.join('.'), pointer, message, severity: 'error' });
    }
  }
  const spec = objectAt(body, 'spec');
  checkMembers(body, queryMembers, []);
  checkMembers(spec, specMembers, ['spec']);
  checkMembers(own(spec, 'sort'), sortMembers, ['spec', 'sort']);
  for (const [index, term] of listAt(spec, 'terms').entries())
    checkMembers(term, termMembers, ['spec', 'terms', index]);
  return problems;
}

const longestName = 100;

function readSort(sort: JsonValue | undefined, problem: (message: string) => void): Query['sort'] {
  if (sort === undefined || sort === null) return undefined;
  const by = isObject(sort) ? stringAt(sort, 'by') : undefined;
  const order = isObject(sort) ? (own(sort, 'order') ?? 'asc') : 'asc';
  if (by === undefined) problem('needs a field in by');
  if (order !== 'asc' && order !== 'desc') problem('order must be asc or desc');
  return by === undefined ? undefined : { by, descending: order === 'desc' };
}

function readTerm(term: JsonValue, problem: (message: string) => void): Term | undefined {
  if (!isObject(term)) {
    problem('must be an object');
    return undefined;
  }
  const chosen = querySelectors.filter((name) => Object.hasOwn(term, name));
  const [by] = chosen;
  const key = by === undefined ? undefined : own(term, by);
  if (by === undefined || chosen.length > 1 || typeof key !== 'string') {
    problem('needs exactly one of property, rel and tag');
    return undefined;
  }
  const op = own(term, 'op') ?? '=';
  if (typeof op !== 'string' || !operators.has(op)) {
    problem(`${JSON.stringify(op)} is not an operator`);
    return undefined;
  }
  const value = own(term, 'value') ?? undefined;
  if (isObject(value) || isArray(value)) {
    problem('value must be text, a number or a boolean');
    return undefined;
  }
  if (op !== 'exists' && op !== '!exists' && value === undefined) {
    problem(`the operator ${op} needs a value`);
    return undefined;
  }
  if (op !== '=~') return { op, by, key, value };
  const pattern = String(value).length > longestQueryPattern ? undefined : compilePattern(String(value));
  if (pattern !== undefined) return { op, by, key, value, pattern };
  problem('the regular expression cannot be used');
  return undefined;
}

/**
 * Regular expressions of queries, whose time is bounded by the size of text and pattern: those of JavaScript can take
 * exponential time, and clients may send any. Supports literals, `.`, classes, `^`, `$`, groups, `|`, and the
 * repetitions `* + ? {n} {n,} {n,m}`; no back-references and no look-around.
 */

interface CharacterTest {
  readonly test: (character: string) => boolean;
  readonly next: number;
}
/** A state that consumes a character, branches, matches an edge of the text, or accepts. */
type State =
  | { readonly is: 'character'; readonly of: CharacterTest }
  | { readonly is: 'fork'; readonly next: readonly number[] }
  | { readonly is: 'edge'; readonly edge: 'start' | 'end'; readonly next: number }
  | { readonly is: 'match' };

/** Adds its states before the state `next`, and returns its first one. */
type Node = (states: State[], next: number) => number;

/** The characters besides punctuation that may follow a backslash. */
const escapes = /^[dDwWsStnrfv]$/;
const mostStates = 1000;

/** Returns a function that searches a text for the pattern, or undefined if the pattern is invalid. */
export function compilePattern(source: string): ((text: string) => boolean) | undefined {
  const reader = new PatternReader(source);
  try {
    const node = reader.whole();
    const states: State[] = [{ is: 'match' }];
    const first = node(states, 0);
    return (text) => search(states, first, text);
  } catch (error) {
    if (error instanceof PatternError) return undefined;
    throw error;
  }
}

class PatternError extends Error {}

function add(states: State[], state: State): number {
  if (states.length >= mostStates) throw new PatternError('too large');
  return states.push(state) - 1;
}

class PatternReader {
  readonly #characters: readonly string[];
  #at = 0;
  #copies = 0;

  constructor(source: string) {
    this.#characters = [...source];
  }

  whole(): Node {
    const node = this.#alternatives();
    if (this.#at < this.#characters.length) throw new PatternError('an unmatched )');
    return node;
  }

  #peek(): string {
    return this.#characters[this.#at] ?? '';
  }

  #take(): string {
    const character = this.#peek();
    if (character === '') throw new PatternError('it ends unexpectedly');
    this.#at += 1;
    return character;
  }

  #alternatives(): Node {
    const alternatives = [this.#sequence()];
    while (this.#peek() === '|') {
      this.#take();
      alternatives.push(this.#sequence());
    }
    const [only] = alternatives;
    if (alternatives.length === 1 && only !== undefined) return only;
    return (states, next) => add(states, { is: 'fork', next: alternatives.map((way) => way(states, next)) });
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (!['', '|', ')'].includes(this.#peek())) parts.push(this.#repeated(this.#atom()));
    return (states, next) => parts.reduceRight((after, part) => part(states, after), next);
  }

  #repeated(node: Node): Node {
    const bounds = this.#bounds();
    if (bounds === undefined) return node;
    if (this.#peek() === '?') this.#take(); // lazy or greedy: the result is the same
    const [least, most] = bounds;
    return (states, next) => {
      let first = most === undefined ? loop(states, node, next) : next;
      for (let count = least; most !== undefined && count < most; count += 1) {
        first = add(states, { is: 'fork', next: [this.#copy(node, states, first), next] });
      }
      for (let count = 0; count < least; count += 1) first = this.#copy(node, states, first);
      return first;
    };
  }

  /** Counts each copy towards the limit, because copies of an empty part add no states. */
  #copy(node: Node, states: State[], next: number): number {
    this.#copies += 1;
    if (this.#copies > mostStates) throw new PatternError('too large');
    return node(states, next);
  }

  /** Returns undefined if there is no repetition. */
  #bounds(): readonly [number, number | undefined] | undefined {
    const rest = this.#characters.slice(this.#at, this.#at + 12).join('');
    const [text = '', sign, from, comma, to] = /^(?:([*+?])|\{(\d{1,4})(,)?(\d{1,4})?\})/.exec(rest) ?? [];
    if (text === '') return undefined;
    this.#at += text.length;
    if (sign !== undefined) return [sign === '+' ? 1 : 0, sign === '?' ? 1 : undefined];
    const least = Number(from);
    if (comma === undefined) return [least, least];
    if (to !== undefined && Number(to) < least) throw new PatternError('bounds in the wrong order');
    return [least, to === undefined ? undefined : Number(to)];
  }

  #atom(): Node {
    const character = this.#take();
    switch (character) {
      case '(':
        return this.#group();
      case '[':
        return characterClass(this.#class());
      case '\\':
        return characterClass(this.#escape());
      case '.':
        return characterClass('.');
      case '^':
      case '$':
        return edge(character === '^' ? 'start' : 'end');
      case '*':
      case '+':
      case '?':
      case '{':
        throw new PatternError('nothing to repeat');
      default:
        return (states, next) => add(states, { is: 'character', of: { test: (given) => given === character, next } });
    }
  }

  #group(): Node {
    if (this.#peek() === '?') {
      this.#take();
      if (this.#take() !== ':') throw new PatternError('only (?: is known');
    }
    const node = this.#alternatives();
    if (this.#take() !== ')') throw new PatternError('an unmatched (');
    return node;
  }

  #escape(): string {
    const character = this.#take();
    if (/^[a-z0-9]$/i.test(character) && !escapes.test(character)) throw new PatternError('an unknown escape');
    // In JavaScript only few characters may follow a backslash, and fewer outside a class.
    return escapes.test(character) ? `\\${character}` : `\\u{${character.codePointAt(0)?.toString(16)}}`;
  }

  #class(): string {
    let text = '[';
    if (this.#peek() === '^') text += this.#take();
    while (this.#peek() !== ']') {
      const character = this.#take();
      text += character === '\\' ? this.#escape() : character;
    }
    return text + this.#take();
  }
}

/** Repeats zero or more times. The branch is created first, so that the part can lead back to it. */
function loop(states: State[], node: Node, next: number): number {
  const fork = add(states, { is: 'match' });
  states[fork] = { is: 'fork', next: [node(states, fork), next] };
  return fork;
}

function edge(which: 'start' | 'end'): Node {
  return (states, next) => add(states, { is: 'edge', edge: which, next });
}

/** One character of a class, which a regular expression of JavaScript matches in constant time. */
function characterClass(text: string): Node {
  let expression: RegExp;
  try {
    expression = new RegExp(`^${text}$`, 'su');
  } catch {
    throw new PatternError('an invalid character class');
  }
  return (states, next) => add(states, { is: 'character', of: { test: (given) => expression.test(given), next } });
}

/** Simulates all states together, character by character. */
function search(states: readonly State[], first: number, text: string): boolean {
  const characters = [...text];
  /** Adds a state and all states reachable without a character; true if the accepting one is among them. */
  function addReachable(state: number, into: Set<number>, at: number): boolean {
    const waiting = [state];
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      if (into.has(index)) continue;
      into.add(index);
      const found = states[index];
      if (found?.is === 'match') return true;
      if (found?.is === 'fork') waiting.push(...found.next);
      if (found?.is === 'edge' && at === (found.edge === 'start' ? 0 : characters.length)) waiting.push(found.next);
    }
    return false;
  }
  let current = new Set<number>();
  for (let at = 0; at <= characters.length; at += 1) {
    if (addReachable(first, current, at)) return true;
    const character = characters[at];
    if (character === undefined) return false;
    const following = new Set<number>();
    for (const index of current) {
      const state = states[index];
      if (state?.is !== 'character' || !state.of.test(character)) continue;
      if (addReachable(state.of.next, following, at + 1)) return true;
    }
    current = following;
  }
  return false;
}
