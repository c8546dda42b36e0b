import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  At,
  converted,
  json,
  list,
  name,
  object,
  optional,
  optionals,
  type Reader,
  sentenceOf,
  tryRead,
} from '../base/form/read.ts';
import { isObject, type JsonObject, type JsonValue } from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { present } from '../base/json/present.ts';
import { compareText } from '../base/text/compareText.ts';
import { available, suggestion } from '../base/text/suggestion.ts';
import { ToolError } from '../base/toolError.ts';
import { fileProblem, formatPosition, type LocatedProblem } from '../manifest/model/locatedProblem.ts';
import type { DesiredResource, Locate, ManifestDocument, Position } from '../manifest/model/manifest.ts';
import type { Plan } from '../plan/model/plan.ts';
import { policyOf } from '../policies/rules/verdict.ts';
import { usualFolder } from '../policies/sandbox/findPolicyFiles.ts';
import { openPolicies } from '../policies/sandbox/openPolicies.ts';
import type { ProjectPolicies } from '../policies/sandbox/projectPolicies.ts';
import { readDataFile } from '../project/files/dataFile.ts';
import { whenMissing } from '../project/files/exists.ts';
import { displayPath, systemReason } from '../project/files/fileRefusal.ts';
import { fileSizes } from '../project/files/sizes.ts';
import { embeddedOrg } from '../project/platform/platform.ts';
import type { Session } from '../project/session/session.ts';
import { openProject } from '../project/settings/project.ts';
import { ConcurrentCheck } from './loading/loadStack.ts';
import { openGantry } from './openGantry.ts';

/** A problem that a case expects of the policies; omitted members match anything. */
interface ExpectedProblem {
  readonly policy: string;
  readonly resource?: string;
  readonly path?: string;
  readonly severity?: string;
  readonly message?: string;
  readonly position: Position;
}

interface TestCase {
  readonly name: string;
  readonly position: Position;
  /** The time that policies see; undefined: the present time. */
  readonly now: string | undefined;
  readonly manifests: readonly ManifestDocument[];
  /** The live records before it; with them the policies also judge the plan. */
  readonly live: readonly ManifestDocument[] | undefined;
  readonly expected: readonly ExpectedProblem[];
}

/** A file of tests: `policies/NAME.test.yaml`. */
interface TestFile {
  /** The displayed name. */
  readonly file: string;
  /** The policies whose problems count; undefined: all. */
  readonly policies: readonly string[] | undefined;
  readonly cases: readonly TestCase[];
}

export interface CaseResult extends ProblemComparison {
  readonly file: string;
  readonly test: TestCase;
  /** Problems of its manifests: the policies were not evaluated. */
  readonly invalid: readonly LocatedProblem[];
  readonly passed: boolean;
}

export interface PolicyTestResult {
  readonly cases: readonly CaseResult[];
  /** Policies for which no case expects a problem: it is not known whether they work. */
  readonly untested: readonly string[];
}

/**
 * Evaluates the policies of the project on the cases of test files: `policies/*.test.yaml`, or the named files.
 *
 * Errors: `policies.no-tests`, `policies.test-file`, `policies.none` if the project has no policies, and
 * `policies.failed` if one of them fails.
 */
export async function runPolicyTests(session: Session, paths: readonly string[]): Promise<PolicyTestResult> {
  const project = await openProject(session, []);
  const policies = await openPolicies(session, project);
  if (policies === undefined) throw noPolicies(project.folder);
  const found = await testFilesAt(paths.length === 0 ? [join(project.folder, usualFolder)] : paths, session.cwd);
  const files = await Promise.all(found.map((path) => readTestFile(path, session.cwd)));
  const org = project.settings.org ?? embeddedOrg;
  const prepared = [];
  for (const file of files) for (const test of file.cases) prepared.push(await prepare(file, test, org, session));
  return judgeCases(prepared, files, policies);
}

interface Prepared {
  readonly file: TestFile;
  readonly test: TestCase;
  readonly invalid: readonly LocatedProblem[];
  readonly desired: readonly DesiredResource[];
  readonly plan: Plan | undefined;
}

async function prepare(file: TestFile, test: TestCase, org: string, session: Session): Promise<Prepared> {
  const { resources, problems } = await new ConcurrentCheck({ org }).checkAll(test.manifests);
  const before = await new ConcurrentCheck({ org }).checkAll(test.live ?? []);
  const invalid = [...problems, ...before.problems].filter(({ severity }) => severity === 'error');
  if (invalid.length > 0) return { file, test, invalid, desired: [], plan: undefined };
  const { live } = test;
  if (live === undefined) return { file, test, invalid, desired: resources, plan: undefined };
  const plan = await planFromLive(valuesOf(live), valuesOf(test.manifests), { org, session });
  return { file, test, invalid, desired: resources, plan };
}

function valuesOf(documents: readonly ManifestDocument[]): readonly JsonObject[] {
  return documents.map(({ value }) => value).filter(isObject);
}

