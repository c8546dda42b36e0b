import { isObject, type JsonObject, objectAt, own, stringAt } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { querySelectors } from '../../schema/facts/queryWords.ts';
import { itemsAt, show } from '../../schema/rules/reading.ts';
import { type Report, type RuleOf, recordRules, type Subject } from '../../schema/rules/rule.ts';

/** A field of a cron expression, with bounds and names for its numbers. */
interface Field {
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Minute, hour, day of month, month, day of week (0 and 7 are Sunday). Source: platform/concepts.quantities. */
const fields: readonly Field[] = [
  { from: 0, to: 59 },
  { from: 0, to: 23 },
  { from: 1, to: 31 },
  { from: 1, to: 12, names: months },
  { from: 0, to: 7, names: days },
];

const nicknames: ReadonlyMap<string, string> = new Map([
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@monthly', '0 0 1 * *'],
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
]);

/** The values that each of the five fields allows; undefined if the text is not a cron expression. */
export function parseCron(text: string): readonly ReadonlySet<number>[] | undefined {
  const trimmed = text.trim().toLowerCase();
  const parts = (nicknames.get(trimmed) ?? trimmed).split(/\s+/);
  if (parts.length !== fields.length) return undefined;
  const parsed: ReadonlySet<number>[] = [];
  for (const [index, field] of fields.entries()) {
    const values = parseField(parts[index] ?? '', field);
    if (values === undefined) return undefined;
    parsed.push(values);
  }
  return parsed;
}

function parseField(text: string, field: Field): ReadonlySet<number> | undefined {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const match = /^(?:(\*)|([a-z0-9]+)(?:-([a-z0-9]+))?)(?:\/(\d{1,3}))?$/.exec(part);
    if (match === null) return undefined;
    const [, star, first, last, stepText] = match;
    const step = stepText === undefined ? 1 : Number(stepText);
    const from = star === undefined ? parseNumber(first ?? '', field) : field.from;
    const single = last === undefined && stepText === undefined;
    const to = star === undefined && single ? from : last === undefined ? field.to : parseNumber(last, field);
    if (from === undefined || to === undefined || from > to || step < 1) return undefined;
    for (let value = from; value <= to; value += 1) if ((value - from) % step === 0) values.add(value);
  }
  return values;
}

function parseNumber(text: string, field: Field): number | undefined {
  const named = field.names?.indexOf(text) ?? -1;
  if (named >= 0) return named + field.from;
  const number = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return number >= field.from && number <= field.to ? number : undefined;
}

/** Whether a schedule fires at most once an hour, because it names only one minute. */
export function isAtMostHourly(schedule: readonly ReadonlySet<number>[]): boolean {
  return schedule[0]?.size === 1;
}

/** Letters with a meaning in RE2 after a backslash; any other letter is an error there. */
const escapes = /^[aAbBCdDfnpPQErsStvwWxz0]$/;

/**
 * Whether RE2 and this engine compile the expression alike. RE2 syntax that differs in this engine is rewritten first.
 * False for syntax that RE2 lacks (look-around, back references, unknown escapes).
 */
export function isRe2(text: string): boolean {
  if (/\(\?<?[=!]/.test(text)) return false;
  for (const [, escaped = ''] of text.matchAll(/\\(.)/gs)) {
    if (/[a-zA-Z0-9]/.test(escaped) && !escapes.test(escaped)) return false;
  }
  const rewritten = text.replace(/^\(\?[imsU]+\)/, '').replaceAll('(?P<', '(?<');
  try {
    new RegExp(rewritten);
    return true;
  } catch {
    return false;
  }
}

export const termFix = 'Give the term one of property, rel and tag, and a value unless its op is exists or !exists.';

/** Each term selects by exactly one of property, rel and tag, and has a value unless it asks for existence. */
export function checkTerms(query: JsonObject, at: Pointer, report: Report): void {
  for (const { index, value: term } of itemsAt(objectAt(query, 'spec'), 'terms')) {
    const pointer = [...at, 'spec', 'terms', index];
    const present = querySelectors.filter((name) => Object.hasOwn(term, name));
    if (present.length !== 1) {
      report(
        pointer,
        present.length === 0
          ? 'a term must have one of property, rel and tag'
          : `a term must have only one of property, rel and tag, and has ${present.join(' and ')}`,
      );
    }
    const op = stringAt(term, 'op') ?? '=';
    const asksForExistence = op === 'exists' || op === '!exists';
    const hasValue = Object.hasOwn(term, 'value');
    if (asksForExistence && hasValue) report([...pointer, 'value'], `a term with op ${show(op)} cannot have a value`);
    if (!asksForExistence && !hasValue) report(pointer, `a term with op ${show(op)} needs a value`);
  }
}

/** Checks the kind of a stored query, if it names one. */
export function checkQueryKind(query: JsonObject, kind: string, at: Pointer, report: Report): void {
  const stated = stringAt(query, 'kind');
  if (stated !== undefined && stated !== kind)
    report([...at, 'kind'], `the query must be about ${show(kind)}, not ${show(stated)}`);
}

const terms: RuleOf<Subject> = {
  id: 'query.term',
  section: 'query.terms',
  title: 'A query term has exactly one of property, rel and tag; a value unless it asks for existence.',
  severity: 'error',
  fix: termFix,
  record({ record }, report) {
    for (const field of ['memberQuery', 'targetQuery']) {
      const query = own(record, field);
      if (isObject(query)) checkTerms(query, [field], report);
    }
  },
};

export const queryRules = recordRules(['group', 'policy'], [terms]);
