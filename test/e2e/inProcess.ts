import { exitCode } from '../../src/cli/exitCode.ts';
import { OneDocument } from '../../src/cli/answer/answer.ts';
import { exitCodeOfEnding } from '../../src/cli/answer/ending.ts';
import { errorToJson } from '../../src/cli/answer/errorDocument.ts';
import { outputFormatOf } from '../../src/cli/answer/outputFormat.ts';
import { renderError } from '../../src/cli/render/errorText.ts';
import { makePalette } from '../../src/cli/render/palette.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { parseCommandLine } from '../../src/cli/usage/parseCommandLine.ts';
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
    resultColumns: () => Number.POSITIVE_INFINITY,
    size: () => ({ columns: 80, rows: 24 }),
  };
  const environment = { GANTRY_ENDPOINT: url, GANTRY_TOKEN: token, GANTRY_ORG: 'local', ...dialectSetting, ...env };
  const answer = new OneDocument(outputFormatOf(args), (text) => void out.push(text));
  let ended: unknown = exitCode.ok;
  try {
    await parseCommandLine(args, async (options, command) => {
      const stdin = (async function* () {})();
      ended = await command({ options, terminal, answer, environment, cwd, stdin, now: () => performance.now() });
    });
  } catch (error) {
    ended = error;
    err.push(renderError(ended, { gantry: 'test', node: process.version }, palette));
  }
  const code = exitCodeOfEnding(ended);
  await answer.close(code === exitCode.ok || code === exitCode.changes ? undefined : errorToJson(ended, code));
  return { code, stdout: out.join(''), stderr: err.join('') };
}
