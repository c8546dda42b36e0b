import { dirname, join, resolve } from 'node:path';
import { present } from '../../base/json/present.ts';
import { available, suggestion } from '../../base/text/suggestion.ts';
import { planForm } from '../../change/documents/planDocument.ts';
import { planToJson } from '../../change/documents/planToJson.ts';
import { fileProblem, type LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { Locate, Position } from '../../manifest/model/manifest.ts';
import { parseManifestText } from '../../manifest/text/parseManifestText.ts';
import { decodeText } from '../../project/files/decodeText.ts';
import { displayPath } from '../../project/files/displayPath.ts';
import { settingsFileName } from '../../project/files/projectFiles.ts';
import { fileBytes } from '../../project/outside/fileBytes.ts';
import type { Surroundings } from '../../project/session/session.ts';
import { type CustomKinds, customKindFacts, customKinds } from '../../schema/record/customKinds.ts';
import { knownNames } from '../run/knownPolicies.ts';
import type { PolicyInput } from '../run/runPolicy.ts';
import { type PolicySettings, readPolicySettings } from '../settings/policySettings.ts';
import { manifestsOf } from '../verdict/manifests.ts';
import { type Verdict, verdictOf } from '../verdict/verdict.ts';
import { type AskInSandbox, askAll } from './askAll.ts';
import type { PolicyFailure } from './failure.ts';
import { policyFilesAt } from './findPolicyFiles.ts';
import type { PolicyQuestion, PolicySource } from './projectPolicies.ts';
import { type PolicyInputText, runPolicies } from './runPolicies.ts';

/** Asks all policies of a project about one stack or plan. */
export async function judgeOne(
  source: PolicySource,
  question: PolicyQuestion,
  session: Surroundings,
): Promise<Verdict> {
  const [verdict] = await judgeByPolicies(source, [question], session);
  if (verdict === undefined) throw new Error('a question to the policies has no verdict');
  return verdict;
}

/** The same of several. Whatever keeps a policy from its answer is an error of each verdict. */
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
        folder: source.folder,
        folders: [...new Set([...(isImposed ? [] : [source.folder]), ...files.map(dirname)])],
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

/** Without what the project names: whoever imposes policies on it does not let it say what they go by. */
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

/** Only where it is asked for, and once. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Of `gantry.yaml`, and those that the stack defined. */
function kindsKnown(): CustomKinds {
  const known = customKinds().flatMap((kind) => {
    const facts = customKindFacts(kind);
    return facts === undefined ? [] : [[kind, facts] as const];
  });
  return Object.fromEntries(known);
}

interface PolicyInputs {
  readonly values: PolicyInput['inputs'];
  readonly problems: readonly LocatedProblem[];
}

/** The files that `policies.inputs` names. Errors are problems at the line that names the file, or in it. */
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
    problems: read.flatMap((each) => ('name' in each ? [] : [each])),
  };
}

function unreadable(position: Position, path: string, why: string): LocatedProblem {
  const hint = 'An input is a file of the project of at most 1 MiB: JSON, YAML or text.';
  return fileProblem(position, 'policies.inputs', `policies.inputs cannot be read from ${path}: ${why}`, hint);
}

interface PolicyFiles {
  /** Of the project. */
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

/** Shows places as people see them from the current folder. */
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
