import { resolve } from 'node:path';
import type { JsonObject } from '../../base/json/json.ts';
import { counted } from '../../base/text/counted.ts';
import { firstOf } from '../../base/text/firstOf.ts';
import { flatten } from '../../manifest/flatten.ts';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { ManifestDocument } from '../../manifest/model/manifest.ts';
import type { ParsedText } from '../../manifest/textPosition.ts';
import type { CustomKinds } from '../../schema/record/customKinds.ts';
import { displayPath, inputProblem } from '../files/fileRefusal.ts';
import type { Surroundings } from '../session/session.ts';
import type { CodeStack } from '../stack/handOver.ts';
import { findInput } from './findInput.ts';
import { emptyFolder, type FindOptions, type Input } from './input.ts';
import { mostNames } from './notes.ts';
import { type PathAndStack, splitSelector } from './stackSelector.ts';

export interface Inputs {
  readonly documents: readonly ManifestDocument[];
  readonly problems: readonly LocatedProblem[];
  /** `whole` only if every PATH is: then undeclared resources are pruned. */
  readonly scope: 'whole' | 'partial';
  /** Complete lines: found and omitted files. */
  readonly notes: readonly string[];
  /** The stacks of code, in the order of creation. */
  readonly stacks: readonly CodeStack[];
  /** The stacks selected by PATHs (`shop/network`); undefined if none is. */
  readonly selected: readonly string[] | undefined;
  /** Whether the code read the chosen environment. */
  readonly wantsEnvironment: boolean;
  /** The files of code, if requested. */
  readonly files: readonly string[];
}

/** `tell`: for each output line of a stack: standard output belongs to the command. */
export interface InputOptions extends FindOptions, Omit<Surroundings, 'now'> {
  /** Called when the inputs are found and a stack's process has its request: there is time meanwhile. */
  readonly onStart?: (() => void) | undefined;
  /** Receives the documents that a stack has sent so far. */
  readonly onDocuments?: ((documents: readonly ManifestDocument[]) => void) | undefined;
  /** The value of `--env`. */
  readonly env?: string | undefined;
  /** The values of that environment for stacks. */
  readonly values?: JsonObject | undefined;
  /** The custom kinds of `gantry.yaml`. */
  readonly kinds?: CustomKinds;
  /** Files that `gantry.yaml` names for other purposes: in a folder they are not manifests. */
  readonly aside?: readonly string[];
  /** Whether to return the files of code. */
  readonly includeFiles?: boolean;
}

type ReadInput = ParsedText & Pick<Inputs, 'notes'> & Partial<Pick<Inputs, 'stacks' | 'wantsEnvironment' | 'files'>>;

/** Reads all PATHs; without one, the current folder. Invalid input never throws: it becomes problems. */
export async function readInputs(paths: readonly string[], options: InputOptions): Promise<Inputs> {
  const distinctPaths = [...new Set(paths.length === 0 ? ['.'] : paths)];
  const split = await Promise.all(distinctPaths.map((path) => splitSelector(path, options.cwd)));
  const selectors = split.flatMap(({ stack }) => stack ?? []);
  const inputs = await Promise.all(
    [...new Set(split.map(({ path }) => path))].map((path) => findInput(path, options.cwd, options)),
  );
  const files = new Files(inputs);
  const parsed: ReadInput[] = [];
  for (const input of inputs) parsed.push(await readInput(input, files, options));
  const stacks = distinctStacks(parsed.flatMap((each) => each.stacks ?? []));
  const problems = parsed.flatMap((each) => each.problems);
  const isLoaded = problems.every(({ severity }) => severity === 'warning');
  return {
    documents: parsed.flatMap(({ documents }) => documents),
    problems: [...problems, ...(isLoaded ? split.flatMap((each) => unknownStack(each, stacks, options.cwd)) : [])],
    notes: parsed.flatMap(({ notes }) => notes),
    scope: inputs.every(isWhole) ? 'whole' : 'partial',
    stacks,
    selected: selectors.length === 0 ? undefined : selectors.map((name) => findStack(name, stacks)?.name ?? name),
    wantsEnvironment: parsed.some(({ wantsEnvironment }) => wantsEnvironment === true),
    files: parsed.flatMap((each) => each.files ?? []),
  };
}

/** Stacks of the same name in two files are one stack. */
function distinctStacks(stacks: readonly CodeStack[]): readonly CodeStack[] {
  return [...new Map(stacks.toReversed().map((stack) => [stack.name, stack])).values()].toReversed();
}

