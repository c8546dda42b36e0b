import { isObject, type JsonObject, listAt, stringAt } from '../../base/json/json.ts';
import type { Ref } from '../../schema/record/ref.ts';
import { namesOfPath } from '../../schema/shape/paths.ts';
import { fieldOf, type LiveReference } from './liveReference.ts';

type Named = Pick<LiveReference, 'ref' | 'path'>;

/** Whether only the response to a creation has the value. */
export function isShownOnce(reference: Named): boolean {
  const field = fieldOf(reference);
  return 'isShownOnce' in field && field.isShownOnce;
}

/**
 * For the value of a key (`keys.pipeline.key`): the key's description. The platform chooses the names of keys, so
 * references use the description. Undefined for other values, which the creation of the record itself shows.
 */
export function keyDescription({ path }: Named): string | undefined {
  const [list, item, field] = namesOfPath(path);
  return list === 'keys' && field !== undefined ? item : undefined;
}

/** The key with this description, as a record has it: without its value. */
export function keyFor(record: JsonObject, description: string): JsonObject | undefined {
  return listAt(record, 'keys')
    .filter(isObject)
    .find((key) => stringAt(key, 'description') === description);
}

/** Whether the value was already shown, because the record or the key exists. */
export function wasShown(reference: Named, record: JsonObject | undefined): boolean {
  const description = keyDescription(reference);
  return record !== undefined && (description === undefined || keyFor(record, description) !== undefined);
}

/** How to create another value if one is lost. */
export function makeAnother(reference: Named, record: JsonObject): string {
  const { ref } = reference;
  const description = keyDescription(reference);
  if (description === undefined) return `gantry ${ref.kind} delete ${ref.name}, and apply again: that makes it anew`;
  return `${removeKey(ref, keyFor(record, description) ?? {})}, and apply again: that makes another key`;
}

/** The command that removes a key of an account. */
export function removeKey({ kind, name }: Ref, key: JsonObject): string {
  return `gantry ${kind} remove-key ${name} --key ${stringAt(key, 'name') ?? 'NAME'}`;
}
