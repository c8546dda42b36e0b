import type { AttributePath, Diagnostic } from '../../hcl/diagnostic.ts';
import { attributeOf, isListValue, isObjectValue, type ObjectValue, type Value } from '../../hcl/value.ts';
import { queryMatches, queryOrders } from '../../schema/facts/queryWords.ts';

/** The problems of the configuration of a data source: without them something else would be read than was meant. */
export function validateData(config: ObjectValue): readonly Diagnostic[] {
  return [...emptyName(config), ...queryProblems(attributeOf(config, 'query'))];
}

/** The address of a record without a name is that of the list of its kind. */
function emptyName(config: ObjectValue): readonly Diagnostic[] {
  if (attributeOf(config, 'name') !== '') return [];
  const detail = 'Say which one to read. To read several, use the data source that lists them.';
  return [{ severity: 'error', summary: 'name is empty', detail, path: ['name'] }];
}

function queryProblems(query: Value): readonly Diagnostic[] {
  if (!isObjectValue(query)) return [];
  const sort = attributeOf(query, 'sort');
  const terms = attributeOf(query, 'terms');
  return [
    ...notOneOf(attributeOf(query, 'match'), queryMatches, 'way to match', ['query', 'match']),
    ...(isObjectValue(sort)
      ? notOneOf(attributeOf(sort, 'order'), queryOrders, 'order', ['query', 'sort', 'order'])
      : []),
    ...(isListValue(terms) ? terms : []).flatMap((term, index): readonly Diagnostic[] =>
      term === null
        ? [
            {
              severity: 'error',
              summary: 'A term of the query is null',
              detail: 'Without it more would be found. Leave it out of the list if that is meant.',
              path: ['query', 'terms', index],
            },
          ]
        : [],
    ),
  ];
}

function notOneOf(value: Value, allowed: readonly string[], what: string, path: AttributePath): readonly Diagnostic[] {
  if (typeof value !== 'string' || allowed.includes(value)) return [];
  const summary = `${JSON.stringify(value)} is no ${what}`;
  return [{ severity: 'error', summary, detail: `Use one of ${allowed.join(', ')}.`, path }];
}
