import type { JsonObject } from '../../../base/json/json.ts';

/** The JSON Schema of `gantry synth -o json`. */
export const manifestsSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'gantry/manifests.json',
  title: 'Gantry manifests',
  type: 'array',
  items: {
    type: 'object',
    description: 'gantry schema KIND prints the schema of a kind. Sensitive values are masked without --reveal.',
    required: ['kind', 'name'],
    properties: {
      kind: { type: 'string' },
      name: { type: 'string' },
      gvc: { type: 'string' },
      lifecycle: { type: 'object' },
    },
  },
} as const satisfies JsonObject;