async function judgeCases(
  prepared: readonly Prepared[],
  files: readonly TestFile[],
  policies: ProjectPolicies,
): Promise<PolicyTestResult> {
  const verdicts = await policies.judgeAll(
    prepared.map(({ desired, plan, test: { now } }) => ({
      desired,
      isTest: true,
      ...present({ plan, now }),
    })),
  );
  const known = verdicts[0]?.policies ?? [];
  const unanswered = (verdicts[0]?.problems ?? []).filter(({ rule }) => policyOf(rule) === undefined);
  if (unanswered.length > 0) throw problemsError(unanswered);
  const unknown = files.flatMap((file) => [...unknownPolicies(file, known), ...uncountedPolicies(file)]);
  if (unknown.length > 0) throw problemsError(unknown);
  const cases = prepared.map(({ file, test, invalid }, index): CaseResult => {
    const problems = verdicts[index]?.problems ?? [];
    const counted = problems.filter(({ rule }) => file.policies?.includes(policyOf(rule) ?? '') !== false);
    const result = invalid.length > 0 ? { missing: [], unexpected: [] } : compare(test.expected, counted);
    const passed = invalid.length + result.missing.length + result.unexpected.length === 0;
    return { ...result, file: file.file, test, invalid, passed };
  });
  return { cases, untested: untestedOf(files, known) };
}

function untestedOf(files: readonly TestFile[], known: readonly string[]): readonly string[] {
  const tried = new Set(
    files.flatMap(({ cases }) => cases.flatMap(({ expected }) => expected.map(({ policy }) => policy))),
  );
  const chosen = new Set(files.flatMap(({ policies = known }) => policies));
  return known.filter((id) => chosen.has(id) && !tried.has(id));
}

function unknownPolicies(
  { file, policies = [], cases }: TestFile,
  known: readonly string[],
): readonly LocatedProblem[] {
  const start = { file, line: 1, column: 1 };
  const named = [
    ...policies.map((policy) => ({ policy, position: start })),
    ...cases.flatMap(({ expected }) => expected),
  ];
  return named.flatMap(({ policy, position }) => {
    if (known.includes(policy)) return [];
    const hint = suggestion(policy, known) ?? available(known);
    return [fileProblem(position, 'policies.test-file', `there is no policy ${JSON.stringify(policy)}`, hint)];
  });
}

/** Expectations that can never be met, because the file leaves out the problems of their policy. */
function uncountedPolicies({ policies, cases }: TestFile): readonly LocatedProblem[] {
  if (policies === undefined) return [];
  return cases
    .flatMap(({ expected }) => expected)
    .filter(({ policy }) => !policies.includes(policy))
    .map(({ policy, position }) =>
      fileProblem(
        position,
        'policies.test-file',
        `problems of the policy ${JSON.stringify(policy)} do not count in this file`,
        'Add it to `policies` of the file, or remove what is expected of it.',
      ),
    );
}

async function testFilesAt(paths: readonly string[], cwd: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const path of paths) files.push(...(await testFilesOf(resolve(cwd, path), path)));
  if (files.length > 0) return [...new Set(files)];
  throw new ToolError({
    code: 'policies.no-tests',
    message: `there are no tests of policies in ${paths.join(', ')}`,
    hint: 'Write policies/NAME.test.yaml, or name files and folders with such tests.',
  });
}

async function testFilesOf(absolute: string, path: string): Promise<readonly string[]> {
  const found = await stat(absolute).catch((error: unknown) => {
    throw new ToolError({
      code: 'policies.no-tests',
      message: `${path}: ${systemReason(error)}`,
      hint: 'Name a file or a folder with tests of policies.',
    });
  });
  if (!found.isDirectory()) return [absolute];
  // The folder of a project includes its policies.
  return [...(await testFilesIn(absolute)), ...(await testFilesIn(join(absolute, usualFolder)).catch(whenMissing([])))];
}

async function testFilesIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => /\.test\.ya?ml$/.test(name));
  return names.toSorted(compareText).map((name) => join(folder, name));
}

function noPolicies(folder: string): ToolError {
  return new ToolError({
    code: 'policies.none',
    message: `the project in ${folder} has no policies`,
    hint:
      'Run it in the folder of gantry.yaml. Or write policies/NAME.ts, or `policies` into gantry.yaml: ' +
      'docs/policies.md.',
  });
}

function problemsError(problems: readonly LocatedProblem[]): ToolError {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const { position, message = '', hint } = first ?? {};
  const where = position === undefined ? '' : `${position.file}:${position.line}:${position.column}: `;
  return new ToolError({
    code: first?.rule ?? 'policies.ended',
    message: `${where}${message}${more}`,
    hint,
    place: position,
    causes: problems.map(({ rule, message: text, hint: fix, position: place }) => ({
      code: rule,
      message: text,
      hint: fix,
      place,
    })),
  });
}

interface PlanFromLiveOptions {
  readonly org: string;
  readonly session: Pick<Session, 'cwd'>;
}

/**
 * The plan of manifests on a platform in memory where the live records were applied before. Errors: those of that
 * apply.
 */
