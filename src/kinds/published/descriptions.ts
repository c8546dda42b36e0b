import { type JsonObject, numberAt } from '../../base/json/json.ts';
import { workloadTypes } from '../../schema/facts/workloadTypes.ts';
import type { KnownKind } from '../../schema/record/kinds.ts';
import type { FieldWords } from '../common/words.ts';
import { secretDataWords } from '../secret/published.ts';
import { describedFields, describedSecretData } from './describedFields.ts';

/** The descriptions of the fields of a kind, by path with list items and map values as `*`. */
export function descriptionsOf(kind: KnownKind): ReadonlyMap<string, string> {
  return new Map(describedFields(kind).map(({ path, words }) => [path, descriptionOf(words)]));
}

/** The descriptions of the data of a type of secret; its own path is the empty text. */
export function descriptionsOfSecretData(type: string): ReadonlyMap<string, string> {
  return new Map([
    ['', secretDataWords[type] ?? ''],
    ...describedSecretData(type).map(({ path, words }) => [path, descriptionOf(words)] as const),
  ]);
}

/** The words of a field, with the types of workload that have it. */
export function descriptionOf(words: FieldWords | undefined): string {
  if (words === undefined) return '';
  const { only, deprecated } = words;
  const text = deprecated === true ? `Deprecated: ${words.words}` : words.words;
  return only === undefined ? text : `${text} ${onlyFor(only)}`;
}

/** The one type that the specification does not have. */
function marked(type: string): string {
  return type === 'vm' ? 'vm, an extension' : type;
}

function onlyFor(types: readonly string[]): string {
  const missing = workloadTypes.filter((type) => !types.includes(type));
  return missing.length < types.length
    ? `Not for ${missing.join(' or ')}.`
    : `Only for ${types.map(marked).join(' and ')}.`;
}

/** The bounds of a value, as sentences: `1 to 65535.`, `At most 20 items.`; empty where there are none. */
export function boundsOf(node: JsonObject): string {
  const [least, most] = [numberAt(node, 'minimum'), numberAt(node, 'maximum')];
  const [fewest, items] = [numberAt(node, 'minItems'), numberAt(node, 'maxItems')];
  const [shortest, longest] = [numberAt(node, 'minLength'), numberAt(node, 'maxLength')];
  return [
    range(least, most, ''),
    range(fewest, items, ' items'),
    // A quantity has few characters anyway; saying how many helps nobody.
    Array.isArray(node['type']) ? '' : range(shortest === 1 ? undefined : shortest, longest, ' characters'),
  ]
    .filter((text) => text !== '')
    .join(' ');
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}.`;
  if (least !== undefined) return `At least ${least}${least === 1 ? unit.replace(/s$/, '') : unit}.`;
  return most === undefined ? '' : `At most ${most}${unit}.`;
}
