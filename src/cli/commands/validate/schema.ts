import type { JsonObject } from '../../../schema/json/json.ts';
import { errorMember } from '../../../schema/published/errorSchema.ts';
import { problemSchema } from '../../answer/problemJson.ts';

/** The JSON Schema of `gantry validate -o json`. */
export const validationSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'gantry/validation.json',
  title: 'Gantry validation',
  type: 'object',
  required: ['valid', 'resources', 'problems'],
  additionalProperties: false,
  properties: {
    valid: { type: 'boolean', description: 'Without errors; warnings do not count.' },
    resources: { type: 'integer', minimum: 0 },
    problems: { type: 'array', items: problemSchema },
    error: errorMember,
  },
} as const satisfies JsonObject;
