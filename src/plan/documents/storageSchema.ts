import type { JsonObject } from '../../schema/json/json.ts';

const gb = { type: 'number', minimum: 0 } as const;
const text = { type: 'string' } as const;

const amount = {
  type: 'object',
  required: ['gb'],
  additionalProperties: false,
  properties: {
    gb,
    cost: { type: 'number', minimum: 0, description: 'A month; absent where the price of some class is not known.' },
  },
} as const;

/** `storage` of a plan in JSON. */
export const storageSchema = {
  type: 'object',
  description: 'What the volume sets of the plan reserve; absent where that is nothing.',
  required: ['before', 'after', 'ceiling', 'sets'],
  additionalProperties: false,
  properties: {
    before: amount,
    after: amount,
    ceiling: { ...amount, description: 'If every volume grows as far as it may, and there are as many as may be.' },
    currency: { ...text, description: 'As gantry.yaml has it.' },
    atLeast: { const: true, description: 'A GVC chooses locations by a query: there may be more.' },
    sets: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'before', 'after', 'ceiling', 'concerned'],
        additionalProperties: false,
        properties: {
          id: text,
          before: gb,
          after: gb,
          ceiling: gb,
          concerned: { type: 'boolean', description: 'It is changed, or what mounts it, or its GVC.' },
        },
      },
    },
  },
} as const satisfies JsonObject;
