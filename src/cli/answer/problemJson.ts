import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { JsonObject } from '../../schema/json/json.ts';

/** A problem for programs. */
export function problemToJson({
  position,
  rule,
  path,
  message,
  hint,
  severity,
  resource,
  construct,
  callers,
}: LocatedProblem): JsonObject {
  return {
    ...position,
    rule,
    path,
    message,
    ...(hint === undefined ? {} : { hint }),
    severity,
    ...(resource === undefined ? {} : { resource }),
    ...(construct === undefined ? {} : { construct }),
    ...(callers === undefined ? {} : { callers: callers.map((caller) => ({ ...caller })) }),
  };
}

const text = { type: 'string' } as const;
const position = { type: 'integer', minimum: 1 } as const;

export const problemSchema = {
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
