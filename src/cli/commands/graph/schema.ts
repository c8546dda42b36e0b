import type { JsonObject } from '../../../schema/json/json.ts';
import { errorMember } from '../../../schema/published/errorSchema.ts';

const text = { type: 'string' } as const;
const id = { ...text, description: 'kind/[gvc/]name' } as const;

/** The JSON Schema of `gantry graph -o json`. */
export const graphSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'gantry/graph.json',
  title: 'Gantry graph',
  type: 'object',
  required: ['nodes', 'links'],
  additionalProperties: false,
  properties: {
    nodes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'kind'],
        additionalProperties: false,
        properties: {
          id,
          kind: text,
          external: { const: true, description: 'Referred to, but not declared.' },
        },
      },
    },
    links: {
      type: 'array',
      items: {
        type: 'object',
        required: ['from', 'to', 'because', 'soft'],
        additionalProperties: false,
        properties: {
          from: id,
          to: id,
          because: { ...text, description: 'The field that refers to it, or the reason.' },
          soft: { type: 'boolean', description: 'The link does not delay the creation of what has it.' },
        },
      },
    },
    error: errorMember,
  },
} as const satisfies JsonObject;
