import { CommanderError } from 'commander';
import { commandFirst } from './line/commandFirst.ts';
import type { Launch } from './line/launch.ts';
import { nounFirst } from './line/nouns.ts';
import { makeProgram } from './program.ts';

/**
 * Finds the command and launches it; help and version are printed here. Errors: `cli.usage`, and those of the launch.
 */
export async function parseCommandLine(given: readonly string[], launch: Launch): Promise<void> {
  const aboutOne = nounFirst(given);
  if (aboutOne !== undefined) {
    const { parseClientLine } = await import('./client/parseClientLine.ts');
    return parseClientLine(aboutOne, launch);
  }
  const program = makeProgram(launch, given[0]);
  const args = commandFirst(given, program);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    const { wrongCommandLine } = await import('./line/wrongCommandLine.ts');
    throw wrongCommandLine(error, args, makeProgram(launch)); // what was meant may be another command's
  }
}
