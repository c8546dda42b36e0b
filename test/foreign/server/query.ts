import { isObject, type Json, type JsonObject, textOf } from './json.ts';
import type { On, Shown } from './present.ts';

/** Whether a query in the form of section 2.2 selects the record. Its one operator is `=`; `exists` is known too. */
export function matches(record: Shown, query: JsonObject, on: On): boolean | { readonly refused: string } {
  if (on('query-all-terms')) return true;
  const spec = isObject(query['spec']) ? query['spec'] : {};
  const terms = Array.isArray(spec['terms']) ? spec['terms'].filter(isObject) : [];
  const answers: boolean[] = [];
  for (const term of terms) {
    const op = textOf(term['op']) || '=';
    if (op !== '=' && on('query-ignores-unknown')) continue;
    if (op !== '=' && (op !== 'exists' || on('query-equals-only'))) return { refused: `unknown operator ${op}` };
    const tags = isObject(record.body['tags']) ? record.body['tags'] : {};
    const value = term['tag'] === undefined ? propertyOf(record, textOf(term['property'])) : tags[textOf(term['tag'])];
    answers.push(value !== undefined && (op === 'exists' || String(value) === String(term['value'])));
  }
  const match = textOf(spec['match']) || 'all';
  if (match === 'none') return !answers.includes(true);
  return match === 'any' ? answers.includes(true) : !answers.includes(false);
}

function propertyOf(record: Shown, property: string): Json | undefined {
  if (property === 'name') return record.name;
  if (property === 'id') return record.id;
  let value: Json | undefined = record.body;
  for (const key of property.split('.')) value = isObject(value) ? value[key] : undefined;
  return value;
}
