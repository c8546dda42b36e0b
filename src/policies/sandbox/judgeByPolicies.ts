import { dirname, join, resolve } from 'node:path';
import { isArray, isObject, type JsonObject, type JsonValue, mapMembers } from '../../base/json/json.ts';
import { isMasked } from '../../base/json/mask.ts';
import { compact, present } from '../../base/json/present.ts';
import { once } from '../../base/once.ts';
import { compareText } from '../../base/text/compareText.ts';
import { available, suggestion } from '../../base/text/suggestion.ts';
import { planForm, planToJson } from '../../change/documents/planDocument.ts';
import { fileProblem, type LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { DesiredResource, Locate, Position } from '../../manifest/model/manifest.ts';
import { parseManifestText } from '../../manifest/parseManifestText.ts';
import { maskedManifest } from '../../plan/record/toManifest.ts';
import { decodeText } from '../../project/files/decodeText.ts';
import { displayPath } from '../../project/files/fileRefusal.ts';
import { settingsFileName } from '../../project/files/projectFiles.ts';
import { fileBytes } from '../../project/inputs/fileBytes.ts';
import type { Surroundings } from '../../project/session/session.ts';
import { type CustomKinds, customKindFacts, customKinds } from '../../schema/record/customKinds.ts';
import { type AnyManifest, masked } from '../rules/manifestOf.ts';
import type { Finding, Policy } from '../rules/policy.ts';
import { type PolicySettings, readPolicySettings } from '../rules/policySettings.ts';
import { hasPattern, type Rule } from '../rules/rule.ts';
import { policyOfRule } from '../rules/ruleJudge.ts';
import { type PolicyInput, runPolicy } from '../rules/runPolicy.ts';
import { starter } from '../rules/starter.ts';
import { type Verdict, verdictOf } from '../rules/verdict.ts';
import { answerFailure, type PolicyFailure, twiceFailure, unansweredBy } from './failure.ts';
import { policyFilesAt } from './findPolicyFiles.ts';
import type { PolicyQuestion, PolicySource } from './projectPolicies.ts';
import { type LoadedPolicy, type PolicyAnswers, type PolicyInputText, runPolicies } from './runPolicies.ts';

/** Runs all policies of a project for one stack or plan. */
export async function judgeOne(
  source: PolicySource,
  question: PolicyQuestion,
  session: Surroundings,
): Promise<Verdict> {
  const [verdict] = await judgeByPolicies(source, [question], session);
  if (verdict === undefined) throw new Error('a question to the policies has no verdict');
  return verdict;
}

/** The same for several. If a policy cannot answer, each verdict has an error. */
export async function judgeByPolicies(
  source: PolicySource,
  questions: readonly PolicyQuestion[],
  session: Surroundings,
): Promise<readonly Verdict[]> {
  const places = new Places(source, session.cwd);
  const { settings, problems } = readPolicySettings(source.written?.value, places.inSettings);
  const now = new Date();
  const [found, given] = await Promise.all([
    filesOf(source, settings, places, session.cwd),
    readInputs(settings, source.folder, places),
  ]);
  const about = questions.map((question) => inputOf(question, source.environment, question.now ?? now.toISOString()));
  const inputs = about.map((input) => ({ ...input, inputs: given.values }));
  const texts = once(() => inputs.map(textOf));
  const inSandbox: AskInSandbox = ({ files, rules, isImposed }) =>
    runPolicies({
      request: {
        files,
        rules,
        kinds: kindsKnown(),
        isImposed,
        folder: source.folder,
        folders: [...new Set(compact([isImposed ? undefined : source.folder, ...files.map(dirname)]))],
        timeoutMs: settings.timeoutMs,
        memoryMb: settings.memoryMb,
        nowMs: now.getTime(),
      },
      inputs: isImposed ? about.map(textOf) : texts(),
      tell: (line) => void session.tell({ type: 'output', file: 'policies', line }),
      interruptible: session.interruptible,
    });
  const { use, rules } = settings;
  const answers = await askAll({ files: found.files, use, rules, imposed: found.imposed }, inputs, inSandbox);
  const failures = [
    ...problems,
    ...unknownNames(settings, places),
    ...found.problems,
    ...given.problems,
    ...answers.failures.map(places.failure),
  ];
  const policies = answers.policies.map(({ id, isAboutPlans, position }) => ({
    id,
    isAboutPlans,
    position: position === undefined ? places.ofKnown(id, settings) : places.shown(position),
  }));
  const behind = [...answers.loaded, given.values];
  return questions.map(({ desired, plan, isElsewhere = () => false, isTest = false }, index) =>
    verdictOf({
      findings: answers.findings.flatMap((found) => found[index] ?? []),
      failures,
      policies,
      behind,
      imposed: answers.imposed,
      exceptions: isTest ? [] : settings.exceptions,
      desired,
      hasPlan: plan !== undefined,
      today: now.toISOString().slice(0, 10),
      isElsewhere,
    }),
  );
}

/** Without the project's own inputs, which must not influence policies that are imposed on it. */
function inputOf({ desired, plan }: PolicyQuestion, environment: PolicyInput['environment'], now: string): PolicyInput {
  const input = { resources: manifestsOf(desired), environment, inputs: {}, now };
  if (plan === undefined) return input;
  const document = planToJson(plan, desired);
  if (!planForm.is(document)) throw new Error('the document of a plan is in another form than that of plans');
  return { ...input, plan: document };
}

function textOf(input: PolicyInput): PolicyInputText {
  return { text: JSON.stringify(input), nowMs: Date.parse(input.now) };
}

/** Kinds from `gantry.yaml`, and those that the stack defined. */
function kindsKnown(): CustomKinds {
  const known = compact(customKinds(), (kind) => {
    const facts = customKindFacts(kind);
    return facts === undefined ? undefined : ([kind, facts] as const);
  });
  return Object.fromEntries(known);
}

interface PolicyInputs {
  readonly values: PolicyInput['inputs'];
  readonly problems: readonly LocatedProblem[];
}

/** The files of `policies.inputs`. Errors are problems at the line that names the file, or in it. */
async function readInputs({ inputs }: PolicySettings, folder: string, places: Places): Promise<PolicyInputs> {
  const read = await Promise.all(
    Object.entries(inputs).map(async ([name, path]) => {
      const at = places.inSettings(['policies', 'inputs', name]);
      const bytes = await fileBytes(resolve(folder, path), { folder, files: [], closed: [] });
      if ('rule' in bytes) return unreadable(at, path, bytes.message);
      const file = places.shown({ file: path, line: 1, column: 1 }).file;
      const decoded = decodeText(bytes, file);
      if ('problem' in decoded) return unreadable(at, path, decoded.problem.message ?? '');
      const { text } = decoded;
      if (!/\.(?:json|ya?ml)$/.test(path)) return { name, value: text };
      const parsed = parseManifestText({ text, file, format: path.endsWith('.json') ? 'json' : 'yaml' });
      const [problem] = parsed.problems;
      if (problem !== undefined) return unreadable(problem.position, path, problem.message ?? '');
      const [document, ...others] = parsed.documents;
      return others.length > 0
        ? unreadable(at, path, `it holds ${others.length + 1} documents`)
        : { name, value: document?.value ?? null };
    }),
  );
  return {
    values: Object.fromEntries(read.flatMap((each) => ('name' in each ? [[each.name, each.value]] : []))),
    problems: compact(read, (each) => ('name' in each ? undefined : each)),
  };
}

function unreadable(position: Position, path: string, why: string): LocatedProblem {
  const hint = 'An input is a file of the project of at most 1 MiB: JSON, YAML or text.';
  return fileProblem(position, 'policies.inputs', `policies.inputs cannot be read from ${path}: ${why}`, hint);
}

interface PolicyFiles {
  /** Files of the project. */
  readonly files: readonly string[];
  readonly imposed: readonly string[];
  readonly problems: readonly LocatedProblem[];
}

async function filesOf(
  { folder, usual = [], imposed }: PolicySource,
  { files }: PolicySettings,
  places: Places,
  cwd: string,
): Promise<PolicyFiles> {
  const own = files === undefined ? { files: usual, missing: [] } : await policyFilesAt(files, folder);
  const others = await policyFilesAt(imposed, cwd);
  return {
    files: own.files.filter((file) => !others.files.includes(file)),
    imposed: others.files,
    problems: [
      ...own.missing.map(({ path, why }) => {
        const position = places.inSettings(['policies', 'files', (files ?? []).indexOf(path)]);
        return missingFile(position, path, why);
      }),
      ...others.missing.map(({ path, why }) => {
        return missingFile({ file: 'GANTRY_POLICIES', line: 1, column: 1 }, path, why);
      }),
    ],
  };
}

function missingFile(position: Position, path: string, why: string): LocatedProblem {
  const hint = 'Correct the path, or restore the file. Without it the policies cannot be evaluated.';
  return fileProblem(position, 'policies.missing', `no policies can be loaded from ${path}: ${why}`, hint);
}

function unknownNames({ use }: PolicySettings, places: Places): readonly LocatedProblem[] {
  const known = knownNames();
  return use.flatMap((name, index) => {
    if (known.includes(name)) return [];
    const position = places.inSettings(['policies', 'use', index]);
    const hint = suggestion(name, known) ?? available(known);
    return [fileProblem(position, 'policies.missing', `there is no built-in policy ${name}`, hint)];
  });
}

/** Shows positions relative to the current folder. */
class Places {
  readonly #source: PolicySource;
  readonly #cwd: string;

  constructor(source: PolicySource, cwd: string) {
    this.#source = source;
    this.#cwd = cwd;
  }

  readonly inSettings: Locate = (pointer, of) => {
    const { written, folder } = this.#source;
    return this.shown(written?.locate?.(pointer, of) ?? { file: join(folder, settingsFileName), line: 1, column: 1 });
  };

  readonly failure = ({ code, message, hint, position, resource }: PolicyFailure): LocatedProblem => ({
    ...fileProblem(position === undefined ? this.inSettings(['policies']) : this.shown(position), code, message, hint),
    ...present({ resource }),
  });

  shown({ file, line, column }: Position): Position {
    return { file: displayPath(resolve(this.#source.folder, file), this.#cwd), line, column };
  }

  /** The line of a rule, or of `use`. */
  ofKnown(id: string, { rules }: PolicySettings): Position {
    const index = rules.findIndex((rule) => rule.id === id);
    return this.inSettings(index < 0 ? ['policies', 'use'] : ['policies', 'rules', index]);
  }
}

/** The policies of a project, and those that are imposed on it. */
export interface PolicySet {
  /** Files of the project; absolute. */
  readonly files: readonly string[];
  /** Names of bundled policies. */
  readonly use: readonly string[];
  readonly rules: readonly Rule[];
  /** Files of Gantry's operator; absolute. */
  readonly imposed: readonly string[];
}

/** The answers of the policies of a project, and of those that are imposed on it. */
interface JoinedAnswers {
  /** In the order of their ids. */
  readonly policies: readonly LoadedPolicy[];
  /** The ids of the imposed policies. */
  readonly imposed: ReadonlySet<string>;
  /** Per input, those of the project and the imposed ones. */
  readonly findings: readonly (readonly (readonly Finding[])[])[];
  readonly failures: readonly PolicyFailure[];
  /** As in `PolicyAnswers`; by sandbox. */
  readonly loaded: readonly (readonly string[])[];
}

/** Runs code, and rules with a regular expression, in a separate sandbox. */
type AskInSandbox = (
  set: Pick<PolicySet, 'files' | 'rules'> & { readonly isImposed: boolean },
) => Promise<PolicyAnswers>;

/**
 * Runs bundled policies, and rules without regular expressions, in this thread: they are our code and data, and always
 * end. All others run in a sandbox, and imposed ones in a separate one: the project's code cannot change their input or
 * answers. An imposed policy replaces the one with the same id in the project's `use`. An empty sandbox is never opened.
 */
export async function askAll(
  { files, use, rules, imposed }: PolicySet,
  inputs: readonly PolicyInput[],
  inSandbox: AskInSandbox,
): Promise<JoinedAnswers> {
  const nothing: PolicyAnswers = { policies: [], findings: inputs.map(() => []), failures: [], loaded: [] };
  const patterns = rules.filter(hasPattern);
  const runs = [
    files.length + patterns.length === 0 ? nothing : inSandbox({ files, rules: patterns, isImposed: false }),
    imposed.length === 0 ? nothing : inSandbox({ files: imposed, rules: [], isImposed: true }),
  ];
  const simple = rules.filter((rule) => !hasPattern(rule)).map(policyOfRule);
  const known = await askHere([...usedPolicies(use), ...simple], inputs); // the sandboxes run in the meantime
  const [ofCode = nothing, ofOthers = nothing] = await Promise.all(runs);
  const ofProject = joined(known, ofCode);
  const others = new Set(ofOthers.policies.map(({ id }) => id));
  const used = new Set(usedPolicies(use).map(({ id }) => id));
  const alike = ofProject.policies.filter(({ id }) => others.has(id));
  const twice = alike.filter(({ id, file }) => file !== undefined || !used.has(id));
  const rest = ofProject.policies.filter(({ id }) => !others.has(id));
  return {
    policies: inOrder(rest, ofOthers.policies, ({ id }) => id),
    imposed: others,
    findings: [ofProject.findings.map((found) => found.filter(({ policy }) => !others.has(policy))), ofOthers.findings],
    failures: [...ofProject.failures, ...ofOthers.failures, ...twiceFailures(twice)],
    loaded: [ofCode.loaded, ofOthers.loaded],
  };
}

async function askHere(asked: readonly Policy[], inputs: readonly PolicyInput[]): Promise<PolicyAnswers> {
  const all = asked.toSorted((a, b) => compareText(a.id, b.id));
  const isTwice = ({ id }: Policy, index: number) => id === all[index - 1]?.id;
  const policies = all.filter((policy, index) => !isTwice(policy, index));
  const failures: PolicyFailure[] = all.filter(isTwice).map(({ id }) => twiceFailure(id, undefined));
  const findings = inputs.map((): Finding[] => []);
  for (const [of, input] of inputs.entries()) {
    for (const policy of policies) {
      try {
        for (const finding of await runPolicy(policy, input)) findings[of]?.push(finding);
      } catch (error) {
        failures.push(answerFailure(policy.id, unansweredBy(error), undefined));
      }
    }
  }
  return {
    policies: policies.map(({ id, about, plan }) => ({ id, about, isAboutPlans: plan !== undefined })),
    findings,
    failures,
    loaded: [],
  };
}

/** Combined as if all had run together, ordered by id. */
function joined(known: PolicyAnswers, code: PolicyAnswers): PolicyAnswers {
  const ids = new Set(known.policies.map(({ id }) => id));
  const twice = code.policies.filter(({ id }) => ids.has(id));
  return {
    policies: [...known.policies, ...code.policies.filter(({ id }) => !ids.has(id))],
    findings: known.findings.map((found, input) => {
      const others = (code.findings[input] ?? []).filter(({ policy }) => !ids.has(policy));
      return others.length === 0 ? found : inOrder(found, others, ({ policy }) => policy);
    }),
    failures: [...known.failures, ...code.failures, ...twiceFailures(twice)],
    loaded: code.loaded,
  };
}

function twiceFailures(policies: readonly LoadedPolicy[]): readonly PolicyFailure[] {
  return policies.map(({ id, position }) => twiceFailure(id, position));
}

function inOrder<Item>(some: readonly Item[], others: readonly Item[], idOf: (item: Item) => string): readonly Item[] {
  return [...some, ...others].toSorted((a, b) => compareText(idOf(a), idOf(b)));
}

/** The manifests that policies receive: complete, with their ids, sensitive values replaced by a text. */
export function manifestsOf(desired: readonly DesiredResource[]): readonly (JsonObject & AnyManifest)[] {
  return desired
    .toSorted((a, b) => compareText(a.id, b.id))
    .map((resource) => ({ id: resource.id, ...withTexts(maskedManifest(resource)) }))
    .filter(isManifest);
}

/** The form that `toManifest` returns. */
function isManifest(manifest: JsonObject): manifest is JsonObject & AnyManifest {
  return ['id', 'kind', 'name'].every((key) => typeof manifest[key] === 'string');
}

/** A mask becomes a text, because most masked values are: a policy that checks a text gets one. */
function withTexts(manifest: JsonObject): JsonObject {
  return mapMembers(manifest, maskAsText);
}

function maskAsText(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(maskAsText);
  if (!isObject(value)) return value;
  return isMasked(value) ? masked : withTexts(value);
}

/** The name of the whole starter set in `use`, which also accepts single ones. */
const starterName = 'starter';

/** The names allowed in `use`. */
function knownNames(): readonly string[] {
  return [starterName, ...starter.map(({ id }) => id)];
}

function usedPolicies(names: readonly string[]): readonly Policy[] {
  return starter.filter(({ id }) => names.includes(starterName) || names.includes(id));
}
