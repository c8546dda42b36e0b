import { CommanderError } from 'commander';
import { exitCode } from './exitCode.ts';
import type { Launch } from './commandLine.ts';
import { exitCodeOf, makeProgram } from './program.ts';
import { version } from './version.ts';

/** Runs one command line and ends the process with its exit code. The only catch-all. */
export async function run(args: readonly string[]): Promise<void> {
  const lost = watchStreams();
  let code: number = exitCode.ok;
  try {
    code = await runCommand(args);
  } catch (error) {
    code = await report(error, args);
  }
  // Whatever is still open (a keep-alive connection, standard input) must not hold the process.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(lost() ? exitCode.failed : code)));
}

async function runCommand(args: readonly string[]): Promise<number> {
  let code: number = exitCode.ok;
  const launch: Launch = async (options, command) => {
    const { openTerminal } = await import('./terminal.ts');
    code = await command({
      options,
      terminal: openTerminal(options.color),
      environment: process.env,
      cwd: process.cwd(),
      stdin: process.stdin,
      now: () => performance.now(),
    });
  };
  await makeProgram(launch).parseAsync(args, { from: 'user' });
  return code;
}

async function report(error: unknown, args: readonly string[]): Promise<number> {
  if (error instanceof CommanderError) return exitCodeOf(error.exitCode); // it has printed its message
  const [{ renderError }, { openTerminal }, { UsageError }] = await Promise.all([
    import('./render/errorText.ts'),
    import('./terminal.ts'),
    import('./usageError.ts'),
  ]);
  const color = args.includes('--no-color') ? false : args.includes('--color') ? true : undefined;
  const terminal = openTerminal(color);
  terminal.message(renderError(error, { gantry: version, node: process.version }, terminal.messagePalette));
  return error instanceof UsageError ? exitCode.usage : exitCode.failed;
}

/**
 * Nobody who reads, and a full disk, must not end a run in its middle: it goes on to its end. `gantry plan | head` is
 * no error; output that could not be written is, and the function returned says so.
 */
function watchStreams(): () => boolean {
  let lost = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || lost) return;
      lost = true;
      if (stream === process.stdout) process.stderr.write(`error output.lost: ${error.message}\n`);
    });
  }
  return () => lost;
}
