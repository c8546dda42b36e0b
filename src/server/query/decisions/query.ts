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
import type { Problem } from '../../../schema/record/problem.ts';
import { longestQueryPattern } from '../../http/limits.ts';
import { compilePattern } from './pattern.ts';

/** A parsed query with its defaults (platform/query). */
export interface Query {
  readonly match: 'all' | 'any' | 'none';
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
  readonly by: 'property' | 'rel' | 'tag';
  readonly key: string;
  readonly value: string | number | boolean | undefined;
  /** For `=~`. */
  readonly pattern?: (text: string) => boolean;
}

const operators = new Set(['=', '!=', '>', '>=', '<', '<=', '~', '=~', 'contains', 'exists', '!exists']);
const selectors = ['property', 'rel', 'tag'] as const;

/** Reads a query; adds to `problems`. */
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

const queryMembers = ['kind', 'fetch', 'context', 'spec'] as const;
const specMembers = ['match', 'terms', 'sort'] as const;
const termMembers = ['op', ...selectors, 'value'] as const;
const sortMembers = ['by', 'order'] as const;
const mostUnknown = 20;

/**
 * Unknown members: a mistyped condition would otherwise be ignored, and every record would match. Only for queries in
 * requests; those in records are checked with their record.
 */
export function unknownMembers(body: JsonObject): readonly Problem[] {
  const problems: Problem[] = [];
  function look(value: JsonValue | undefined, known: readonly string[], at: Pointer): void {
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
  look(body, queryMembers, []);
  look(spec, specMembers, ['spec']);
  look(own(spec, 'sort'), sortMembers, ['spec', 'sort']);
  for (const [index, term] of listAt(spec, 'terms').entries()) look(term, termMembers, ['spec', 'terms', index]);
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
  const chosen = selectors.filter((name) => Object.hasOwn(term, name));
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
