import { resolve } from 'node:path';
import { compact, present } from '../../base/json/present.ts';
import { counted } from '../../base/text/counted.ts';
import { type ErrorCause, ToolError } from '../../base/toolError.ts';
import type { SavedInputs } from '../../change/savedPlan.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { loadValidators, type Validators } from '../../kinds/validators.ts';
import {
  CheckedAlone,
  type CheckedManifests,
  type CheckOptions,
  checkManifests,
  kindsOf,
} from '../../manifest/checkManifests.ts';
import type { FilledDocuments, FillOptions } from '../../manifest/fillValues.ts';
import { codeOf, fileProblem, type LocatedProblem, sortProblems } from '../../manifest/model/locatedProblem.ts';
import type { DesiredResource, ManifestDocument, Output } from '../../manifest/model/manifest.ts';
import type { NamedValues } from '../../manifest/outsidePlaces.ts';
import type { ParsedText } from '../../manifest/textPosition.ts';
import type { StackOrder } from '../../plan/order/stackOrder.ts';
import { openPolicies } from '../../policies/sandbox/openPolicies.ts';
import { settingsFileName } from '../../project/files/projectFiles.ts';
import { isIn } from '../../project/inputs/fileBytes.ts';
import { parentsInRepository } from '../../project/inputs/readIgnoreFiles.ts';
import { type Inputs, readInputs } from '../../project/inputs/readInputs.ts';
import { readOutside } from '../../project/inputs/readOutside.ts';
import { loadDialect } from '../../project/platform/dialectFile.ts';
import { embeddedOrg, orgOf } from '../../project/platform/platform.ts';
import type { Session } from '../../project/session/session.ts';
import { effectiveLimits } from '../../project/settings/effectiveLimits.ts';
import { valuesOf } from '../../project/settings/environment.ts';
import { openProject, type Project } from '../../project/settings/project.ts';
import type { Settings } from '../../project/settings/resolveSettings.ts';
import { readSettingsFile } from '../../project/settings/settingsFile.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { chooseStacks, type DeclaredStacks, markSameRun } from './chooseStacks.ts';
import { type PlanInput, preloadPlanning } from './planFromPlatform.ts';

/** Everything that the inputs declare, with all problems. */
export interface CheckedInputs extends DeclaredStacks {
  readonly problems: readonly LocatedProblem[];
  readonly scope: 'whole' | 'partial';
  readonly org: string;
  /** The files of code, if requested. */
  readonly files: readonly string[];
}

/** Whether values from environment variables, files and commands are read; unread ones count as valid. */
export type OutsideValues = 'read' | 'unread';

export interface CheckInputsOptions {
  /** The settings, if already read. */
  readonly project?: Project;
  /** The inputs, if already read. */
  readonly inputs?: Inputs;
  /** Called when there is time for other work: while a stack runs, or files are read. */
  readonly onStart?: () => void;
  /** Whether to return the files of code. */
  readonly includeFiles?: boolean;
  /** Whether positions of filled-in values point to the values of the environment. */
  readonly locateValues?: boolean;
}

/** Reads and checks all inputs; needs no platform and no org: without one, links count as those of `local`. */
export async function checkInputs(
  session: Session,
  paths: readonly string[],
  values: OutsideValues,
  loading: CheckInputsOptions,
): Promise<CheckedInputs> {
  const project = loading.project ?? (await openProject(session, paths));
  const org = session.options.embedded ? orgOf(session, project.settings) : (project.settings.org ?? embeddedOrg);
  const { dialect, env, chosenStack, kinds, environment } = project.settings;
  const environmentValues = environment === undefined ? undefined : valuesOf(environment);
  const { onStart, includeFiles = false } = loading;
  const { gvc } = project.settings;
  const concurrentCheck = new ConcurrentCheck({ org, ...present({ gvc }) });
  const { onDocuments } = concurrentCheck;
  const inputs =
    loading.inputs ??
    (await readInputs(paths, {
      ...session,
      onStart,
      onDocuments,
      env,
      values: environmentValues?.values,
      kinds,
      aside: compact([dialect]),
      includeFiles,
    }));
  for (const text of inputs.notes) await session.tell({ type: 'note', text });
  const isUsed = inputs.wantsEnvironment || environment !== undefined;
  if (!isUsed) await refuseUnusedEnvironment(session);
  const received = loading.inputs === undefined && inputs.wantsEnvironment ? environmentValues : undefined;
  const warnings =
    received === undefined
      ? []
      : (await import('../../project/settings/numberWarnings.ts')).numberWarnings(received, session.cwd);
  const selected = inputs.stacks.length < 2 ? undefined : (inputs.selected ?? listOf(chosenStack));
  const filled = await fillManifests(inputs.documents, environmentValues, loading);
  const outside = await readOutsideOfSelected(filled.documents, selected, values, (wanted) =>
    outsideOptions(session, project, wanted),
  );
  const neutral = await inNeutralWords(outside.documents, await loadDialect(dialect));
  const checked = await concurrentCheck.checkAll(neutral.documents);
  const names = inputs.stacks.map(({ name }) => name);
  const order = await orderOf(names, checked.resources, org);
  return {
    desired:
      selected === undefined
        ? checked.resources
        : checked.resources.filter(({ stack }) => stack !== undefined && selected.includes(stack)),
    problems: sortProblems([
      ...inputs.problems,
      ...warnings,
      ...filled.problems,
      ...outsideProblems(inputs.documents, names),
      ...outside.problems,
      ...neutral.problems,
      ...checked.problems,
      ...order.problems,
      ...sameFileProblems(checked.outputs),
      ...(session.options.foreign === undefined ? [] : foreignSaveProblems(checked.outputs, selected)),
    ]),
    outputs: checked.outputs,
    scope: inputs.scope,
    org,
    project,
    stacks: order.names,
    selected,
    all: checked.resources,
    declaredIn: stackNames(checked.resources),
    files: inputs.files,
  };
}

