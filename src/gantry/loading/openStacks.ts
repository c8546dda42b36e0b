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

/** Stacks to plan, or stacks known by name, in their order, with their platform. */
export interface OpenedStacks<Stack = LoadedStack> extends AsyncDisposable {
  readonly stacks: readonly Stack[];
  /** `given`: the state from a file, if that replaces a platform. */
  readonly platform: Platform & { readonly savedState?: SavedState };
}

export interface OpenStacksOptions {
  /** Whether to take all stacks if none is named. */
  readonly all: boolean;
  /** A file with the live state, in the form of `GET /-snapshot`, instead of a platform. */
  readonly snapshot?: string | undefined;
}

/** The stacks of some paths. */
export function openStacks(
  session: Session<PlatformOptions>,
  paths: readonly string[],
  { all, snapshot }: OpenStacksOptions,
): Promise<OpenedStacks> {
  return phase(session, 'load', async () =>
    withDispose(
      await (snapshot === undefined
        ? openOnPlatform(session, paths, all)
        : openOnSnapshot(session, paths, all, snapshot)),
    ),
  );
}

/** The stacks to destroy, the last one first. */
export async function openDestroyed(
  session: Session<PlatformOptions>,
  paths: readonly string[],
  all: boolean,
): Promise<OpenedStacks> {
  const project = await openProject(session, paths);
  const { destroyedStacks } = await import('./destroyedStacks.ts');
  const stacks = await destroyedStacks(session, project, paths, all);
  return withDispose({ stacks, platform: await openPlatform(session, project.settings) });
}

/** The stacks that a step examines, which need no manifests. */
export async function openNamed(
  session: Session<PlatformOptions>,
  paths: readonly string[],
  options: Parameters<typeof namedStacks>[2],
): Promise<OpenedStacks<OwnedStack>> {
  const { stacks, settings } = await phase(session, 'load', () => namedStacks(session, paths, options));
  return withDispose({ stacks, platform: await openPlatform(session, settings) });
}

/** The stacks with their manifests, but without values from outside. */
export async function openUnread(
  session: Session<PlatformOptions>,
  paths: readonly string[],
  { all }: Pick<OpenStacksOptions, 'all'>,
): Promise<OpenedStacks> {
  const project = await openProject(session, paths);
  const stacks = await phase(session, 'load', () => loadStacks(session, paths, { project, values: 'unread', all }));
  return withDispose({ stacks, platform: await openPlatform(session, project.settings) });
}

function withDispose<Stack>(opened: Omit<OpenedStacks<Stack>, keyof AsyncDisposable>): OpenedStacks<Stack> {
  return { ...opened, [Symbol.asyncDispose]: () => opened.platform.close() };
}

async function openOnSnapshot(
  baseSession: Session<PlatformOptions>,
  paths: readonly string[],
  all: boolean,
  snapshot: string,
) {
  const document = await readSnapshotFile(snapshot, baseSession);
  const org = await orgOfSnapshot(document, baseSession, paths);
  const session = org === undefined ? baseSession : { ...baseSession, options: { ...baseSession.options, org } };
  const project = await openProject(session, paths);
  const stacks = await loadStacks(session, paths, { project, all });
  return { stacks, platform: await openSnapshotFile(document, orgOf(session, project.settings)) };
}

/** While a stack takes longer, the first answers may become outdated. */
const earlyReadsValidMs = 5_000;

/**
 * Loads stacks while a running platform already answers the first queries of every plan. Errors of the platform are
 * reported after loading, because errors of the stack come first.
 */
async function openOnPlatform(session: Session<PlatformOptions>, paths: readonly string[], all: boolean) {
  const startedMs = session.now();
  const project = await openProject(session, paths);
  let pendingReads: Promise<EarlyReads | undefined> | undefined;
  const onStart = () => {
    pendingReads ??= startEarlyReads(session, project).catch(() => undefined);
  };
  try {
    const stacks = await loadStacks(session, paths, { project, onStart, all });
    const earlyReads = await pendingReads;
    if (earlyReads === undefined) return { stacks, platform: await openPlatform(session, project.settings) };
    earlyReads.platform.tellRetriesTo(undefined);
    const isFresh = session.now() - startedMs < earlyReadsValidMs;
    const { platform, first, owner } = earlyReads;
    return {
      stacks: stacks.map((stack) => (isFresh && stack.owner === owner ? { ...stack, first } : stack)),
      platform,
    };
  } catch (error) {
    void pendingReads?.then((reads) => reads?.abandon());
    throw error;
  }
}

interface EarlyReads {
  readonly owner: string;
  readonly platform: Platform;
  readonly first: FirstReads;
  abandon(): Promise<void>;
}

/** Undefined if the platform is not started yet, or not known. */
async function startEarlyReads(session: Session<PlatformOptions>, project: Project): Promise<EarlyReads | undefined> {
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

/** A live state from a file, used as a platform. */
interface SnapshotPlatform extends Platform {
  readonly savedState: SavedState;
}

/** Reads the file of `--snapshot`. Errors: `file.read`. */
function readSnapshotFile(path: string, { cwd }: Pick<Session, 'cwd'>): Promise<JsonObject> {
  return readDocumentFile(resolve(cwd, path), '--snapshot', fileSizes.state);
}

/** The org of a file that contains only one, if no other is named; otherwise undefined. */
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
  const savedState = await openSavedState(document, org);
  return { client: savedState.client, org, savedState, tellRetriesTo() {}, close: () => savedState.close() };
}

/**
 * The reason why values of secrets are unknown: they were not refused, the file lacks them. Undefined if no value is
 * missing.
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
