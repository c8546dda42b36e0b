import type { JsonObject } from '../base/json/json.ts';

const text = { type: 'string' } as const;
const position = { type: 'integer', minimum: 1 } as const;

const cause = {
  code: { ...text, description: 'Stable and dotted, for scripts: plan.stale, settings.file, the id of a rule, ...' },
  message: text,
  hint: { ...text, description: 'What can be done about it.' },
  resource: { ...text, description: 'kind/[gvc/]name' },
  place: {
    type: 'object',
    required: ['file'],
    additionalProperties: false,
    properties: { file: text, line: position, column: position },
  },
} as const;

/** The member `error`, which a document has exactly when the command failed. */
export const errorMember = {
  type: 'object',
  required: ['code', 'message', 'retry'],
  additionalProperties: false,
  properties: {
    ...cause,
    causes: {
      type: 'array',
      description: 'What it sums up: the problems of a manifest, the refusals of a plan, the changes that failed.',
      items: {
        type: 'object',
        required: ['code', 'message'],
        additionalProperties: false,
        properties: {
          ...cause,
          construct: { ...text, description: 'Of what code made: the path of its construct.' },
          callers: {
            type: 'array',
            description: 'The lines of code that called the one at `place`, from the inside out.',
            items: cause.place,
          },
        },
      },
    },
    retry: {
      enum: ['no', 'plan-again', 'run-again', 'later'],
      description:
        'plan-again: make a new plan; run-again: the same command goes on; ' +
        'later: the same command, when the platform answers.',
    },
  },
} as const;

/**
 * The JSON Schema of the output of a failed command with `-o json`. The result, if there is one, is a sibling of the
 * error.
 */
export const errorSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'gantry/error.json',
  title: 'Gantry error',
  type: 'object',
  required: ['error'],
  properties: { error: errorMember },
} as const satisfies JsonObject;