/** Fills in values; code already has them. */
async function fillManifests(
  documents: readonly ManifestDocument[],
  given: NamedValues | undefined,
  options: FillOptions,
): Promise<FilledDocuments> {
  const [written, code] = [documents.filter(isWritten), documents.filter((document) => !isWritten(document))];
  // Most manifests refer to no value, and skip the search for references.
  const isPlain =
    options.locateValues !== true && !written.some(({ value }) => JSON.stringify(value).includes('${values.'));
  if (isPlain || written.length === 0) return { documents: [...written, ...code], problems: [] };
  const { fillValues } = await import('../../manifest/fillValues.ts');
  const { documents: filled, problems } = fillValues(written, given, options);
  return { documents: [...filled, ...code], problems };
}

async function inNeutralWords(
  documents: readonly ManifestDocument[],
  dialect: Dialect | undefined,
): Promise<ParsedText> {
  if (dialect === undefined) return { documents, problems: [] };
  const { neutralDocuments } = await import('../../project/inputs/neutralDocuments.ts');
  return neutralDocuments(documents, dialect);
}

function isWritten({ written }: ManifestDocument): boolean {
  return written !== undefined;
}

function stackNames(resources: readonly DesiredResource[]): ReadonlyMap<ResourceId, string> {
  return new Map(compact(resources, ({ id, stack }) => (stack === undefined ? undefined : ([id, stack] as const))));
}

function listOf(stack: string | undefined): readonly string[] | undefined {
  return stack === undefined ? undefined : [stack];
}

/** Values from outside may be missing for stacks that are not selected. */
async function readOutsideOfSelected(
  documents: readonly ManifestDocument[],
  selected: readonly string[] | undefined,
  values: OutsideValues,
  optionsFor: (wanted: OutsideValues) => ReturnType<typeof outsideOptions>,
): Promise<ParsedText> {
  if (selected === undefined) return readOutside(documents, optionsFor(values));
  const isSelected = ({ madeBy }: ManifestDocument) => madeBy?.stack !== undefined && selected.includes(madeBy.stack);
  const [selectedTexts, others] = await Promise.all([
    readOutside(documents.filter(isSelected), optionsFor(values)),
    readOutside(
      documents.filter((document) => !isSelected(document)),
      optionsFor('unread'),
    ),
  ]);
  return {
    documents: [...selectedTexts.documents, ...others.documents],
    problems: [...selectedTexts.problems, ...others.problems],
  };
}

/** With several stacks, each resource must be in one; otherwise it would never be planned. */
function outsideProblems(documents: readonly ManifestDocument[], stacks: readonly string[]): readonly LocatedProblem[] {
  if (stacks.length < 2) return [];
  const hint = `Make it in one of them: ${stacks.join(', ')}.`;
  const message = `this resource is in none of the ${counted(stacks.length, 'stack')} of the app`;
  return documents
    .filter(({ madeBy }) => madeBy?.stack === undefined)
    .map(({ locate, madeBy }) => ({ ...fileProblem(locate([]), 'stack.outside', message, hint), ...codeOf(madeBy) }));
}

