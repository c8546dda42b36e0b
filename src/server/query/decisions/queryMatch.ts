import { fieldIn, isArray, isObject, type JsonObject, type JsonValue, objectAt, own } from '../../../base/json/json.ts';
import { hrefOf } from '../../../schema/record/hrefOf.ts';
import { lastSegment } from '../../../schema/record/ref.ts';
import { longestMatchedText } from '../../http/limits.ts';
import type { Query, Sort, Term } from './query.ts';

/** The input of a query: the shown fields of a record, and the names of its links. */
export interface Candidate {
  readonly fields: JsonObject;
  readonly gvc: string;
}

/** Whether the record matches the query (platform/query.terms). */
export function matches(candidate: Candidate, { match, terms }: Pick<Query, 'match' | 'terms'>): boolean {
  switch (match) {
    case 'all':
      return terms.every((term) => matchesTerm(candidate, term));
    case 'any':
      return terms.length === 0 || terms.some((term) => matchesTerm(candidate, term));
    case 'none':
      return !terms.some((term) => matchesTerm(candidate, term));
  }
}

function matchesTerm(candidate: Candidate, term: Term): boolean {
  if (term.by === 'property' && term.key === '*')
    return searchableTexts(candidate.fields).some((text) => testValue(text, term));
  return testValue(selectedValue(candidate, term), term);
}

/** The fields that a plain `~text` searches: name, description, tag keys and tag values (platform/query). */
function searchableTexts(fields: JsonObject): readonly JsonValue[] {
  const tags = objectAt(fields, 'tags');
  return [own(fields, 'name') ?? '', own(fields, 'description') ?? '', ...Object.keys(tags), ...Object.values(tags)];
}

function selectedValue({ fields, gvc }: Candidate, { by, key }: Term): JsonValue | undefined {
  if (by === 'tag') return own(objectAt(fields, 'tags'), key);
  if (by === 'property') return propertyOf(fields, key);
  if (key === 'gvc' && gvc !== '') return gvc;
  const link = own(fields, `${key}Link`) ?? own(objectAt(fields, 'spec'), `${key}Link`) ?? hrefOf(fields, key);
  return typeof link === 'string' ? lastSegment(link) : undefined;
}

/** The matches in the order of the query. `fieldsOf` returns the shown fields. */
export function sortedBy<T>(
  found: readonly T[],
  { by, descending }: Sort,
  fieldsOf: (one: T) => JsonObject,
): readonly T[] {
  const keyed = found.map((one) => ({ one, key: sortKeyOfText(sortText(fieldsOf(one), by)) }));
  return keyed.toSorted((a, b) => compareKeys(a.key, b.key, { descending })).map(({ one }) => one);
}

/** The sort key of a field, computed once because each is compared with many others. */
export interface SortKey {
  readonly text: string;
  readonly number: number;
  /** Milliseconds since 1970; NaN for text that is not a time. */
  readonly timeMs: number;
}

/** The text of a field; empty if it is missing. */
export function sortText(fields: JsonObject, by: string): string {
  return textOf(propertyOf(fields, by) ?? '');
}

/**
 * Orders missing values first, then numbers, times and other texts. Comparing across types would not be transitive (`2
 * < 10`, `10 < 9a`, `9a < 2x`).
 */
export function compareKeys(a: SortKey, b: SortKey, { descending }: Pick<Sort, 'descending'>): number {
  const ascending = rankOf(a) - rankOf(b) || compared(a, b);
  return descending ? -ascending : ascending;
}

function rankOf({ text, number, timeMs }: SortKey): number {
  if (text === '') return 0;
  if (!Number.isNaN(number)) return 1;
  return Number.isNaN(timeMs) ? 3 : 2;
}

/** Whether a query needs fields that are computed only when a record is shown. */
export function needsStatus({ terms, sort }: Query): boolean {
  const paths = terms.filter(({ by }) => by === 'property').map(({ key }) => key);
  if (sort !== undefined) paths.push(sort.by);
  return paths.some((path) => /^(status|health|keys)(\.|$)/.test(path));
}

/** Finds a field by its dotted path. A field whose name contains the dots takes precedence. */
function propertyOf(fields: JsonObject, path: string): JsonValue | undefined {
  const direct = own(fields, path);
  if (direct !== undefined) return direct;
  let value: JsonValue | undefined = fields;
  for (const part of path.split('.')) {
    if (isArray(value)) value = value[Number(part)];
    else value = fieldIn(value, part);
  }
  return value;
}

function testValue(found: JsonValue | undefined, { op, value, pattern }: Term): boolean {
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
      return pattern?.(textOf(found).slice(0, longestMatchedText)) === true;
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

function order(a: JsonValue, b: JsonValue): number {
  return compared(keyOf(a), keyOf(b));
}

/** Compares numbers by value, times by instant, everything else as text (platform/query). */
function compared(a: SortKey, b: SortKey): number {
  if (!Number.isNaN(a.number) && !Number.isNaN(b.number)) return a.number - b.number;
  if (!Number.isNaN(a.timeMs) && !Number.isNaN(b.timeMs)) return a.timeMs - b.timeMs;
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}

function keyOf(value: JsonValue): SortKey {
  return sortKeyOfText(textOf(value));
}

export function sortKeyOfText(text: string): SortKey {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return { text, number, timeMs: timePattern.test(text) ? Date.parse(text) : Number.NaN };
}

/** ISO 8601 as in `created`, or only a date. */
const timePattern = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

function textOf(value: JsonValue): string {
  return isObject(value) || isArray(value) ? JSON.stringify(value) : String(value);
}
