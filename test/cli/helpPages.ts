import { type Command, CommanderError } from 'commander';
import { makeProgram } from '../../src/cli/program.ts';
import { commandAt, fullName, leafCommands } from '../../src/terminal/commandTree.ts';

const all = makeProgram(async () => {});

/** Every command without subcommands, such as `plan` or `terraform install`. */
export const commandNames: readonly string[] = leafCommands(all).map(fullName);

/** The commands that only have subcommands. */
export const groupNames: readonly string[] = all.commands
  .filter(({ commands }) => commands.length > 0)
  .map((command) => command.name());

export function commandNamed(name: string): Command | undefined {
  return commandAt(all, name.split(' '))?.command;
}

/** The name of its pages in `help/`. */
export function pageName(name: string): string {
  return name.replaceAll(' ', '-');
}

/** The output of a command line on a terminal of this width. */
export async function helpPage(args: readonly string[], width: number): Promise<string> {
  let text = '';
  const program = makeProgram(async () => {});
  for (const command of withThoseBelow(program)) {
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

function withThoseBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withThoseBelow)];
}
