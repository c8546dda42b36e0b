import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { fileProblem, type LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { Locate, Position } from '../../manifest/model/manifest.ts';
import { planForm } from '../../plan/documents/planDocument.ts';
import { planToJson } from '../../plan/documents/planToJson.ts';
import type { Finding } from '../../policies/model/finding.ts';
import type { Policy } from '../../policies/model/policy.ts';
import { knownNames, policyOfRule, usedPolicies } from '../../policies/run/knownPolicies.ts';
import { type PolicyInput, runPolicy } from '../../policies/run/runPolicy.ts';
import { type PolicySettings, readPolicySettings } from '../../policies/settings/readPolicySettings.ts';
import { manifestsOf } from '../../policies/verdict/manifests.ts';
import { type Verdict, verdictOf } from '../../policies/verdict/verdict.ts';
import { type CustomKinds, customKindFacts, customKinds } from '../../schema/record/customKinds.ts';
import { compareText } from '../../schema/text/compareText.ts';
import { available, suggestion } from '../../schema/text/suggestion.ts';
import { displayPath } from '../files/displayPath.ts';
import { settingsFileName } from '../files/projectFiles.ts';
import type { Surroundings } from '../session/session.ts';
import { answerFailure, twiceFailure } from './failure.ts';
import { policyFilesAt } from './findPolicyFiles.ts';
import { startPolicyProcess } from './policyProcess.ts';
import type { PolicySet } from './policySet.ts';
import type { PolicyQuestion, PolicySource } from './projectPolicies.ts';
import { readableBy } from './readable.ts';
import type { LoadedPolicy, PolicyFailure } from './request.ts';
import { type PolicyAnswers, runPolicies } from './runPolicies.ts';
import { runSeparately } from './runSeparately.ts';

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
  const found = await filesOf(source, settings, places, session.cwd);
  const inputs = questions.map((question) => inputOf(question, source.environment));
  const lines = once(() => inputs.map((input) => JSON.stringify(input)));
  const apart = async ({ files, rules }: PolicySet) => {
    const readable = await readableBy(source.folder, files);
    return runPolicies(startPolicyProcess(session.environment, readable), {
      request: {
        files,
        rules,
        kinds: kindsKnown(),
        timeoutMs: settings.timeoutMs,
        memoryMb: settings.memoryMb,
        endMark: randomUUID(),
      },
      inputs: lines(),
      tell: (line) => void session.tell({ type: 'output', file: 'policies', line }),
      interruptible: session.interruptible,
    });
  };
  const own = { files: found.files, use: settings.use, rules: settings.rules };
  const answers = await runSeparately(own, found.imposed, { here: (set) => askHere(set, inputs), apart });
  const failures = [
    ...problems,
    ...unknownNames(settings, places),
    ...found.problems,
    ...answers.failures.map(places.failure),
  ];
  const policies = answers.policies.map(({ id, isAboutPlans, position }) => ({
    id,
    isAboutPlans,
    position: position === undefined ? places.ofKnown(id, settings) : places.shown(position),
  }));
  return questions.map(({ desired, plan, isElsewhere = () => false, isTest = false }, index) =>
    verdictOf({
      findings: answers.findings.flatMap((found) => found[index] ?? []),
      failures,
      policies,
      imposed: answers.imposed,
      exceptions: isTest ? [] : settings.exceptions,
      desired,
      hasPlan: plan !== undefined,
      today: new Date().toISOString().slice(0, 10),
      isElsewhere,
    }),
  );
}

function inputOf({ desired, plan }: PolicyQuestion, environment: string | undefined): PolicyInput {
  const input = { resources: manifestsOf(desired), environment };
  if (plan === undefined) return input;
  const document = planToJson(plan, desired);
  if (!planForm.is(document)) throw new Error('the document of a plan is in another form than that of plans');
  return { ...input, plan: document };
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
    ...(resource === undefined ? {} : { resource }),
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

/**
 * Asks policies that come along, and rules without regular expressions, in this process: they are our code and data, they
 * change nothing, and take no longer than there are manifests.
 */
export async function askHere({ use, rules }: PolicySet, inputs: readonly PolicyInput[]): Promise<PolicyAnswers> {
  const all = [...usedPolicies(use), ...rules.map(policyOfRule)].toSorted((a, b) => compareText(a.id, b.id));
  const isTwice = ({ id }: Policy, index: number) => id === all[index - 1]?.id;
  const policies = all.filter((policy, index) => !isTwice(policy, index));
  const failures: PolicyFailure[] = all.filter(isTwice).map(({ id }) => twiceFailure(id, undefined));
  const findings = inputs.map((): Finding[] => []);
  for (const [of, input] of inputs.entries()) {
    for (const policy of policies) {
      try {
        for (const finding of await runPolicy(policy, input)) findings[of]?.push(finding);
      } catch (error) {
        failures.push(answerFailure(policy.id, error, undefined));
      }
    }
  }
  return { policies: policies.map(loadedOf), findings, failures };
}

function loadedOf({ id, about, plan }: Policy): LoadedPolicy {
  return { id, about, isAboutPlans: plan !== undefined };
}
