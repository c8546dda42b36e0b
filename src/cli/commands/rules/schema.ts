import type { JsonObject } from '../../../schema/json/json.ts';

const text = { type: 'string' } as const;

/** The JSON Schema of `gantry rules -o json`. */
export const rulesSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'gantry/rules.json',
  title: 'Gantry rules',
  type: 'array',
  items: {
    type: 'object',
    required: ['id', 'section', 'kind', 'kinds', 'severity', 'lenient', 'title', 'fix', 'keptBy'],
    additionalProperties: false,
    properties: {
      id: text,
      section: { ...text, description: 'In docs/platform/.' },
      kind: { ...text, description: 'The kinds, separated by commas.' },
      kinds: { type: 'array', items: text },
      severity: { enum: ['error', 'warning', 'behaviour', 'refusal'] },
      lenient: { type: 'boolean', description: 'gantry serve --lenient only warns.' },
      title: text,
      fix: text,
      keptBy: { ...text, description: 'check: manifests are checked against it. Otherwise what enforces it.' },
      status: { type: 'integer', description: 'Of a refusal: its HTTP status.' },
    },
  },
} as const satisfies JsonObject;
