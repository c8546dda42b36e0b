import { CommanderError } from 'commander';
import { commandFirst } from '../terminal/commandTree.ts';
import type { Launch } from '../terminal/context.ts';
import { type ExitCode, exitCode } from '../terminal/exitCode.ts';
import { inOwnWords } from '../terminal/habits.ts';
import { nounFirst } from '../terminal/nouns.ts';
import type { OutputOptions } from '../terminal/options.ts';
import { Output } from '../terminal/output.ts';
import { declareApply, declarePlan } from './declared/planAndApply.ts';
import { programOf } from './programOf.ts';

/** Whether both flags are given. `--embedded` overrides an `endpoint` from the environment or the settings. */
function namesTwoPlatforms(options: OutputOptions & { readonly embedded?: boolean; readonly endpoint?: string }) {
  return options.embedded === true && options.endpoint !== undefined;
}

/** The most frequent commands, which load without the code of the others. */
const frequent = new Map([
  ['plan', declarePlan],
  ['apply', declareApply],
]);

/** Runs one command line and ends the process with its exit code. Help loads nothing that only commands need. */
export async function run(args: readonly string[]): Promise<void> {
  const output = new Output();
  const importConclude = () => import('./conclude.ts');
  let code: ExitCode = exitCode.ok;
  const launch: Launch = async (options, command) => {
    const { conclude } = await importConclude();
    code = await conclude(args, async (world) => {
      if (namesTwoPlatforms(options)) throw (await import('../terminal/usageError.ts')).twoPlatforms();
      return command({ ...world, options });
    });
  };
  try {
    await parseCommandLine(args, launch);
  } catch (error) {
    const { conclude } = await importConclude();
    code = await conclude(args, () => Promise.reject(error));
  }
  // Open handles, such as a keep-alive connection or standard input, must not delay the exit.
  await output.end(code, code === exitCode.ok || code === exitCode.changes ? exitCode.failed : code);
}

/** Finds the command and launches it; also prints help and version. Errors: `cli.usage`, and those of the launch. */
export async function parseCommandLine(words: readonly string[], launch: Launch): Promise<void> {
  const commandWords = inOwnWords(words);
  const clientWords = nounFirst(commandWords);
  if (clientWords !== undefined) {
    const { parseClientLine } = await import('../commands/parseClientLine.ts');
    return parseClientLine(clientWords, launch);
  }
  const emptyIndex = commandWords.findIndex((word) => word === '' || /^--[^=]*=$/.test(word));
  if (emptyIndex >= 0) throw (await import('../terminal/usageError.ts')).emptyValue(commandWords, emptyIndex);
  const declared = frequent.get(commandWords[0] ?? '');
  const program =
    declared === undefined
      ? (await import('./program.ts')).makeProgram(launch, commandWords[0])
      : programOf([declared], launch);
  const args = commandWords.length === 0 ? ['--help'] : commandFirst(commandWords, program);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    const [{ wrongCommandLine }, { makeProgram }] = await Promise.all([
      import('../terminal/wrongCommandLine.ts'),
      import('./program.ts'),
    ]);
    throw wrongCommandLine(error, args, makeProgram(launch)); // the suggestion may be from another command
  }
}
