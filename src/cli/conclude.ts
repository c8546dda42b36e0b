import { ToolError } from '../base/toolError.ts';
import { OneDocument, outputFormatOf } from '../terminal/answer.ts';
import type { CommandContext } from '../terminal/context.ts';
import { cutShort, type Ending, exitCodeOfEnding } from '../terminal/ending.ts';
import { errorToJson } from '../terminal/errorDocument.ts';
import { renderError } from '../terminal/errorText.ts';
import { type ExitCode, exitCode } from '../terminal/exitCode.ts';
import { interruptBySignal, leaveOnInterrupt } from '../terminal/interrupt.ts';
import { noticesOn } from '../terminal/notices.ts';
import { nounFirst } from '../terminal/nouns.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { version } from '../terminal/version.ts';

/**
 * Runs a command to its end in any case: prints errors for users, and the document for programs. The only catch-all.
 */
export async function conclude(
  args: readonly string[],
  run: (world: Omit<CommandContext, 'options'>) => Promise<Ending>,
): Promise<ExitCode> {
  const terminal = openTerminal({
    color: colorOf(args),
    pager: !args.includes('--no-pager'),
    input: !args.includes('--no-input'),
  });
  // Users also read the document of a record; that of a plan is for programs.
  const isPaged = nounFirst(args) !== undefined;
  const answer = new OneDocument(outputFormatOf(args), (text) =>
    isPaged ? terminal.page(text) : terminal.result(text),
  );
  process.once('exit', (code) => {
    const error = cutShort(code);
    answer.closeNow(errorToJson(error, exitCodeOfEnding(error)), (text) => terminal.result(text));
  });
  leaveOnInterrupt();
  const now = () => process.uptime() * 1000; // `performance` takes 3 ms to load
  const makeContext = async () => ({
    terminal,
    answer,
    environment: process.env,
    cwd: currentFolder(),
    stdin: process.stdin,
    now,
    tell: noticesOn(terminal, now),
    interruptible: interruptBySignal,
    stackProcess: { argv: process.argv, nodeOptions: process.execArgv },
  });
  const result = await makeContext()
    .then(run)
    .catch((error: unknown) => {
      terminal.message(renderError(error, { gantry: version, node: process.version }, terminal.messagePalette));
      return error;
    });
  const code = exitCodeOfEnding(result);
  const succeeded = code === exitCode.ok || code === exitCode.changes;
  await answer.close(succeeded ? undefined : errorToJson(result, code));
  return code;
}

/** Whether the last colour flag enables colours, even in an invalid command line; undefined without a flag. */
function colorOf(args: readonly string[]): boolean | undefined {
  const last = args.findLast((arg) => arg === '--color' || arg === '--no-color');
  return last === undefined ? undefined : last === '--color';
}

/** Errors: `cli.folder`. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new ToolError({
      code: 'cli.folder',
      message: 'the current folder was deleted or cannot be read',
      hint: 'Change to an existing folder.',
    });
  }
}
