import type { FirstReads } from '../../client/firstReads.ts';
import { openPlatform, type Platform, type PlatformOptions } from '../../project/platform/platform.ts';
import type { Session } from '../../project/session/session.ts';
import { openProject, ownerOfProject, type Project } from '../../project/settings/project.ts';
import { type LoadedStack, loadStacks, oneOnly } from './loadStack.ts';

/** A stack that can be planned, and the platform that it is planned on. */
export interface StackOnPlatform {
  readonly stack: LoadedStack;
  readonly platform: Platform;
}

/** The stacks that a command is about, in the order in which they are applied. */
export interface StacksOnPlatform {
  readonly stacks: readonly LoadedStack[];
  readonly platform: Platform;
}

/** A stack that takes longer may change what the first answers say. */
const freshMs = 5_000;

/**
 * Loads a stack while a platform that is there already answers what any plan of it asks first. Whatever is wrong with
 * that is told when the stack is loaded: what is wrong with the stack comes first.
 */
export async function loadStackOnPlatform(
  session: Session<PlatformOptions>,
  paths: readonly string[],
): Promise<StackOnPlatform> {
  const { stacks, platform } = await loadStacksOnPlatform(session, paths, false);
  const [stack, second] = stacks;
  if (stack !== undefined && second === undefined) return { stack, platform };
  await platform.close();
  throw oneOnly();
}

/** `all`: of several stacks all, where none is named. */
export async function loadStacksOnPlatform(
  session: Session<PlatformOptions>,
  paths: readonly string[],
  all: boolean,
): Promise<StacksOnPlatform> {
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
