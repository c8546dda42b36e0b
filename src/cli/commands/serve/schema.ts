import type { JsonObject } from '../../../schema/json/json.ts';
import { errorMember } from '../../../schema/published/errorSchema.ts';

/** The JSON Schema of `gantry serve -o json`. */
export const serverSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'gantry/server.json',
  title: 'Gantry server',
  type: 'object',
  required: ['url'],
  additionalProperties: false,
  properties: { url: { type: 'string' }, error: errorMember },
} as const satisfies JsonObject;
