import { isArray, isObject, type JsonArray, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import type { Problem } from '../../schema/record/problem.ts';
import { type Directive, isReserved, parseDirective } from '../model/directive.ts';
import { inside, type Place, patchProblem } from '../model/place.ts';

/** What one object of a patch does to one list. */
export interface ListOperations {
  readonly retain?: readonly string[];
  readonly drop?: readonly string[];
  readonly patch?: readonly JsonObject[];
  readonly append?: JsonArray;
}

/** The directives that one object of a patch carries. */
export interface Directives {
  readonly drop: readonly string[];
  readonly replace: ReadonlyMap<string, JsonValue>;
  readonly lists: ReadonlyMap<string, ListOperations>;
}

/** Malformed and unknown ones become problems. */
export function readDirectives(patch: JsonObject, place: Place, problems: Problem[]): Directives {
  let drop: readonly string[] = [];
  const replace = new Map<string, JsonValue>();
  const lists = new Map<string, ListOperations>();
  for (const [key, value] of Object.entries(patch)) {
    if (!isReserved(key)) continue;
    const directive = parseDirective(key);
    if (directive?.name === '$replace') {
      replace.set(directive.field, value);
    } else if (directive?.name === '$drop-fields') {
      const names = strings(value);
      if (names === undefined) problems.push(malformed(key, 'a list of field names', place));
      else drop = names;
    } else if (directive !== undefined) {
      const operations = readOperations(directive, value);
      if (operations === undefined) problems.push(malformed(key, wanted[directive.name], place));
      else lists.set(directive.field, { ...lists.get(directive.field), ...operations });
    } else {
      const hint = 'Known are $drop, and $replace/, $drop/, $append/, $patch/ and $retain/ with the name of a field.';
      problems.push(patchProblem('patch.unknown-directive', inside(place, key), `${key} is not a directive`, hint));
    }
  }
  return { drop, replace, lists };
}

type ListWord = Exclude<Directive['name'], '$replace' | '$drop-fields'>;

const wanted: Readonly<Record<ListWord, string>> = {
  $retain: 'a list of strings that name items',
  $drop: 'a list of strings that name items',
  $patch: 'a list of objects',
  $append: 'a list of items',
};

function readOperations(directive: Directive, value: JsonValue): ListOperations | undefined {
  if (!isArray(value)) return undefined;
  if (directive.name === '$append') return { append: value };
  if (directive.name === '$patch') return value.every(isObject) ? { patch: value } : undefined;
  const names = strings(value);
  if (names === undefined) return undefined;
  return directive.name === '$retain' ? { retain: names } : { drop: names };
}

function strings(value: JsonValue): readonly string[] | undefined {
  if (!isArray(value)) return undefined;
  const texts = value.filter((item) => typeof item === 'string');
  return texts.length === value.length ? texts : undefined;
}

function malformed(key: string, form: string, place: Place): Problem {
  return patchProblem('patch.malformed', inside(place, key), `${key} takes ${form}`, `Write ${form}.`);
}
