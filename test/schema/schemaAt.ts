import { type JsonSchema, recordSchema } from '../../src/kinds/jsonSchema.ts';
import type { KnownKind } from '../../src/schema/record/kinds.ts';

/** The JSON Schema of a field. Paths: `[]` for the items of a list, `{}` for the values of a map. */
export function schemaAt(kind: KnownKind, path: string): JsonSchema {
  return path.split(/(?=\[\])|(?=\{\})|\./).reduce((schema: JsonSchema, step): JsonSchema => {
    if (step === '[]') return Object(schema['items']);
    if (step === '{}') return Object(schema['additionalProperties']);
    return Object(Object(schema['properties'])[step]);
  }, recordSchema(kind));
}
