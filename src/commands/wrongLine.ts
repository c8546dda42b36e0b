import type { CommanderError } from 'commander';
import { suggest } from '../base/text/suggest.ts';
import { available } from '../base/text/suggestion.ts';
import type { Noun } from '../terminal/nouns.ts';
import { plainly, UsageError } from '../terminal/usageError.ts';
import type { CommandRow } from './call/command.ts';
import { commonOptions } from './table/options.ts';
import { absent } from './table/rows.ts';
import { flagsOf, type WrittenLine } from './writtenLine.ts';

interface Wrong extends WrittenLine {
  readonly noun: Noun;
  readonly rows: readonly CommandRow[];
}

/** Commander's error for a wrong command line, in our form. */
export function wrongLine({ code, message }: CommanderError, { noun, rows, row, words }: Wrong): UsageError {
  const [first = '', second = ''] = words;
  const verbs = rows.map(({ verb }) => verb);
  const ofGroup = verbs.filter((verb) => verb.startsWith(`${first} `));
  const listed = available(ofGroup.length > 0 ? ofGroup : verbs);
  if (code === 'commander.help') return new UsageError('no command is given', listed);
  if (code === 'commander.unknownCommand') {
    if (absent[noun]?.verbs.includes(first) === true) {
      return new UsageError(`there is no command '${first}' of gantry ${noun}`, absent[noun].why);
    }
    const written = ofGroup.length > 0 ? `${first} ${second}` : first;
    const meant = otherWord(written, verbs) ?? suggest(written, verbs) ?? suggest(`${first} ${second}`, verbs);
    const hint = meant === undefined ? listed : `Did you mean gantry ${noun} ${meant}?`;
    return new UsageError(`there is no command '${written}' of gantry ${noun}`, hint);
  }
  const said = plainly(message.replace(/^error: /, '').split('\n')[0] ?? '');
  const flag = /^unknown option '(-[^'=]+)/.exec(said)?.[1];
  const flags = [...(row?.options ?? []), ...commonOptions].flatMap(flagsOf);
  const meant = flag === undefined ? undefined : suggest(flag, flags);
  // Without its value, which may be a token.
  const shown = flag === undefined ? said : `unknown option '${flag}'`;
  if (meant !== undefined) return new UsageError(shown, `Did you mean ${meant}?`);
  const help = row === undefined ? `gantry ${noun} --help` : `gantry ${noun} ${row.verb} --help`;
  const isNamed = code === 'commander.excessArguments' && flags.includes('--name');
  return new UsageError(shown, isNamed ? `Write the name as --name NAME; see ${help}.` : `See ${help}.`);
}

/** The names that other command lines have for a verb, by ours. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  get: ['ls', 'list', 'show', 'describe'],
  delete: ['rm', 'remove', 'destroy', 'del'],
  create: ['new', 'add', 'make'],
  eventlog: ['events'],
  logs: ['log'],
};

function otherWord(word: string, verbs: readonly string[]): string | undefined {
  return verbs.find((verb) => otherWords[verb]?.includes(word) === true);
}
