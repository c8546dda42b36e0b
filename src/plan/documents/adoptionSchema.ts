import type { JsonObject } from '../../schema/json/json.ts';

const text = { type: 'string' } as const;

/** The JSON Schema of `gantry adopt -o json`; `gantry schema adoption` prints it. */
export const adoptionSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'gantry/adoption.json',
  title: 'Gantry adoption, format 1',
  type: 'object',
  required: ['formatVersion', 'manifests', 'placeholders', 'skipped', 'files'],
  additionalProperties: false,
  properties: {
    formatVersion: { const: 1 },
    manifests: {
      type: 'array',
      items: { type: 'object', required: ['kind', 'name'] },
      description: 'Ordered by id; each as the schema of its kind has it.',
    },
    placeholders: {
      type: 'object',
      additionalProperties: { type: 'array', items: text },
      description: 'By id, the fields that hold a placeholder: the value on the platform stays (lifecycle.ignore).',
    },
    skipped: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'because'],
        additionalProperties: false,
        properties: { id: { ...text, description: 'kind/[gvc/]name' }, because: text },
      },
    },
    files: { type: 'array', items: text, description: 'That were written; empty without --out.' },
  },
} as const satisfies JsonObject;
