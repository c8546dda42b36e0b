import type { Surroundings } from '../../automation/session/session.ts';

/** Opens an address in the user's browser. Returns why not, where it did not: then somebody has to do it by hand. */
export async function openBrowser(
  url: string,
  environment: Surroundings['environment'],
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  const why = whyNot(environment, platform);
  if (why !== undefined) return why;
  const { default: open } = await import('open');
  try {
    await open(url);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What there is without a screen would take the terminal, or be seen by nobody. */
function whyNot(environment: Surroundings['environment'], platform: NodeJS.Platform): string | undefined {
  const has = (name: string): boolean => (environment[name] ?? '') !== '';
  if (has('CI')) return 'this is a pipeline (CI is set)';
  if (has('SSH_CONNECTION') || has('SSH_TTY')) return 'this is a session on another machine (SSH)';
  const isX = platform === 'linux' || platform.endsWith('bsd');
  if (isX && !['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME'].some(has)) return 'there is no screen';
  return undefined;
}
