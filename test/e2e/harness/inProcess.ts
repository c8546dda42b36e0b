import { dirname, join, resolve } from 'node:path';
import { parseCommandLine } from '../../../src/cli/run.ts';
import { OneDocument, outputFormatOf } from '../../../src/terminal/answer.ts';
import { exitCodeOfEnding } from '../../../src/terminal/ending.ts';
import { errorToJson } from '../../../src/terminal/errorDocument.ts';
import { renderError } from '../../../src/terminal/errorText.ts';
import { exitCode } from '../../../src/terminal/exitCode.ts';
import { noticesOn } from '../../../src/terminal/notices.ts';
import { silentTerminal } from '../../cli/silentTerminal.ts';
import type { Outcome } from '../../outcome.ts';
import { removeAfterFile } from '../../temporaryFolder.ts';
import { environmentFor, type RunOptions } from './gantry.ts';
import type { Platform } from './platform.ts';

/**
 * Runs a command line in this process with the same result as a process of `harness/gantry.ts`, in a tenth of the time.
 * Commands cannot ask questions unless `canAsk` is set, for tests that answer.
 */
export async function inProcess(
  platform: Pick<Platform, 'url'> | undefined,
  args: readonly string[],
  options: RunOptions & { readonly input?: string; readonly canAsk?: boolean },
): Promise<Outcome> {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = silentTerminal({
    result: (text) => void out.push(`${text}\n`),
    message: (text) => void err.push(`${text}\n`),
    draw: (text) => void err.push(text),
    canAsk: options.canAsk === true && !args.includes('--no-input'),
  });
  const { cwd } = options;
  const now = () => performance.now();
  // The paths of a command line are relative to its process.
  const inFolder = args.map((arg, index) =>
    args[index - 1] === '--data' && arg !== ':memory:' ? resolve(cwd, arg) : arg,
  );
  const environment = { GANTRY_DATA: join(cwd, '.gantry'), ...environmentFor(platform, options) };
  const answer = new OneDocument(outputFormatOf(args), (text) => void out.push(`${text}\n`));
  let ended: unknown = exitCode.ok;
  try {
    await parseCommandLine(inFolder, async (given, command) => {
      const stdin = (async function* () {
        yield Buffer.from(options.input ?? '');
      })();
      ended = await command({
        options: given,
        terminal,
        answer,
        environment,
        cwd,
        stdin,
        now,
        tell: noticesOn(terminal, now),
      });
    });
  } catch (error) {
    ended = error;
    err.push(`${renderError(ended, { gantry: 'test', node: process.version }, terminal.messagePalette)}\n`);
  }
  const code = exitCodeOfEnding(ended);
  await answer.close(code === exitCode.ok || code === exitCode.changes ? undefined : errorToJson(ended, code));
  const stderr = err.join('');
  // `edit` keeps a text that it could not send.
  for (const [, file = ''] of stderr.matchAll(/Your text is saved in (\S+)\./g)) removeAfterFile(dirname(file));
  return { code, stdout: out.join(''), stderr };
}
