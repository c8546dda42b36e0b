import type { Command } from 'commander';

/** Every command that does something: those that only have others below them are left out. */
export function leafCommands({ commands }: Command): readonly Command[] {
  return commands.flatMap((command) => (command.commands.length === 0 ? [command] : leafCommands(command)));
}

/** The command that the first words name, with those words: `terraform`, `install`. */
export function commandAt(
  program: Command,
  words: readonly string[],
): { readonly command: Command; readonly path: readonly string[] } | undefined {
  const [word, ...rest] = words;
  const command = program.commands.find((each) => each.name() === word);
  if (command === undefined || word === undefined) return undefined;
  const below = commandAt(command, rest);
  return below === undefined ? { command, path: [word] } : { command: below.command, path: [word, ...below.path] };
}

/** `terraform install`: its name, behind those of the commands above it. */
export function fullName(command: Command): string {
  const above = command.parent;
  return above === null || above.parent === null ? command.name() : `${fullName(above)} ${command.name()}`;
}
