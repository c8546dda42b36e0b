import { isObject, type JsonObject, listAt, stringAt } from '../../base/json/json.ts';
import type { Ref } from '../../schema/record/ref.ts';
import { parsePath } from '../../schema/shape/paths.ts';
import { fieldOf, type LiveReference } from './liveReference.ts';

type Named = Pick<LiveReference, 'ref' | 'path'>;

/** Is it a value that only the answer to a creation has? */
export function isShownOnce(reference: Named): boolean {
  const field = fieldOf(reference);
  return 'isShownOnce' in field && field.isShownOnce;
}

/**
 * Of the value of a key (`keys.pipeline.key`): what the key is for. A key has its name from the platform, so a reference
 * goes by the description. Undefined: it is another value, which the creation of the record itself shows.
 */
export function keyDescription({ path }: Named): string | undefined {
  const [list, item, field, ...more] = parsePath(path) ?? [];
  const isKey = list?.any === false && list.name === 'keys' && field?.any === false && more.length === 0;
  return isKey && item?.any === false ? item.name : undefined;
}

/** The key that is for this, as a record has it: without its value. */
export function keyFor(record: JsonObject, description: string): JsonObject | undefined {
  return listAt(record, 'keys')
    .filter(isObject)
    .find((key) => stringAt(key, 'description') === description);
}

/** Is it too late to be shown the value, because the record has been created, or the key made? */
export function wasShown(reference: Named, record: JsonObject | undefined): boolean {
  const description = keyDescription(reference);
  return record !== undefined && (description === undefined || keyFor(record, description) !== undefined);
}

/** How another value is made, when one is lost. */
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
