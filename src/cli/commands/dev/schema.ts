import { planSchema } from '../../../plan/documents/planDocument.ts';
import { problemForm } from '../../../plan/documents/validationDocument.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { errorMember } from '../../../schema/published/errorSchema.ts';

const { $schema: _, $id: __, ...plan } = planSchema;

/** The JSON Schema of each line of `gantry dev -o json`. */
export const devSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'gantry/dev.json',
  title: 'A round of gantry dev',
  type: 'object',
  required: ['round', 'changed', 'milliseconds', 'problems', 'plans', 'output'],
  additionalProperties: false,
  properties: {
    round: { type: 'integer', minimum: 1 },
    changed: { type: 'array', description: 'The files that were saved.', items: { type: 'string' } },
    milliseconds: { type: 'integer', minimum: 0, description: 'From the beginning of the round to its plans.' },
    problems: { type: 'array', items: problemForm.schema },
    plans: { type: 'array', items: plan },
    output: { type: 'array', description: 'What the stack wrote, line by line.', items: { type: 'string' } },
    error: errorMember,
  },
} satisfies JsonObject;
