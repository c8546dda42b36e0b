import { readFileSync } from 'node:fs';
import { resolve as resolveManifest } from '../../constructs/resolve.ts';
import { isObject } from '../base/json/json.ts';
import { type ErrorCause, ToolError } from '../base/toolError.ts';
import { withFieldPlaces } from '../manifest/fieldPlaces.ts';
import type { LocatedProblem } from '../manifest/model/locatedProblem.ts';
import type { ManifestDocument } from '../manifest/model/manifest.ts';
import type { ResourceGraph } from '../plan/order/desiredGraph.ts';
import type { Inputs } from '../project/inputs/readInputs.ts';
import type { StepEvent } from '../project/session/event.ts';
import type { Session } from '../project/session/session.ts';
import type { Project } from '../project/settings/project.ts';
import type { CodeStack } from '../project/stack/handOver.ts';
import { documentsOfFailure, problemsOfConstructs } from '../project/stack/stackFailure.ts';
import { synthOf } from '../project/stack/trees.ts';
import { graph, validate } from './check.ts';
import type { Stack, StackSource, Validation } from './gantry.ts';
import { type CheckInputsOptions, type LoadStacksOptions, loadStacks } from './loading/loadStack.ts';

/** Reads and checks a source. Errors: `input.invalid`, `automation.source`, and those of constructs. */
export async function loadSource(
  session: Session,
  project: Project,
  source: StackSource,
  options: Pick<LoadStacksOptions, 'values' | 'all'>,
): Promise<readonly Stack[]> {
  const warnings: LocatedProblem[] = [];
  async function tell(event: StepEvent): Promise<void> {
    if (event.type === 'problems') warnings.push(...event.problems);
    await session.tell(event);
  }
  const collectingSession = { ...session, tell };
  const { paths, loading } = readSource(project, source);
  const stacks = await withProblemsInMessage(() => loadStacks(collectingSession, paths, { ...loading, ...options }));
  return stacks.map((stack) => ({ ...stack, warnings }));
}

/** All problems of a source, without a platform. */
export async function checkSource(session: Session, project: Project, source: StackSource): Promise<Validation> {
  const { paths, loading } = readSource(project, source);
  const { notes: _, declared: _declared, ...validation } = await validate(session, paths, loading);
  return validation;
}

/** The references between the resources of a source. Errors: those of `loadSource`. */
export async function graphOfSource(session: Session, project: Project, source: StackSource): Promise<ResourceGraph> {
  const { paths, loading } = readSource(project, source);
  return withProblemsInMessage(() => graph(session, paths, loading));
}

/** A program learns the problems only from the error. */
async function withProblemsInMessage<Result>(load: () => Promise<Result>): Promise<Result> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'input.invalid') throw error;
    throw new ToolError({ ...error, message: [`${error.message}:`, ...error.causes.map(causeLine)].join('\n') });
  }
}

function causeLine({ code, message, hint, place }: ErrorCause): string {
  const where = place === undefined ? '' : `${place.file}:${place.line ?? 1}:${place.column ?? 1}  `;
  return `  ${where}${code}  ${message}${hint === undefined ? '' : `  ${hint}`}`;
}

interface ReadSource {
  readonly paths: readonly string[];
  readonly loading: CheckInputsOptions;
}

function readSource(project: Project, source: StackSource): ReadSource {
  if (typeof source === 'string') return { paths: [source], loading: {} };
  if (isPaths(source)) return { paths: source, loading: {} };
  const { documents, problems } = declaredBy(source);
  const inputs: Inputs = {
    documents,
    problems,
    scope: 'whole',
    notes: [],
    stacks: stacksOf(documents),
    selected: undefined,
    wantsEnvironment: true,
    files: [],
  };
  return { paths: [], loading: { project, inputs } };
}

function stacksOf(documents: readonly ManifestDocument[]): readonly CodeStack[] {
  const stacks = new Map<string, CodeStack>();
  for (const { madeBy, locate } of documents) {
    const name = madeBy?.stack;
    if (name !== undefined && !stacks.has(name)) stacks.set(name, { name, position: locate([]) });
  }
  return [...stacks.values()];
}

function isPaths(source: Exclude<StackSource, string>): source is readonly string[] {
  return Array.isArray(source) && source.length > 0 && source.every((each) => typeof each === 'string');
}

/** Records the problems of a tree, and still checks the rest of it. */
function declaredBy(source: Exclude<StackSource, string>): Pick<Inputs, 'documents' | 'problems'> {
  if (Array.isArray(source)) return { documents: source.map(documentOf), problems: [] };
  try {
    return { documents: atFields(synthesized(source)), problems: [] };
  } catch (error) {
    const problems = problemsOfConstructs(error);
    if (problems.length === 0) throw error;
    return { documents: atFields(documentsOfFailure(error)), problems };
  }
}

function atFields(documents: readonly ManifestDocument[]): readonly ManifestDocument[] {
  return withFieldPlaces(documents, (file) => readFileSync(file, 'utf8'));
}

function synthesized(source: Exclude<StackSource, string>): readonly ManifestDocument[] {
  const documents: unknown = synthOf(source)?.();
  if (Array.isArray(documents)) return documents;
  throw new ToolError({
    code: 'automation.source',
    message: 'this value does not declare resources',
    hint: 'Load paths, an App or a Stack, or a list of manifests.',
  });
}

function documentOf(manifest: unknown, index: number): ManifestDocument {
  const position = { file: `manifests[${index}]`, line: 1, column: 1 };
  return { value: isObject(manifest) ? resolveManifest([manifest]).manifest : null, locate: () => position };
}
