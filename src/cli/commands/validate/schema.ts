import type { JsonObject } from '../../../schema/json/json.ts';
import { errorMember } from '../../../schema/published/errorSchema.ts';

const text = { type: 'string' } as const;
const position = { type: 'integer', minimum: 1 } as const;

const problem = {
  type: 'object',
  required: ['file', 'line', 'column', 'rule', 'path', 'message', 'severity'],
  additionalProperties: false,
  properties: {
    file: text,
    line: position,
    column: position,
    rule: { ...text, description: 'The id of the rule: gantry rules lists them.' },
    path: { ...text, description: 'The field, empty for the whole document.' },
    message: text,
    hint: text,
    severity: { enum: ['error', 'warning'] },
    resource: { ...text, description: 'kind/[gvc/]name' },
    construct: { ...text, description: 'Of what code made: the path of its construct.' },
    callers: {
      type: 'array',
      description: 'The lines of code that called the one of the problem, from the inside out.',
      items: {
        type: 'object',
        required: ['file', 'line', 'column'],
        additionalProperties: false,
        properties: { file: text, line: position, column: position },
      },
    },
  },
} as const;

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
    problems: { type: 'array', items: problem },
    error: errorMember,
  },
} as const satisfies JsonObject;
