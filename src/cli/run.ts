import { CommanderError } from 'commander';
import { exitCode } from './exitCode.ts';
import type { Launch } from './program.ts';
import { exitCodeOf, makeProgram } from './program.ts';
import { version } from './version.ts';

/** Runs one command line and ends the process with its exit code. The only catch-all. */
export async function run(args: readonly string[]): Promise<void> {
  surviveClosedPipes();
  let code: number = exitCode.ok;
  try {
    code = await runCommand(args);
  } catch (error) {
    code = await report(error, args);
  }
  // Whatever is still open (a keep-alive connection, standard input) must not hold the process.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
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

/** `gantry plan | head`: who reads no more is no error, and a run goes on to its end. */
function surviveClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
