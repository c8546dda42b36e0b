import { resolve } from 'node:path';
import type { JsonObject, JsonValue } from '../../base/json/json.ts';
import type { Locate } from '../../manifest/model/manifest.ts';
import type { Setting } from './setting.ts';

/** `policies` of `gantry.yaml`, as it is written: it is read when policies are asked. */
export interface WrittenPolicies {
  readonly value: JsonValue;
  /** By pointers into the whole file. */
  readonly locate: Locate;
}

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;

/** `src/policies/settings/` reads it, and says more of what is wrong. */
const schema: JsonObject = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    use: { ...texts, description: 'Policies that come along: starter, or single ids of it.' },
    files: { ...texts, description: 'Files and folders of policies as code, in place of policies/.' },
    inputs: {
      type: 'object',
      additionalProperties: text,
      description:
        'Files of the project whose content policies as code get as context.inputs, by name: JSON, YAML or text.',
    },
    timeout: { ...text, description: 'For each policy; 10s where nothing is said.' },
    memory: { type: 'integer', minimum: 64, maximum: 2048, description: 'For all policies together, in MiB.' },
    rules: {
      type: 'array',
      description: 'Policies as data.',
      items: {
        type: 'object',
        required: ['id', 'kind', 'path'],
        properties: {
          id: text,
          kind: { type: ['string', 'array'], items: text },
          path: text,
          of: { enum: ['every', 'any'] },
          when: { type: 'array', items: { type: 'object', required: ['path'] } },
          severity: { enum: ['error', 'warning'] },
          message: text,
          fix: text,
          exists: { type: 'boolean' },
          equals: {},
          in: { type: 'array', minItems: 1 },
          matches: text,
          min: { type: ['number', 'string'] },
          max: { type: ['number', 'string'] },
          not: { type: 'object' },
          any: { type: 'array', items: { type: 'object' } },
        },
        additionalProperties: false,
      },
    },
    exceptions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['policy', 'resource', 'reason', 'until'],
        additionalProperties: false,
        properties: { policy: text, resource: text, reason: text, until: { ...text, format: 'date' } },
      },
    },
  },
};

export const policies: Setting<WrittenPolicies> = {
  schema,
  read(value, at) {
    const { file, folder, locate } = at.source;
    const otherwise = { file: resolve(folder, file), line: 1, column: 1 };
    return { value, locate: locate ?? (() => otherwise) };
  },
};
