import { exitCode } from '../../src/cli/exitCode.ts';
import { exitCodeOf, makeProgram } from '../../src/cli/program.ts';
import { renderError } from '../../src/cli/render/errorText.ts';
import { makePalette } from '../../src/cli/render/palette.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { UsageError } from '../../src/cli/usageError.ts';
import { CommanderError } from 'commander';
import { dialectSetting } from './harness/dialect.ts';
import type { Outcome } from './harness/gantry.ts';
import { token } from './harness/platform.ts';

/**
 * One command line, as the process of `harness/gantry.ts` would run it against the platform at `url`, in this process: a
 * tenth of the time, for tests of many commands. Nobody can be asked.
 */
export async function inProcess(
  url: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Outcome> {
  const palette = makePalette(false);
  const [out, err]: [string[], string[]] = [[], []];
  const terminal: Terminal = {
    result: (text) => void out.push(`${text}\n`),
    message: (text) => void err.push(`${text}\n`),
    draw: (text) => void err.push(text),
    palette,
    messagePalette: palette,
    live: false,
    canAsk: false,
    size: () => ({ columns: 80, rows: 24 }),
  };
  const environment = { GANTRY_ENDPOINT: url, GANTRY_TOKEN: token, GANTRY_ORG: 'local', ...dialectSetting, ...env };
  let code: number = exitCode.ok;
  try {
    const program = makeProgram(async (options, command) => {
      const stdin = (async function* () {})();
      code = await command({ options, terminal, environment, cwd, stdin, now: () => performance.now() });
    });
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) code = exitCodeOf(error.exitCode);
    else code = error instanceof UsageError ? exitCode.usage : exitCode.failed;
    err.push(renderError(error, { gantry: 'test', node: process.version }, palette));
  }
  return { code, stdout: out.join(''), stderr: err.join('') };
}
