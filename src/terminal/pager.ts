import { runUserCommand } from './userCommand.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The command that shows what is longer than the screen: GANTRY_PAGER, else PAGER, else `less`. Undefined: none, as an
 * empty text and `cat` say, and commands that show nothing.
 */
export function pagerOf(environment: Environment, platform: NodeJS.Platform = process.platform): string | undefined {
  const chosen = environment['GANTRY_PAGER'] ?? environment['PAGER'];
  if (chosen !== undefined) return /^\s*(?:(?:cat|true|false|:)\s*)?$/.test(chosen) ? undefined : chosen;
  // A machine without it is no reason for a message.
  return platform === 'win32' ? undefined : 'if command -v less >/dev/null; then less; else cat; fi';
}

/** Where nothing says which characters are used, less shows those beyond ASCII as their bytes. */
function charset(environment: Environment): Environment {
  const isSaid = ['LC_ALL', 'LC_CTYPE', 'LANG', 'LESSCHARDEF'].some((name) => environment[name]);
  return isSaid ? {} : { LESSCHARSET: 'utf-8' };
}

/** Shows a text in a pager, and waits for its end; who leaves it early has read enough. False: the pager failed. */
export async function showInPager(pager: string, text: string, environment: Environment): Promise<boolean> {
  const end = await runUserCommand({
    line: pager,
    input: `${text}\n`,
    // As git and gh have it: it ends by itself on one screen, shows colours, and leaves the text there.
    environment: { LESS: 'FRX', LV: '-c', ...charset(environment), ...environment },
  });
  return end === 0 || typeof end === 'string';
}
