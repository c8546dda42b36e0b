import { longestQueryPattern } from '../../schema/decisions.ts';
import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  own,
  stringAt,
} from '../../schema/json.ts';
import { lastSegment } from '../../schema/links.ts';
import type { Problem } from '../../schema/problem.ts';
import { compilePattern } from './pattern.ts';

/** A query, read and with its defaults (protocol 3.4). */
export interface Query {
  readonly match: 'all' | 'any' | 'none';
  readonly terms: readonly Term[];
  readonly sort: { readonly by: string; readonly descending: boolean } | undefined;
  readonly links: boolean;
}

export interface Term {
  readonly op: string;
  readonly by: 'property' | 'rel' | 'tag';
  readonly key: string;
  readonly value: string | number | boolean | undefined;
  /** Of `=~`. */
  readonly pattern?: (text: string) => boolean;
}

/** What a query looks at: the fields of a record as they are shown, and the names behind its links. */
export interface Candidate {
  readonly fields: JsonObject;
  readonly gvc: string;
}

const operators = new Set(['=', '!=', '>', '>=', '<', '<=', '~', '=~', 'contains', 'exists', '!exists']);
const selectors = ['property', 'rel', 'tag'] as const;

/** Reads a query; what is wrong with it goes into `problems`. */
export function readQuery(body: JsonObject, kind: string, problems: Problem[]): Query {
  function problem(pointer: readonly (string | number)[], message: string): void {
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
  const match = own(spec, 'match') ?? 'all';
  if (match !== 'all' && match !== 'any' && match !== 'none') problem(['spec', 'match'], 'must be all, any or none');
  const listed = own(spec, 'terms');
  if (listed !== undefined && listed !== null && !isArray(listed)) problem(['spec', 'terms'], 'must be a list');

  const terms = listAt(spec, 'terms').flatMap((term, index) => {
    const read = readTerm(term, (message) => problem(['spec', 'terms', index], message));
    return read === undefined ? [] : [read];
  });
  return {
    match: match === 'any' || match === 'none' ? match : 'all',
    terms,
    sort: readSort(own(spec, 'sort'), (message) => problem(['spec', 'sort'], message)),
    links: fetch === 'links',
  };
}

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
  const chosen = selectors.filter((name) => Object.hasOwn(term, name));
  const [by] = chosen;
  const key = by === undefined ? undefined : own(term, by);
  if (by === undefined || chosen.length > 1 || typeof key !== 'string') {
    problem('needs exactly one of property, rel and tag');
    return undefined;
  }
  const op = own(term, 'op') ?? '=';
  if (typeof op !== 'string' || !operators.has(op)) {
    problem(`${JSON.stringify(op)} is no operator`);
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

export function matches(candidate: Candidate, { match, terms }: Pick<Query, 'match' | 'terms'>): boolean {
  switch (match) {
    case 'all':
      return terms.every((term) => holds(candidate, term));
    case 'any':
      return terms.length === 0 || terms.some((term) => holds(candidate, term));
    case 'none':
      return !terms.some((term) => holds(candidate, term));
  }
}

function holds(candidate: Candidate, term: Term): boolean {
  if (term.by === 'property' && term.key === '*') return everyText(candidate.fields).some((text) => test(text, term));
  return test(selected(candidate, term), term);
}

/** What a bare `~text` searches: name, description, tag keys and tag values (protocol 3.4). */
function everyText(fields: JsonObject): readonly JsonValue[] {
  const tags = objectAt(fields, 'tags');
  return [own(fields, 'name') ?? '', own(fields, 'description') ?? '', ...Object.keys(tags), ...Object.values(tags)];
}

function selected({ fields, gvc }: Candidate, { by, key }: Term): JsonValue | undefined {
  if (by === 'tag') return own(objectAt(fields, 'tags'), key);
  if (by === 'property') return propertyOf(fields, key);
  if (key === 'gvc' && gvc !== '') return gvc;
  const link = own(fields, `${key}Link`) ?? own(objectAt(fields, 'spec'), `${key}Link`) ?? hrefOf(fields, key);
  return typeof link === 'string' ? lastSegment(link) : undefined;
}

/** Where the `links` of the record lead for a `rel`. */
function hrefOf(fields: JsonObject, rel: string): JsonValue | undefined {
  const link = listAt(fields, 'links').find((each) => isObject(each) && own(each, 'rel') === rel);
  return isObject(link) ? own(link, 'href') : undefined;
}

/** Whether a query asks for what is worked out only when a record is shown. */
export function asksForStatus({ terms, sort }: Query): boolean {
  const paths = terms.filter(({ by }) => by === 'property').map(({ key }) => key);
  if (sort !== undefined) paths.push(sort.by);
  return paths.some((path) => /^(status|health|keys)(\.|$)/.test(path));
}

/** A field by its dotted path; a field whose own name has dots comes first. */
export function propertyOf(fields: JsonObject, path: string): JsonValue | undefined {
  const direct = own(fields, path);
  if (direct !== undefined) return direct;
  let value: JsonValue | undefined = fields;
  for (const part of path.split('.')) {
    if (isArray(value)) value = value[Number(part)];
    else value = isObject(value) ? own(value, part) : undefined;
  }
  return value;
}

function test(found: JsonValue | undefined, { op, value, pattern }: Term): boolean {
  const missing = found === undefined || found === null;
  if (op === 'exists') return !missing;
  if (op === '!exists') return missing;
  if (missing || value === undefined) return op === '!=';
  switch (op) {
    case '=':
      return isEqual(found, value);
    case '!=':
      return !isEqual(found, value);
    case '~':
      return textOf(found).toLowerCase().includes(String(value).toLowerCase());
    case '=~':
      return pattern?.(textOf(found)) === true;
    case 'contains':
      return isArray(found) ? found.some((item) => isEqual(item, value)) : textOf(found).includes(String(value));
    case '>':
      return order(found, value) > 0;
    case '>=':
      return order(found, value) >= 0;
    case '<':
      return order(found, value) < 0;
    default:
      return order(found, value) <= 0;
  }
}

function isEqual(found: JsonValue, value: string | number | boolean): boolean {
  return textOf(found) === String(value);
}

/** Numbers by value, times by instant whatever their zone, everything else as text (protocol 3.4). */
export function order(a: JsonValue | undefined, b: JsonValue | undefined): number {
  const [left, right] = [textOf(a ?? ''), textOf(b ?? '')];
  const [leftNumber, rightNumber] = [Number(left), Number(right)];
  const numeric = left.trim() !== '' && right.trim() !== '' && !Number.isNaN(leftNumber) && !Number.isNaN(rightNumber);
  if (numeric) return leftNumber - rightNumber;
  if (timePattern.test(left) && timePattern.test(right)) return Date.parse(left) - Date.parse(right) || 0;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** ISO 8601, as `created` is written, or a day alone. */
const timePattern = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

function textOf(value: JsonValue): string {
  return isObject(value) || isArray(value) ? JSON.stringify(value) : String(value);
}
