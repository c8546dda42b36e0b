import type { CommanderError } from 'commander';
import { suggest } from '../../schema/text/suggest.ts';
import type { Noun } from '../line/nouns.ts';
import { UsageError } from '../line/usageError.ts';
import type { CommandRow } from './call/command.ts';

interface Written {
  readonly noun: Noun;
  readonly rows: readonly CommandRow[];
  /** Behind the noun. */
  readonly args: readonly string[];
}

/** What commander says of a wrong command line, in our form. */
export function wrongLine({ code, message }: CommanderError, { noun, rows, args }: Written): UsageError {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const row = rows.find(({ verb }) => verb === words.slice(0, verb.split(' ').length).join(' '));
  if (code === 'commander.help') {
    return new UsageError(`no command is given`, `There are: ${rows.map(({ verb }) => verb).join(', ')}.`);
  }
  const [first = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const unknown = code === 'commander.unknownCommand' ? words.join(' ') : undefined;
  if (unknown !== undefined) {
    const verbs = rows.map(({ verb }) => verb);
    const meant = suggest(words[0] ?? '', verbs) ?? suggest(words.slice(0, 2).join(' '), verbs);
    const hint = meant === undefined ? `There are: ${verbs.join(', ')}.` : `Did you mean gantry ${noun} ${meant}?`;
    return new UsageError(`there is no command '${words[0]}' of gantry ${noun}`, hint);
  }
  const help = row === undefined ? `gantry ${noun} --help` : `gantry ${noun} ${row.verb} --help`;
  return new UsageError(first, suggestion?.replace(/^\((.*)\)$/, '$1') ?? `See ${help}.`);
}
