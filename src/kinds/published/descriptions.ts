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
