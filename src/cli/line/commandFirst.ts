import type { Command } from 'commander';

/** Options may stand before the command: they are moved behind it, because each command knows its own. */
export function commandFirst(args: readonly string[], { commands }: Command): readonly string[] {
  const valued = new Set(
    commands.flatMap(({ options }) =>
      options.filter(({ required }) => required).flatMap(({ short, long }) => [short, long]),
    ),
  );
  const known = new Set(commands.flatMap(({ options }) => options.flatMap(({ short, long }) => [short, long])));
  let at = 0;
  for (let arg = args[at]; arg?.startsWith('-') === true && arg !== '--'; arg = args[at]) {
    const [name = ''] = arg.split('=');
    if (!known.has(name) && !/^-o./.test(arg)) return args; // help, version, or what nobody knows
    at += valued.has(arg) ? 2 : 1;
  }
  const command = args[at];
  return command === undefined ? [] : [command, ...args.slice(0, at), ...args.slice(at + 1)];
}
