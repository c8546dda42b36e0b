import type { FirstReads } from '../../client/firstReads.ts';
import { openPlatform, type Platform, type PlatformOptions } from '../platform/platform.ts';
import type { Session } from '../session/session.ts';
import { openProject, ownerOfProject, type Project } from '../settings/project.ts';
import { type LoadedStack, loadStack } from './loadStack.ts';

/** A stack that can be planned, and the platform that it is planned on. */
export interface StackOnPlatform {
  readonly stack: LoadedStack;
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
  const startedMs = session.now();
  const project = await openProject(session, paths);
  let asking: Promise<Asked | undefined> | undefined;
  const onStart = () => {
    asking ??= askAhead(session, project).catch(() => undefined);
  };
  try {
    const stack = await loadStack(session, paths, 'read', { project, onStart });
    const asked = await asking;
    if (asked === undefined) return { stack, platform: await openPlatform(session, stack.settings) };
    asked.platform.tellRetriesTo(undefined);
    const isFresh = session.now() - startedMs < freshMs;
    return { stack: isFresh ? { ...stack, first: asked.first } : stack, platform: asked.platform };
  } catch (error) {
    void asking?.then((asked) => asked?.abandon());
    throw error;
  }
}

interface Asked {
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
    platform,
    first: askFirst(platform.client, owner),
    abandon() {
      platform.client.stopRetrying();
      return platform.close();
    },
  };
}
