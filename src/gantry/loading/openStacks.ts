import { resolve } from 'node:path';
import { type JsonObject, objectAt } from '../../base/json/json.ts';
import type { FirstReads } from '../../client/firstReads.ts';
import { readDocumentFile } from '../../project/files/documentFile.ts';
import { fileSizes } from '../../project/files/sizes.ts';
import { openPlatform, orgOf, type Platform, type PlatformOptions } from '../../project/platform/platform.ts';
import { phase, type Session } from '../../project/session/session.ts';
import { openProject, ownerOfProject, type Project } from '../../project/settings/project.ts';
import type { SavedState } from '../../rehearsal/savedState.ts';
import { type LoadedStack, loadStacks } from './loadStack.ts';
import { namedStacks, type OwnedStack } from './namedStack.ts';

/** Stacks that can be planned, or that are known by their names, in their order, and the platform that they are on. */
export interface OpenedStacks<Stack = LoadedStack> extends AsyncDisposable {
  readonly stacks: readonly Stack[];
  /** `given`: the state out of a file, where that is in place of a platform. */
  readonly platform: Platform & { readonly given?: SavedState };
}

export interface Opening {
  /** Of several stacks all, where none is named. */
  readonly all: boolean;
  /** A file with the live state, as of `GET /-snapshot`: no platform is asked. */
  readonly snapshot?: string | undefined;
}

/** The stacks of some paths. */
export function openStacks(
  session: Session<PlatformOptions>,
  paths: readonly string[],
  { all, snapshot }: Opening,
): Promise<OpenedStacks> {
  return phase(session, 'load', async () =>
    closing(
      await (snapshot === undefined ? onPlatform(session, paths, all) : onSnapshot(session, paths, all, snapshot)),
    ),
  );
}

/** The stacks that are to be destroyed, the last one first. */
export async function openDestroyed(
  session: Session<PlatformOptions>,
  paths: readonly string[],
  all: boolean,
): Promise<OpenedStacks> {
  const project = await openProject(session, paths);
  const { destroyedStacks } = await import('./destroyedStacks.ts');
  const stacks = await destroyedStacks(session, project, paths, all);
  return closing({ stacks, platform: await openPlatform(session, project.settings) });
}

/** The stacks that a step looks at, which need no manifests. */
export async function openNamed(
  session: Session<PlatformOptions>,
  paths: readonly string[],
  how: Parameters<typeof namedStacks>[2],
): Promise<OpenedStacks<OwnedStack>> {
  const { stacks, settings } = await phase(session, 'load', () => namedStacks(session, paths, how));
  return closing({ stacks, platform: await openPlatform(session, settings) });
}

/** The stacks whose manifests a step looks at, but none of the values that these take from outside. */
export async function openUnread(
  session: Session<PlatformOptions>,
  paths: readonly string[],
  { all }: Pick<Opening, 'all'>,
): Promise<OpenedStacks> {
  const project = await openProject(session, paths);
  const stacks = await phase(session, 'load', () => loadStacks(session, paths, { project, values: 'unread', all }));
  return closing({ stacks, platform: await openPlatform(session, project.settings) });
}

function closing<Stack>(opened: Omit<OpenedStacks<Stack>, keyof AsyncDisposable>): OpenedStacks<Stack> {
  return { ...opened, [Symbol.asyncDispose]: () => opened.platform.close() };
}

async function onSnapshot(given: Session<PlatformOptions>, paths: readonly string[], all: boolean, snapshot: string) {
  const document = await readSnapshotFile(snapshot, given);
  const org = await orgOfSnapshot(document, given, paths);
  const session = org === undefined ? given : { ...given, options: { ...given.options, org } };
  const project = await openProject(session, paths);
  const stacks = await loadStacks(session, paths, { project, all });
  return { stacks, platform: await openSnapshotFile(document, orgOf(session, project.settings)) };
}

/** A stack that takes longer may change what the first answers say. */
const freshMs = 5_000;

/**
 * Loads stacks while a platform that is there already answers what any plan of it asks first. Whatever is wrong with
 * that is told when the stack is loaded: what is wrong with the stack comes first.
 */
async function onPlatform(session: Session<PlatformOptions>, paths: readonly string[], all: boolean) {
  const startedMs = session.now();
  const project = await openProject(session, paths);
  let asking: Promise<Asked | undefined> | undefined;
  const onStart = () => {
    asking ??= askAhead(session, project).catch(() => undefined);
  };
  try {
    const stacks = await loadStacks(session, paths, { project, onStart, all });
    const asked = await asking;
    if (asked === undefined) return { stacks, platform: await openPlatform(session, project.settings) };
    asked.platform.tellRetriesTo(undefined);
    const isFresh = session.now() - startedMs < freshMs;
    const { platform, first, owner } = asked;
    return {
      stacks: stacks.map((stack) => (isFresh && stack.owner === owner ? { ...stack, first } : stack)),
      platform,
    };
  } catch (error) {
    void asking?.then((asked) => asked?.abandon());
    throw error;
  }
}

interface Asked {
  readonly owner: string;
  readonly platform: Platform;
  readonly first: FirstReads;
  abandon(): Promise<void>;
}

/** Undefined: the platform has yet to be started, or is not known. */
async function askAhead(session: Session<PlatformOptions>, project: Project): Promise<Asked | undefined> {
  const { settings } = project;
  if (session.options.embedded || settings.endpoint === undefined || settings.org === undefined) return undefined;
  const owner = ownerOfProject(session, project);
  const platform = await openPlatform(session, settings);
  platform.tellRetriesTo(() => undefined);
  const { askFirst } = await import('../../client/firstReads.ts');
  return {
    owner,
    platform,
    first: askFirst(platform.client, owner),
    abandon() {
      platform.client.stopRetrying();
      return platform.close();
    },
  };
}

/** A live state out of a file, in place of a platform. */
interface SnapshotPlatform extends Platform {
  readonly given: SavedState;
}

/** Reads the file of `--snapshot`. Errors: `file.read`. */
function readSnapshotFile(path: string, { cwd }: Pick<Session, 'cwd'>): Promise<JsonObject> {
  return readDocumentFile(resolve(cwd, path), '--snapshot', fileSizes.state);
}

/** The org of a file that holds one only is meant where no other is named. Undefined: another is, or there are several. */
async function orgOfSnapshot(
  document: JsonObject,
  session: Session,
  paths: readonly string[],
): Promise<string | undefined> {
  const [org, ...others] = Object.keys(objectAt(document, 'orgs'));
  if (org === undefined || others.length > 0 || session.options.embedded) return undefined;
  const { settings } = await openProject(session, paths);
  return settings.org === undefined ? org : undefined;
}

/** No endpoint, no token, no network. Errors: `server.snapshot`. */
async function openSnapshotFile(document: JsonObject, org: string): Promise<SnapshotPlatform> {
  const { openSavedState } = await import('../../rehearsal/savedState.ts');
  const given = await openSavedState(document, org);
  return { client: given.client, org, given, tellRetriesTo() {}, close: () => given.close() };
}

/**
 * Reason values of secrets are unknown: nobody refused them, the file does not hold them. Undefined: none is missed.
 */
export function sealedNote(
  path: string,
  unrevealed: ReadonlySet<string>,
  { base }: Pick<SavedState, 'base'>,
): string | undefined {
  const missed = base.sealed.filter((id) => unrevealed.has(id)).length;
  if (missed === 0) return undefined;
  const values = missed === 1 ? 'the values of 1 secret that is' : `the values of ${missed} secrets that are`;
  return `note: ${path} does not hold ${values} declared: take it with GET /-snapshot?secrets=true to compare them`;
}
