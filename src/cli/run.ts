import { CommanderError } from 'commander';
import { ToolError } from '../errors.ts';
import type { JsonObject } from '../schema/json.ts';
import { OneDocument } from './answer/answer.ts';
import { type Ending, exitCodeOfEnding } from './answer/ending.ts';
import { errorToJson } from './answer/errorDocument.ts';
import { outputFormatOf } from './answer/outputFormat.ts';
import { exitCode } from './exitCode.ts';
import type { Launch } from './commandLine.ts';
import { leaveOnInterrupt } from './interrupt.ts';
import { Output } from './output.ts';
import { makeProgram } from './program.ts';
import { wrongCommandLine } from './usageError.ts';
import { version } from './version.ts';

/** Runs one command line and ends the process with its exit code. The only catch-all. */
export async function run(args: readonly string[]): Promise<void> {
  const output = new Output();
  const answer = new OneDocument(outputFormatOf(args), (text) => void process.stdout.write(text));
  process.once('exit', (code) => answer.closeNow(cutShort(code)));
  leaveOnInterrupt();
  const ended = await runCommand(args, answer).catch((error: unknown) => told(error, args));
  const code = exitCodeOfEnding(ended);
  const succeeded = code === exitCode.ok || code === exitCode.changes;
  await answer.close(succeeded ? undefined : errorToJson(ended, code));
  // Whatever is still open (a keep-alive connection, standard input) must not hold the process.
  await output.end(code, succeeded ? exitCode.failed : code);
}

async function runCommand(args: readonly string[], answer: OneDocument): Promise<Ending> {
  let ended: Ending = exitCode.ok;
  const launch: Launch = async (options, command) => {
    const { openTerminal } = await import('./terminal.ts');
    ended = await command({
      options,
      terminal: openTerminal(options.color),
      answer,
      environment: process.env,
      cwd: currentFolder(),
      stdin: process.stdin,
      now: () => performance.now(),
    });
  };
  try {
    await makeProgram(launch).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw wrongCommandLine(error);
  }
  return ended;
}

/** What was thrown, after people have been told of it. */
async function told(error: unknown, args: readonly string[]): Promise<unknown> {
  const [{ renderError }, { openTerminal }] = await Promise.all([
    import('./render/errorText.ts'),
    import('./terminal.ts'),
  ]);
  const color = args.includes('--no-color') ? false : args.includes('--color') ? true : undefined;
  const terminal = openTerminal(color);
  terminal.message(renderError(error, { gantry: version, node: process.version }, terminal.messagePalette));
  return error;
}

/** The process ends before its command did: by a signal, or because something ended it that must not. */
function cutShort(code: number): JsonObject {
  if (code !== exitCode.interrupted) return errorToJson(new Error('the process was ended'), exitCode.failed);
  const interrupted = new ToolError({
    code: 'cli.interrupted',
    message: 'interrupted before the command had ended; what was in flight may have been carried out',
    hint: 'Run the same command again to go on.',
  });
  return errorToJson(interrupted, code);
}

/** Errors: `cli.folder`. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new ToolError({
      code: 'cli.folder',
      message: 'the current folder was deleted, or may not be read',
      hint: 'Change to a folder that is there.',
    });
  }
}
