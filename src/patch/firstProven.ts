import type { JsonObject } from '../base/json/json.ts';

/** A patch, or undefined if there is nothing to change. */
export type Writer = () => JsonObject | undefined;

/**
 * The patch of the first writer whose patch proves; undefined where it says that nothing is to be changed. A writer is
 * asked only if those before it have failed.
 *
 * @throws {Error} `failure`, if no patch proves.
 */
export function firstProven(
  writers: readonly Writer[],
  proves: (patch: JsonObject) => boolean,
  failure: string,
): JsonObject | undefined {
  for (const write of writers) {
    const patch = write();
    if (patch === undefined || proves(patch)) return patch;
  }
  throw new Error(failure);
}
