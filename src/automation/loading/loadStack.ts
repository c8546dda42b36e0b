import { resolve } from 'node:path';
import { checkManifests, kindsOf } from '../../manifest/check/checkManifests.ts';
import { type LocatedProblem, sortProblems } from '../../manifest/model/locatedProblem.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { loadValidators } from '../../schema/validation/validators.ts';
import { settingsFileName } from '../files/projectFiles.ts';
import { type Inputs, readInputs } from '../inputs/readInputs.ts';
import { readOutside } from '../outside/readOutside.ts';
import { type PlanInput, preloadPlanning } from '../planning/planFromPlatform.ts';
import { embeddedOrg, orgOf } from '../platform/platform.ts';
import type { Session } from '../session/session.ts';
import { openProject, ownerOfProject, type Project } from '../settings/project.ts';
import type { Settings } from '../settings/settings.ts';
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
  /** Where what declares resources was read already. */
  readonly inputs?: Inputs;
  /** Called when there is time for other things: while a stack runs, or files are read. */
  readonly onStart?: () => void;
}

/** Reads and checks all inputs; needs no platform, and so no org: without one, links are taken as those of `local`. */
export async function checkInputs(
  session: Session,
  paths: readonly string[],
  values: OutsideWanted = 'read',
  loading: Loading = {},
): Promise<CheckedInputs> {
  const project = loading.project ?? (await openProject(session, paths));
  const org = session.options.embedded ? orgOf(session, project.settings) : (project.settings.org ?? embeddedOrg);
  const inputs = loading.inputs ?? (await readInputs(paths, { ...session, onStart: loading.onStart }));
  for (const text of inputs.notes) await session.tell({ type: 'note', text });
  const outside = await readOutside(inputs.documents, outsideOptions(session, project, values));
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

function outsideOptions(session: Session, { folder, settings }: Project, values: OutsideWanted) {
  const { cwd } = session;
  return {
    ...session,
    folder,
    files: settings.secrets.files,
    closed: [resolve(cwd, settings.data), resolve(folder, settingsFileName)],
    commands: settings.secrets.commands,
    wanted: values === 'read',
  };
}

/** The same for steps that cannot go on with problems, which are told first. Errors: `input.invalid`. */
export async function loadManifests(
  session: Session,
  paths: readonly string[],
  values: OutsideWanted = 'read',
  loading: Loading = {},
): Promise<CheckedInputs> {
  const checked = await checkInputs(session, paths, values, loading);
  const { problems } = checked;
  if (problems.length > 0) await session.tell({ type: 'problems', problems });
  const invalid = invalidInput(problems, '; nothing was written');
  if (invalid !== undefined) throw invalid;
  return checked;
}

/** A stack that can be planned. */
export interface LoadedStack extends PlanInput {
  readonly settings: Settings;
}

/** Its process has its work before the client and the planner are loaded, which takes as long as a small stack. */
export async function loadStack(
  session: Session,
  paths: readonly string[],
  values: OutsideWanted = 'read',
  loading: Loading = {},
): Promise<LoadedStack> {
  const started = Promise.withResolvers<void>();
  const manifests = loadManifests(session, paths, values, {
    ...loading,
    onStart() {
      loading.onStart?.();
      started.resolve();
    },
  });
  const preloaded = Promise.race([manifests, started.promise]).then(preloadPlanning);
  const [{ project, desired, scope }] = await Promise.all([manifests, preloaded]);
  orgOf(session, project.settings); // without an org there is no platform: say so before anything is opened
  const { settings } = project;
  return {
    desired,
    owner: ownerOfProject(session, project),
    scope,
    directives: settings.directives,
    price: settings.price,
    settings,
  };
}
