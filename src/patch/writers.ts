import type { JsonObject } from '../base/json/json.ts';
import type { ObjectShape } from '../schema/shape/shape.ts';
import type { Writer } from './firstProven.ts';
import { replaceFields } from './write/replaceFields.ts';
import type { WriteOptions } from './write/writeOptions.ts';
import { writePatch } from './write/writePatch.ts';

/** The ways to write the patch between two records, from the smallest to the most robust. */
export function writersOf(
  shape: ObjectShape,
  live: JsonObject,
  target: JsonObject,
  options: WriteOptions,
): readonly Writer[] {
  const asGiven = (): JsonObject | undefined => writePatch(shape, live, target, options);
  if (options.directives === 'plain') return [asGiven];
  return [
    asGiven,
    ...(options.directives === 'all'
      ? [() => writePatch(shape, live, target, { ...options, directives: 'stated' })]
      : []),
    () => replaceFields(live, target),
  ];
}
