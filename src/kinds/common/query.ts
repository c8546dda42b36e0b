import { isObject, type JsonObject, objectAt, own, stringAt } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { querySelectors } from '../../schema/facts/queryWords.ts';
import { itemsAt, show } from '../../schema/rules/reading.ts';
import { type Report, type RuleOf, recordRules, type Subject } from '../../schema/rules/rule.ts';

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
    if (asksForExistence && hasValue) report([...pointer, 'value'], `a term with op ${show(op)} may not have a value`);
    if (!asksForExistence && !hasValue) report(pointer, `a term with op ${show(op)} needs a value`);
  }
}

/** The kind of a stored query, if it names one. */
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
