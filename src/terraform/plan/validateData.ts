import { queryMatches } from '../../schema/kinds/parts/common.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { attributeOf, isListValue, isObjectValue, type ObjectValue, type Value } from '../model/value.ts';

/** What is wrong with the configuration of a data source: without it something else would be read than was meant. */
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
  const match = attributeOf(query, 'match');
  const terms = attributeOf(query, 'terms');
  return [
    ...(typeof match !== 'string' || queryMatches.some((each) => each === match)
      ? []
      : [
          {
            severity: 'error' as const,
            summary: `${JSON.stringify(match)} is no way to match`,
            detail: `Use one of ${queryMatches.join(', ')}.`,
            path: ['query', 'match'],
          },
        ]),
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