/** Finds a stack by its name, or by the path of construct ids. */
function findStack(selector: string, stacks: readonly CodeStack[]): CodeStack | undefined {
  return (
    stacks.find(({ name }) => name === selector) ?? stacks.find(({ name }) => name === selector.replaceAll('/', '-'))
  );
}

function unknownStack(
  { path, stack }: PathAndStack,
  stacks: readonly CodeStack[],
  cwd: string,
): readonly LocatedProblem[] {
  if (stack === undefined || findStack(stack, stacks) !== undefined) return [];
  const names = stacks.map(({ name }) => name);
  const message = `there is neither a file nor a stack "${stack}" here`;
  const hint = names.length === 0 ? 'Check the path.' : `The stacks of the app are ${names.join(', ')}.`;
  return [inputProblem(displayPath(path, cwd), 'stack.unknown', message, hint)];
}

function isWhole(input: Input): boolean {
  return input.type === 'stack' || (input.type === 'files' && input.isProject);
}

const emptyInput: ReadInput = { documents: [], problems: [], notes: [] };

async function readInput(input: Input, files: Files, options: InputOptions): Promise<ReadInput> {
  const { cwd, stdin, onStart } = options;
  switch (input.type) {
    case 'problem':
      return { ...emptyInput, problems: [input.problem], notes: input.notes };
    case 'stdin':
      onStart?.();
      return { ...emptyInput, ...(await (await fileReader()).readStandardInput(stdin)) };
    case 'stack':
      if (!files.isFirst(input.path)) return emptyInput;
      return { ...(await (await stackRunner()).runStack(input.path, options)), notes: input.notes };
    case 'files': {
      onStart?.();
      const aside = input.searched === undefined ? [] : (options.aside ?? []);
      const paths = input.paths.filter((path) => !aside.includes(path) && files.isFirst(path));
      const { documents, problems, otherFiles } = await (await fileReader()).readFiles(paths, cwd, files.isNamed);
      const found = [...(input.searched?.problems ?? []), ...problems];
      const isEmpty = input.searched !== undefined && !input.isProject && documents.length + found.length === 0;
      return {
        documents,
        problems: isEmpty && otherFiles.length > 0 ? [emptyFolder(input.searched.folder, cwd)] : found,
        files: paths,
        notes: inputNotes(input, { documents, files: paths.length - otherFiles.length, otherFiles }, cwd),
      };
    }
  }
}

/** The files that the PATHs name. */
class Files {
  readonly #named: ReadonlySet<string>;
  readonly #seen = new Set<string>();

  constructor(inputs: readonly Input[]) {
    this.#named = new Set(inputs.flatMap((input) => (input.type === 'files' && input.named ? input.paths : [])));
  }

  /** Whether no earlier PATH names the file, so that it is read once. */
  isFirst(path: string): boolean {
    const absolute = resolve(path);
    if (this.#seen.has(absolute)) return false;
    this.#seen.add(absolute);
    return true;
  }

  readonly isNamed = (path: string): boolean => this.#named.has(path);
}

/** Includes the YAML reader, which a stack alone does not need. */
function fileReader() {
  return import('./readFiles.ts');
}

/** Loaded only for a stack: plain manifests do not need it. */
function stackRunner() {
  return import('../stack/runStack.ts');
}

interface Read {
  readonly documents: readonly ManifestDocument[];
  /** The number of files with these documents. */
  readonly files: number;
  /** Files without anything like a manifest. */
  readonly otherFiles: readonly string[];
}

/**
 * Notes on found files: the omitted ones, and the number of files read if that is useful: in a folder that is not a
 * project, which may be the wrong one, or if anything was omitted.
 */
function inputNotes(
  { searched, isProject }: Extract<Input, { type: 'files' }>,
  { documents, files, otherFiles }: Read,
  cwd: string,
): readonly string[] {
  const left = [...(searched?.notes ?? []), ...otherFileNotes(otherFiles)];
  if (searched === undefined || (isProject && left.length === 0 && files > 0)) return left;
  const folder = displayPath(searched.folder, cwd);
  if (files === 0) return [...left, `note: there is no manifest in ${folder}`];
  return [
    ...left,
    `read ${counted(flatten(documents).length, 'manifest')} from ${counted(files, 'file')} in ${folder}`,
  ];
}

function otherFileNotes(strays: readonly string[]): readonly string[] {
  if (strays.length === 0) return [];
  const [are, them] = strays.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return [`note: ${firstOf(strays, mostNames)} ${are} left out: nothing in ${them} looks like a manifest`];
}
