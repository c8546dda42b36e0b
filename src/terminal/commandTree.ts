import type { Command } from 'commander';

/** Every command that can run, without those that only contain others. */
export function leafCommands({ commands }: Command): readonly Command[] {
  return commands.flatMap((command) => (command.commands.length === 0 ? [command] : leafCommands(command)));
}

/** The command named by the first words, with those words: `terraform`, `install`. */
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

/** Its name after those of the commands above it, such as `terraform install`. */
export function fullName(command: Command): string {
  const above = command.parent;
  return above === null || above.parent === null ? command.name() : `${fullName(above)} ${command.name()}`;
}

/** Moves options that precede the command after it, because each command parses its own. */
export function commandFirst(args: readonly string[], program: Command): readonly string[] {
  const options = leafCommands(program).flatMap((command) => command.options);
  const valued = new Set(options.filter(({ required }) => required).flatMap(({ short, long }) => [short, long]));
  const known = new Set(options.flatMap(({ short, long }) => [short, long]));
  let at = 0;
  for (let arg = args[at]; arg?.startsWith('-') === true && arg !== '--'; arg = args[at]) {
    const [name = ''] = arg.split('=');
    if (!known.has(name) && !/^-o./.test(arg)) return args.slice(at); // help, version, or an unknown option
    at += valued.has(arg) ? 2 : 1;
  }
  const words = args.slice(at);
  const path = commandAt(program, words)?.path ?? words.slice(0, 1);
  return words.length === 0 ? [] : [...path, ...args.slice(0, at), ...words.slice(path.length)];
}
