import { CommanderError } from 'commander';
import { makeProgram } from '../../src/cli/program.ts';

/** Every command, as the help of the program lists them. */
export const commandNames: readonly string[] = makeProgram(async () => {}).commands.map((command) => command.name());

/** What a command line prints on a terminal of this width. */
export async function helpPage(args: readonly string[], width: number): Promise<string> {
  let text = '';
  const program = makeProgram(async () => {});
  for (const command of [program, ...program.commands]) {
    command.configureOutput({
      writeOut: (more) => {
        text += more;
      },
      getOutHelpWidth: () => width,
    });
  }
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
  }
  return text;
}