async function planFromLive(
  live: readonly JsonObject[],
  manifests: readonly JsonObject[],
  { org }: PlanFromLiveOptions,
): Promise<Plan> {
  const gantry = await openGantry({ project: false, embedded: 'memory', org, stack: 'test', environment: {} });
  try {
    await gantry.apply(await gantry.plan(await gantry.load(live)));
    const stack = await gantry.load(manifests);
    return (await gantry.plan(stack, { allowEmpty: true, maxDeletes: Number.MAX_SAFE_INTEGER })).plan;
  } finally {
    await gantry.close();
  }
}

interface ProblemComparison {
  readonly missing: readonly ExpectedProblem[];
  readonly unexpected: readonly LocatedProblem[];
}

const comparedKeys = ['resource', 'path', 'severity', 'message'] as const;

/**
 * Expected problems that were not found, and found ones that were not expected. Each problem fulfils one expectation.
 */
function compare(expected: readonly ExpectedProblem[], found: readonly LocatedProblem[]): ProblemComparison {
  const unmatched = [...found];
  const missing = new Set<ExpectedProblem>();
  // The most specific expectations choose first: less specific ones may match any of several.
  for (const each of expected.toSorted((a, b) => specificity(b) - specificity(a))) {
    const index = unmatched.findIndex((problem) => isExpected(each, problem));
    if (index < 0) missing.add(each);
    else unmatched.splice(index, 1);
  }
  return { missing: expected.filter((each) => missing.has(each)), unexpected: unmatched };
}

function specificity(expected: ExpectedProblem): number {
  return comparedKeys.filter((key) => expected[key] !== undefined).length;
}

function isExpected(expected: ExpectedProblem, problem: LocatedProblem): boolean {
  return (
    expected.policy === policyOf(problem.rule) &&
    comparedKeys.every((key) => expected[key] === undefined || expected[key] === problem[key])
  );
}

const expectedReader = object({
  policy: name,
  ...optionals({ resource: name, path: name, severity: name, message: name }),
});
const caseReader = object(
  {
    name,
    now: optional(
      converted(
        (given) => {
          const ms = typeof given === 'string' ? Date.parse(given) : Number.NaN;
          return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
        },
        'a time, such as 2027-01-31T09:30:00Z',
        { type: 'string' },
      ),
    ),
    manifests: list(placed(json), 'a list of manifests'),
    live: optional(list(placed(json), 'a list of manifests')),
    expect: list(placed(expectedReader), 'a list of problems; an empty one where nothing is wrong'),
  },
  { expected: 'an object with a name, manifests and what it expects' },
);
const fileReader = object(
  { policies: optional(list(name, 'a list of ids of policies')), cases: list(placed(caseReader), 'a list of cases') },
  { expected: 'an object with policies and cases' },
);

/** The same, with the position of the value. */
function placed<T>(reader: Reader<T>): Reader<{ readonly value: T; readonly at: Pointer }> {
  return { schema: reader.schema, read: (given, at) => ({ value: reader.read(given, at), at: at.pointer }) };
}

/** Reads a test file. `path`: absolute. Errors: `policies.test-file`. */
async function readTestFile(path: string, cwd: string): Promise<TestFile> {
  const file = displayPath(path, cwd);
  const start = { file, line: 1, column: 1 };
  const { value, locate = () => start } = await readDataFile(path, { most: fileSizes.manifests }).catch((error) => {
    throw testFileError(start, systemReason(error));
  });
  const placeOf: Locate = (pointer, of) => ({ ...locate(pointer, of), file });
  const read = tryRead(() => fileReader.read(value, new At()));
  if ('problems' in read) {
    const [{ pointer, hint, ...problem }] = read.problems;
    throw testFileError(placeOf(pointer), sentenceOf({ pointer, hint, ...problem }), hint);
  }
  if (read.value.cases.length === 0) throw testFileError(placeOf(['cases']), 'there is no case');
  const names = new Set<string>();
  for (const { at, value: each } of read.value.cases) {
    if (names.has(each.name)) {
      throw testFileError(
        placeOf(at),
        `another case has the name ${JSON.stringify(each.name)}`,
        'Give it its own name.',
      );
    }
    names.add(each.name);
  }
  const documentsOf = (manifests: readonly { readonly value: JsonValue; readonly at: Pointer }[]) =>
    manifests.map(({ value: manifest, at }) => ({
      value: manifest,
      locate: (pointer: Pointer, of?: 'field' | 'value') => placeOf([...at, ...pointer], of),
    }));
  return {
    file,
    policies: read.value.policies,
    cases: read.value.cases.map(({ at, value: { name: title, now, manifests, live, expect } }) => ({
      name: title,
      position: placeOf(at),
      now,
      manifests: documentsOf(manifests),
      live: live === undefined ? undefined : documentsOf(live),
      expected: expect.map((each) => ({ ...each.value, position: placeOf(each.at) })),
    })),
  };
}

function testFileError(place: Position, message: string, hint?: string): ToolError {
  return new ToolError({
    code: 'policies.test-file',
    message: `${formatPosition(place)}: ${message}`,
    hint: hint ?? 'A case has a name, manifests, and what it expects: cases: [{name, manifests: […], expect: []}].',
    place,
  });
}
