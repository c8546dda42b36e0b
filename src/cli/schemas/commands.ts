import {
  choice,
  count,
  described,
  each,
  flag,
  integer,
  list,
  nullable,
  object,
  objectOf,
  optional,
  ordinal,
  publishedForm,
  text,
} from '../../base/form/form.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { sections, states } from '../../capabilities/examination.ts';
import { problemForm } from '../../change/documents/validationDocument.ts';
import type { PolicyTestResult } from '../../gantry/runPolicyTests.ts';
import { errorMember } from '../../kinds/errorSchema.ts';

export const snippetForm = object({
  kind: text,
  name: described('The name of the resource.', text),
  format: choice('ts', 'yaml'),
  file: described('The file that was written: absolute.', text),
  next: described('What to do next: lines of code for a stack in TypeScript, else commands.', list(text)),
  error: optional(objectOf(errorMember)),
});

/** The JSON Schema of `gantry add -o json`; `gantry schema snippet` prints it. */
export const snippetSchema: JsonObject = publishedForm('snippet', 'Gantry snippet', snippetForm);

export const conversionForm = object({
  manifests: list(objectOf({ type: 'object', description: 'A manifest, as gantry schema KIND describes it.' })),
  notes: described(
    'What has no counterpart, and what you have to do yourself.',
    list(object({ about: described('The object, and the path of a field in it.', text), message: text })),
  ),
  error: optional(objectOf(errorMember)),
});

/** The JSON Schema of `gantry convert -o json`; `gantry schema conversion` prints it. */
export const conversionSchema: JsonObject = publishedForm('conversion', 'Gantry conversion', conversionForm);

const id = described('kind/[gvc/]name', text);
const node = object({
  id,
  kind: text,
  external: optional(described('Referred to, but not declared.', choice(true))),
});
const link = object({
  from: id,
  to: id,
  because: described('The field that refers to it, or the reason.', text),
  soft: described('The link does not delay the creation of what has it.', flag),
});
const graph = object({ nodes: list(node), links: list(link), error: optional(objectOf(errorMember)) });

/** The JSON Schema of `gantry graph -o json`. */
export const graphSchema = publishedForm('graph', 'Gantry graph', graph);

const assumption = object({
  id: described(`Stable; it begins with its group: ${Object.keys(sections).join(', ')}.`, text),
  section: described('Of the specification, which leaves it open.', text),
  state: described(
    'holds: the platform does what is assumed. otherwise: it does not. not-asked: because says why. not-knowable: no ' +
      'question shows it.',
    choice(...states),
  ),
  assumed: described('What Gantry assumes.', text),
  otherwise: described('What Gantry does where it does not hold.', text),
  needed: described('Where it does not hold, the platform cannot be used.', flag),
  detail: optional(described('What shows it: kinds, fields and statuses.', text)),
  because: optional(described('Why there is no finding.', text)),
});

/** The document of `gantry doctor -o json`. It contains no token, and no name or value of a record. */
export const doctorForm = object({
  formatVersion: choice(1),
  gantry: described('Its version.', text),
  node: described('Its version.', text),
  platform: described('The host of the endpoint; several are separated by commas.', text),
  wrote: described('With --write: some questions were asked in a GVC that was made for them.', flag),
  remains: optional(described('That GVC, where it could not be deleted.', text)),
  clockDifference: described(
    'How many seconds the clock of the platform is ahead of the one here. Null: unknown.',
    nullable(integer),
  ),
  requests: count,
  usable: described('False: something is missing without which nothing can be planned. The exit code is 3 then.', flag),
  missing: described('The ids of that.', list(text)),
  file: optional(described('The file that was written.', text)),
  summary: each([...states], count),
  assumptions: list(assumption),
});

/** The JSON Schema of `gantry doctor -o json`; `gantry schema doctor` prints it. */
export const doctorSchema: JsonObject = publishedForm('doctor', 'Gantry doctor, format 1', doctorForm);

export const projectForm = object({
  template: text,
  folder: described('Absolute.', text),
  stack: described('The name of the stack.', text),
  files: list(
    object({
      path: described('From the folder of the project.', text),
      change: described(
        'extended: a file that was there, with what it lacked.',
        choice('created', 'extended', 'unchanged'),
      ),
    }),
  ),
  next: described('The commands to run next, in the folder of the project.', list(text)),
  error: optional(objectOf(errorMember)),
});

/** The JSON Schema of `gantry init -o json`; `gantry schema project` prints it. */
export const projectSchema: JsonObject = publishedForm('project', 'Gantry project', projectForm);

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
      invalid: described('What is wrong with its manifests: the policies were not evaluated.', list(problemForm)),
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

const rule = object({
  id: text,
  section: described('In docs/platform/.', text),
  kind: described('The kinds, separated by commas.', text),
  kinds: list(text),
  severity: choice('error', 'warning', 'behaviour', 'refusal'),
  lenient: described('gantry serve --lenient only warns.', flag),
  title: text,
  fix: text,
  keptBy: described('check: manifests are checked against it. Otherwise what enforces it.', text),
  status: optional(described('Of a refusal: its HTTP status.', integer)),
});

/** The JSON Schema of `gantry rules -o json`. */
export const rulesSchema = publishedForm('rules', 'Gantry rules', list(rule));

const server = object({ url: text, console: optional(text), error: optional(objectOf(errorMember)) });

/** The JSON Schema of `gantry serve -o json`. */
export const serverSchema = publishedForm('server', 'Gantry server', server);

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
