import type { Command } from 'commander';
import { commandAt, leafCommands } from './commandTree.ts';

/** Options may stand before the command: they are moved behind it, because each command knows its own. */
export function commandFirst(args: readonly string[], program: Command): readonly string[] {
  const options = leafCommands(program).flatMap((command) => command.options);
  const valued = new Set(options.filter(({ required }) => required).flatMap(({ short, long }) => [short, long]));
  const known = new Set(options.flatMap(({ short, long }) => [short, long]));
  let at = 0;
  for (let arg = args[at]; arg?.startsWith('-') === true && arg !== '--'; arg = args[at]) {
    const [name = ''] = arg.split('=');
    if (!known.has(name) && !/^-o./.test(arg)) return args.slice(at); // help, version, or what nobody knows
    at += valued.has(arg) ? 2 : 1;
  }
  const words = args.slice(at);
  const path = commandAt(program, words)?.path ?? words.slice(0, 1);
  return words.length === 0 ? [] : [...path, ...args.slice(0, at), ...words.slice(path.length)];
}
