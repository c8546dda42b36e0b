import { resolve as resolveManifest } from '../../../constructs/values/resolve.ts';
import { ToolError } from '../../errors/toolError.ts';
import type { ManifestDocument } from '../../manifest/model/document.ts';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import { isObject } from '../../schema/json/json.ts';
import type { Inputs } from '../inputs/readInputs.ts';
import { checkInputs, type Loading, type LoadingStacks, loadStacks } from '../loading/loadStack.ts';
import type { Notice } from '../session/notice.ts';
import type { Session } from '../session/session.ts';
import type { Project } from '../settings/project.ts';
import type { CodeStack } from '../stack/handOver.ts';
import { synthOf } from '../stack/trees.ts';
import type { Stack, StackSource, Validation } from './gantry.ts';

/** What stands for the inputs of a plan whose stack was made by a program: they cannot be read again. */
const ofProgram = '(program)';

/** Reads and checks a source. Errors: `input.invalid`, `automation.source`, and those of constructs. */
export async function loadSource(
  session: Session,
  project: Project,
  source: StackSource,
  how: Pick<LoadingStacks, 'values' | 'all'>,
): Promise<readonly Stack[]> {
  const warnings: LocatedProblem[] = [];
  async function tell(notice: Notice): Promise<void> {
    if (notice.type === 'problems') warnings.push(...notice.problems);
    await session.tell(notice);
  }
  const telling = { ...session, tell };
  const { paths, loading } = readSource(project, source);
  const stacks = await loadStacks(telling, paths, { ...loading, ...how });
  const named = loading.inputs === undefined ? paths : [ofProgram];
  return stacks.map((stack) => {
    const { gvc } = stack.settings;
    return { ...stack, inputs: { paths: named, ...(gvc === undefined ? {} : { gvc }) }, warnings };
  });
}

/** Everything that is wrong with a source, without a platform. */
export async function checkSource(session: Session, project: Project, source: StackSource): Promise<Validation> {
  const { paths, loading } = readSource(project, source);
  const { desired, problems } = await checkInputs(session, paths, 'unread', loading);
  const valid = problems.every(({ severity }) => severity !== 'error');
  return { valid, resources: desired.length, problems };
}

interface ReadSource {
  readonly paths: readonly string[];
  readonly loading: Loading;
}

function readSource(project: Project, source: StackSource): ReadSource {
  if (typeof source === 'string') return { paths: [source], loading: {} };
  if (isPaths(source)) return { paths: source, loading: {} };
  const documents = documentsOf(source);
  const inputs: Inputs = {
    documents,
    problems: [],
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

function documentsOf(source: Exclude<StackSource, string>): readonly ManifestDocument[] {
  if (Array.isArray(source)) return source.map(documentOf);
  const documents: unknown = synthOf(source)?.();
  if (Array.isArray(documents)) return documents;
  throw new ToolError({
    code: 'automation.source',
    message: 'this is nothing that declares resources',
    hint: 'Load paths, an App or a Stack, or a list of manifests.',
  });
}

function documentOf(manifest: unknown, index: number): ManifestDocument {
  const position = { file: `manifests[${index}]`, line: 1, column: 1 };
  return { value: isObject(manifest) ? resolveManifest([manifest]).manifest : null, locate: () => position };
}
