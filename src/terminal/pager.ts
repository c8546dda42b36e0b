import { runUserCommand } from './userCommand.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The command for output that is longer than the screen: GANTRY_PAGER, else PAGER, else `less`. Undefined for none: an
 * empty text, `cat`, and commands that show nothing.
 */
export function pagerOf(environment: Environment, platform: NodeJS.Platform = process.platform): string | undefined {
  const chosen = environment['GANTRY_PAGER'] ?? environment['PAGER'];
  if (chosen !== undefined) return /^\s*(?:(?:cat|true|false|:)\s*)?$/.test(chosen) ? undefined : chosen;
  // A missing `less` is not worth a message.
  return platform === 'win32' ? undefined : 'if command -v less >/dev/null; then less; else cat; fi';
}

/** Without a configured character set, less shows characters beyond ASCII as their bytes. */
function charset(environment: Environment): Environment {
  const isSaid = ['LC_ALL', 'LC_CTYPE', 'LANG', 'LESSCHARDEF'].some((name) => environment[name]);
  return isSaid ? {} : { LESSCHARSET: 'utf-8' };
}

/** Shows a text in a pager, and waits for its end; leaving it early is a success. False if the pager failed. */
export async function showInPager(pager: string, text: string, environment: Environment): Promise<boolean> {
  const end = await runUserCommand({
    line: pager,
    input: `${text}\n`,
    // Like git and gh: it exits if the text fits on one screen, shows colours, and leaves the text on the screen.
    environment: { LESS: 'FRX', LV: '-c', ...charset(environment), ...environment },
  });
  return end === 0 || typeof end === 'string';
}