/** Outputs of one stack with the same file: one value would be lost. Different stacks may run in different folders. */
function sameFileProblems(outputs: readonly Output[]): readonly LocatedProblem[] {
  const first = new Map<string, string>();
  return outputs.flatMap(({ name, saveTo, stack, locate }) => {
    if (saveTo === undefined) return [];
    const key = JSON.stringify([stack, resolve(saveTo.file)]);
    const other = first.get(key);
    first.set(key, other ?? name);
    if (other === undefined) return [];
    const message = `the output ${other} is saved to this file, too`;
    return [fileProblem(locate(['saveTo', 'file']), 'output.save', message, 'Name another file.')];
  });
}

/** Stacks from foreign sources must not write files on this machine. */
function foreignSaveProblems(
  outputs: readonly Output[],
  selected: readonly string[] | undefined,
): readonly LocatedProblem[] {
  const hint = 'Keep the value in a secret: refer to it in the data of one, and leave out the output.';
  const message = 'saveTo is for folders: of a repository it would be a file on the machine of the worker';
  return outputs
    .filter(({ saveTo, stack }) => saveTo !== undefined && (stack === undefined || selected?.includes(stack) !== false))
    .map(({ locate }) => fileProblem(locate(['saveTo']), 'output.save', message, hint));
}

/** A single stack needs no order. */
async function orderOf(
  names: readonly string[],
  resources: readonly DesiredResource[],
  org: string,
): Promise<Pick<StackOrder, 'names' | 'problems'>> {
  if (names.length < 2) return { names, problems: [] };
  const { orderStacks } = await import('../../plan/order/stackOrder.ts');
  return orderStacks(names, resources, org);
}

function outsideOptions(session: Session, { folder, settings }: Project, values: OutsideValues) {
  const { cwd, options } = session;
  const { foreign } = options;
  const { files, commands } = settings.secrets;
  return {
    ...session,
    folder,
    files: foreign === undefined ? files : files.filter((file) => isIn(file, foreign)),
    closed: [resolve(cwd, settings.data), resolve(folder, settingsFileName)],
    commands: foreign === undefined ? commands : ('foreign' as const),
    wanted: values === 'read',
  };
}

/** The same for steps that cannot continue with problems, which are reported first. Errors: `input.invalid`. */
export async function loadManifests(
  session: Session,
  paths: readonly string[],
  values: OutsideValues = 'read',
  loading: CheckInputsOptions = {},
): Promise<CheckedInputs> {
  const checked = await checkInputs(session, paths, values, loading);
  await refuseProblems(session, checked.problems);
  return checked;
}

/** Reports the problems. Errors: `input.invalid` if one is an error. */
export async function refuseProblems(session: Session, problems: readonly LocatedProblem[]): Promise<void> {
  if (problems.length > 0) await session.tell({ type: 'problems', problems });
  const invalid = invalidInput(problems, '; nothing was written');
  if (invalid !== undefined) throw invalid;
}

/** A stack to plan. */
export interface LoadedStack extends PlanInput {
  readonly settings: Settings;
  readonly outputs: readonly Output[];
  /** Its origin, for saved plans. */
  readonly inputs: SavedInputs;
  /** The files of code, if requested. */
  readonly files: readonly string[];
}

export interface LoadStacksOptions extends CheckInputsOptions {
  readonly values?: OutsideValues;
  /** Whether to take all stacks if none is named. */
  readonly all?: boolean;
}

/** The error of a program that gets several stacks where it expects one. */
export function severalStacksError(owners: readonly string[], hint: string): ToolError {
  const names = owners.map((owner) => owner.replace(/[.@].*/, '')).join(', ');
  return new ToolError({
    code: 'stack.choose',
    message: `there are ${counted(owners.length, 'stack')}: ${names}`,
    hint,
  });
}

/**
 * The requested stacks, in the order of applying. Their process starts before the client and the planner are loaded,
 * which takes as long as a small stack.
 */
export async function loadStacks(
  session: Session,
  paths: readonly string[],
  { values = 'read', all = false, ...loading }: LoadStacksOptions,
): Promise<readonly LoadedStack[]> {
  const started = Promise.withResolvers<void>();
  const manifests = loadManifests(session, paths, values, {
    ...loading,
    onStart() {
      loading.onStart?.();
      started.resolve();
    },
  });
  const preloaded = Promise.race([manifests, started.promise]).then(preloadPlanning);
  const [checked] = await Promise.all([manifests, preloaded]);
  orgOf(session, checked.project.settings); // without an org there is no platform: report it before anything is opened
  return stacksOf(session, checked, loading.inputs === undefined ? paths : [inputOfProgram], all);
}

