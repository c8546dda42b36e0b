import type { JsonObject } from '../../../base/json/json.ts';

/** A reference to a schema of the document. */
export function ref(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}
