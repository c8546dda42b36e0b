import {
  count,
  described,
  flag,
  list,
  object,
  objectOf,
  optional,
  ordinal,
  publishedForm,
  text,
} from '../../../base/form/form.ts';
import type { JsonObject } from '../../../base/json/json.ts';
import { problemForm } from '../../../change/documents/validationDocument.ts';
import type { PolicyTestResult } from '../../../gantry/runPolicyTests.ts';
import { errorMember } from '../../../kinds/published/errorSchema.ts';

const place = { file: text, line: ordinal, column: ordinal };

const expected = object({
  policy: text,
  resource: optional(text),
  path: optional(text),
  severity: optional(text),
  message: optional(text),
  ...place,
});

/** The document of `gantry policy test -o json`. */
const policyTestsForm = object({
  passed: count,
  failed: count,
  cases: list(
    object({
      name: text,
      ...place,
      passed: flag,
      missing: described('What was expected and not found.', list(expected)),
      unexpected: described('What was found and not expected.', list(problemForm)),
      invalid: described('What is wrong with its manifests: the policies were not asked.', list(problemForm)),
    }),
  ),
  untested: described('Policies of which no case expects a problem.', list(text)),
  error: optional(objectOf(errorMember)),
});

export const policyTestsSchema: JsonObject = publishedForm('policy-tests', 'Tests of policies', policyTestsForm);

export function policyTestsToJson({ cases, untested }: PolicyTestResult): JsonObject {
  return policyTestsForm.write({
    passed: cases.filter(({ passed }) => passed).length,
    failed: cases.filter(({ passed }) => !passed).length,
    cases: cases.map(({ test: { name, position }, passed, missing, unexpected, invalid }) => ({
      name,
      ...position,
      passed,
      missing: missing.map((each) => ({ ...each, ...each.position })),
      unexpected: unexpected.map((problem) => ({ ...problem, ...problem.position })),
      invalid: invalid.map((problem) => ({ ...problem, ...problem.position })),
    })),
    untested,
  });
}