/** The checked inputs as stacks to plan. Errors: as `chooseStacks`. */
export async function stacksOf(
  session: Session,
  checked: CheckedInputs,
  paths: readonly string[],
  all: boolean,
): Promise<readonly LoadedStack[]> {
  const { scope, project, files } = checked;
  const { settings } = project;
  const policies = await openPolicies(session, project);
  const common = { ...planSettings(settings), policies, scope, settings, files, inputs: savedInputs(paths, settings) };
  return markSameRun(await chooseStacks(checked, session, all)).map((stack) => ({ ...stack, ...common }));
}

/**
 * Refuses a given environment that nothing uses. `GANTRY_ENV` may be intended for other tools: it is only refused if
 * the current folder, or one above it in the repository, has environments, whose limits would not apply. Errors:
 * `stack.environment`.
 */
async function refuseUnusedEnvironment({ options, environment, cwd }: Session): Promise<void> {
  if (options.env !== undefined) throw unusedEnvironment(options.env, '--env');
  const name = environment['GANTRY_ENV'] || undefined;
  if (name === undefined) return;
  const files = await Promise.all([cwd, ...(await parentsInRepository(cwd))].map(readSettingsFile));
  if (files.some(({ environments }) => environments !== undefined && environments.size > 0))
    throw unusedEnvironment(name, 'GANTRY_ENV');
}

function unusedEnvironment(name: string, by: '--env' | 'GANTRY_ENV'): ToolError {
  const source = by === '--env' ? `--env ${name}` : `GANTRY_ENV=${name}`;
  return new ToolError({
    code: 'stack.environment',
    message: `${source} has no effect: neither gantry.yaml nor the stack uses environments`,
    hint:
      'Write `environments` into gantry.yaml, or take the configuration from `new Environments({ … }).current()` in ' +
      `the stack; or leave out ${by}.`,
  });
}

/** Checks manifests one by one while the stack's process still sends others: on a second core this costs no time. */
export class ConcurrentCheck {
  readonly #options: Omit<CheckOptions, 'validators'>;
  readonly #alone = new CheckedAlone();
  #isOver = false;

  constructor(options: Omit<CheckOptions, 'validators'>) {
    this.#options = options;
  }

  readonly onDocuments = (documents: readonly ManifestDocument[]): void => {
    const check = (validators: Validators) => {
      if (this.#isOver) return;
      for (const document of documents) this.#alone.add(document, { ...this.#options, validators });
    };
    // `checkAll` loads the validator again, and reports the failure.
    loadValidators(kindsOf(documents)).then(check, () => undefined);
  };

  async checkAll(documents: readonly ManifestDocument[]): Promise<CheckedManifests> {
    this.#isOver = true;
    const validators = await loadValidators(kindsOf(documents));
    return checkManifests(documents, { ...this.#options, validators }, this.#alone);
  }
}

/** The error for manifests with problems, with a cause for each; `consequence` continues the message. */
export function invalidInput(problems: readonly LocatedProblem[], consequence: string): ToolError | undefined {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return undefined;
  return new ToolError({
    code: 'input.invalid',
    message: `${counted(errors.length, 'problem')}${consequence}`,
    hint: hintFor(errors),
    causes: errors.map(causeOf),
  });
}

/** Names `gantry validate` only if it would find an error: not for values from outside and this command's own paths. */
function hintFor(errors: readonly LocatedProblem[]): string {
  const correct = errors.length === 1 ? 'Correct it.' : 'Correct them.';
  const isOffline = errors.some(({ rule }) => !/^(value|input)\./.test(rule));
  return isOffline ? `${correct} gantry validate checks manifests without a platform.` : correct;
}

function causeOf({
  rule,
  path,
  message,
  hint,
  resource,
  construct,
  callers,
  position: { file, line, column },
}: LocatedProblem): ErrorCause {
  return {
    code: rule,
    message: path === '' ? message : `${path}: ${message}`,
    hint,
    resource,
    place: { file, line, column },
    construct,
    callers,
  };
}

/** The settings of a project for every plan made now. */
export function planSettings(settings: Settings): Pick<PlanInput, 'directives' | 'price' | 'limits' | 'nowMs'> {
  const { directives, price } = settings;
  return { directives, price, limits: effectiveLimits(settings), nowMs: Date.now() };
}

/** Represents the inputs of a plan whose stack was made by a program: they cannot be read again. */
export const inputOfProgram = '(program)';

/** The origin of a saved plan. `paths`: as given. */
export function savedInputs(paths: readonly string[], { gvc, environment }: Settings): SavedInputs {
  return {
    paths: paths.length === 0 ? ['.'] : paths,
    ...present({ gvc, environment: environment?.name }),
  };
}
