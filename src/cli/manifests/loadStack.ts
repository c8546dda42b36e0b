import { resolve } from 'node:path';
import { checkManifests, kindsOf } from '../../manifest/check/checkManifests.ts';
import { type LocatedProblem, sortProblems } from '../../manifest/model/locatedProblem.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { loadValidators } from '../../schema/validation/validators.ts';
import { settingsFileName } from '../files/projectFiles.ts';
import { readInputs } from '../inputs/readInputs.ts';
import type { CommandContext } from '../line/context.ts';
import { readOutside } from '../outside/readOutside.ts';
import { type PlanInput, preloadPlanning } from '../planning/planFromPlatform.ts';
import { embeddedOrg, orgOf } from '../platform/platform.ts';
import { openProject, ownerOfProject, type Project } from '../settings/project.ts';
import type { Settings } from '../settings/settings.ts';
import { printable } from '../terminal/printable.ts';
import { invalidInput } from './invalidInput.ts';

/** Everything that the inputs declare, with everything that is wrong with it. */
export interface CheckedInputs {
  readonly desired: readonly DesiredResource[];
  readonly problems: readonly LocatedProblem[];
  readonly scope: 'whole' | 'partial';
  readonly org: string;
  readonly project: Project;
}

/** Whether values from environment variables, files and commands are read; unread ones are taken to be right. */
export type OutsideWanted = 'read' | 'unread';

export interface Loading {
  /** Where its settings were read already. */
  readonly project?: Project;
  /** Called when there is time for other things: while a stack runs, or files are read. */
  readonly onStart?: () => void;
}

/** Reads and checks all inputs; needs no platform, and so no org: without one, links are taken as those of `local`. */
export async function checkInputs(
  context: CommandContext,
  paths: readonly string[],
  values: OutsideWanted = 'read',
  loading: Loading = {},
): Promise<CheckedInputs> {
  const project = loading.project ?? (await openProject(context, paths));
  const org = context.options.embedded ? orgOf(context, project.settings) : (project.settings.org ?? embeddedOrg);
  const inputs = await readInputs(paths, {
    cwd: context.cwd,
    stdin: context.stdin,
    now: context.now,
    tell: context.terminal.message,
    onStart: loading.onStart,
  });
  for (const note of inputs.notes) context.terminal.message(printable(note));
  const outside = await readOutside(inputs.documents, outsideOptions(context, project, values));
  const { gvc } = project.settings;
  const checked = checkManifests(outside.documents, {
    org,
    ...(gvc === undefined ? {} : { gvc }),
    validators: await loadValidators(kindsOf(outside.documents)),
  });
  return {
    desired: checked.resources,
    problems: sortProblems([...inputs.problems, ...outside.problems, ...checked.problems]),
    scope: inputs.scope,
    org,
    project,
  };
}

function outsideOptions({ cwd, environment }: CommandContext, { folder, settings }: Project, values: OutsideWanted) {
  return {
    cwd,
    folder,
    files: settings.secrets.files,
    closed: [resolve(cwd, settings.data), resolve(folder, settingsFileName)],
    commands: settings.secrets.commands,
    environment,
    wanted: values === 'read',
  };
}

/** The same for commands that cannot go on with problems, which are told as messages. Errors: `input.invalid`. */
export async function loadManifests(
  context: CommandContext,
  paths: readonly string[],
  values: OutsideWanted = 'read',
  loading: Loading = {},
): Promise<CheckedInputs> {
  const checked = await checkInputs(context, paths, values, loading);
  if (checked.problems.length > 0) await tellProblems(checked.problems, context);
  const invalid = invalidInput(checked.problems, '; nothing was written');
  if (invalid !== undefined) throw invalid;
  return checked;
}

async function tellProblems(problems: readonly LocatedProblem[], { terminal }: CommandContext): Promise<void> {
  const { renderProblems } = await import('./problemText.ts');
  const width = terminal.live ? terminal.size().columns : Number.POSITIVE_INFINITY;
  for (const line of renderProblems(problems, { palette: terminal.messagePalette, width })) terminal.message(line);
}

/** A stack that can be planned. */
export interface LoadedStack extends PlanInput {
  readonly settings: Settings;
}

/** Its process has its work before the client and the planner are loaded, which takes as long as a small stack. */
export async function loadStack(
  context: CommandContext,
  paths: readonly string[],
  values: OutsideWanted = 'read',
  loading: Loading = {},
): Promise<LoadedStack> {
  const started = Promise.withResolvers<void>();
  const manifests = loadManifests(context, paths, values, {
    ...loading,
    onStart() {
      loading.onStart?.();
      started.resolve();
    },
  });
  const preloaded = Promise.race([manifests, started.promise]).then(preloadPlanning);
  const [{ project, desired, scope }] = await Promise.all([manifests, preloaded]);
  orgOf(context, project.settings); // without an org there is no platform: say so before anything is opened
  const { settings } = project;
  return {
    desired,
    owner: ownerOfProject(context, project),
    scope,
    directives: settings.directives,
    price: settings.price,
    settings,
  };
}
