import type { PolicyTestResult } from '../../../automation/policyTests/runPolicyTests.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { errorMember } from '../../../schema/published/errorSchema.ts';
import { problemSchema, problemToJson } from '../../answer/problemJson.ts';

/** The document of `gantry policy test -o json`. */
export function policyTestsToJson({ cases, untested }: PolicyTestResult): JsonObject {
  return {
    passed: cases.filter(({ passed }) => passed).length,
    failed: cases.filter(({ passed }) => !passed).length,
    cases: cases.map(({ test, passed, missing, unexpected, invalid }) => ({
      name: test.name,
      ...test.position,
      passed,
      missing: missing.map(({ position: { file, line, column }, ...expected }) => ({
        ...expected,
        file,
        line,
        column,
      })),
      unexpected: unexpected.map(problemToJson),
      invalid: invalid.map(problemToJson),
    })),
    untested,
  };
}

const text = { type: 'string' } as const;
const position = { type: 'integer', minimum: 1 } as const;
const place = { file: text, line: position, column: position } as const;
const count = { type: 'integer', minimum: 0 } as const;
const problems = { type: 'array', items: problemSchema } as const;

/** Its JSON Schema. */
export const policyTestsSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'gantry/policy-tests.json',
  title: 'Tests of policies',
  type: 'object',
  required: ['passed', 'failed', 'cases', 'untested'],
  additionalProperties: false,
  properties: {
    passed: count,
    failed: count,
    cases: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'file', 'line', 'column', 'passed', 'missing', 'unexpected', 'invalid'],
        additionalProperties: false,
        properties: {
          name: text,
          ...place,
          passed: { type: 'boolean' },
          missing: {
            type: 'array',
            description: 'What was expected and not found.',
            items: {
              type: 'object',
              required: ['policy', 'file', 'line', 'column'],
              additionalProperties: false,
              properties: { policy: text, resource: text, path: text, severity: text, message: text, ...place },
            },
          },
          unexpected: { ...problems, description: 'What was found and not expected.' },
          invalid: { ...problems, description: 'What is wrong with its manifests: the policies were not asked.' },
        },
      },
    },
    untested: { type: 'array', items: text, description: 'Policies of which no case expects a problem.' },
    error: errorMember,
  },
} as const satisfies JsonObject;
