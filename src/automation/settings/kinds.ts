import { isObject, type JsonValue } from '../../schema/json/json.ts';
import type { CustomKinds } from '../../schema/record/customKinds.ts';
import { readCustomKinds } from '../../schema/shape/readCustomKind.ts';

/** `kinds` of `gantry.yaml`. Throws what `bad` makes. */
export function parseKinds(kinds: JsonValue | undefined, bad: (message: string) => Error): CustomKinds | undefined {
  if (kinds === undefined || kinds === null) return undefined;
  if (!isObject(kinds)) throw bad('kinds must be an object such as `kinds: {widget: {scope: org}}`');
  const read = readCustomKinds(kinds);
  if (!read.ok) throw bad(`kinds.${read.message}`);
  return read.kinds;
}
