import type { Command } from 'commander';
import { kindNamed } from '../../schema/record/kinds.ts';
import type { CommandRow, OptionRow } from '../client/call/command.ts';
import { commonOptions } from '../client/table/options.ts';
import { rowsOf } from '../client/table/rows.ts';
import { fullName, leafCommands } from '../line/commandTree.ts';
import { nouns } from '../line/nouns.ts';
import type { Tree, TreeCommand, TreeOption } from './tree.ts';

/** Options whose values are names of records, or of profiles. */
const named: Readonly<Record<string, string>> = {
  '--gvc': 'gvc',
  '--org': 'org',
  '--profile': 'profile',
  '--location': 'location',
  '--identity': 'identity',
  '--serviceaccount': 'serviceaccount',
  '--secret': 'secret',
  '--workload-link': 'workload',
  '--gvc-link': 'gvc',
};

/** Every command with its options: made once, and read from a file after that. */
export function makeTree(program: Command): Tree {
  const stacks = leafCommands(program).map((command) => [fullName(command), ofCommand(command)]);
  const records = nouns.flatMap((noun) =>
    rowsOf(noun).map((row) => [`${noun} ${row.verb}`, ofRow(noun, row)] as const),
  );
  return { commands: Object.fromEntries([...stacks, ...records]), common: commonOptions.map(ofOption) };
}

function ofCommand(command: Command): TreeCommand {
  const options = command.options.map(({ short, long, description, required, argChoices }): TreeOption => {
    const flags = [short, long].filter((flag) => typeof flag === 'string');
    return treeOption(flags, description, required, argChoices);
  });
  return { about: command.description(), options };
}

function ofRow(noun: string, { about, options = [], args = [] }: CommandRow): TreeCommand {
  const isNamed = args.some((arg) => /ref|^[<[]name|^<id>/.test(arg)) && (noun === 'profile' || kindNamed(noun));
  return { about, options: options.map(ofOption), isCommon: true, ...(isNamed ? { names: noun } : {}) };
}

function ofOption({ flags, about, choices }: OptionRow): TreeOption {
  const [names = '', value] = flags.split(/ (?=[<[])/);
  return treeOption(names.split(', '), about, value !== undefined, choices);
}

function treeOption(
  flags: readonly string[],
  about: string,
  hasValue: boolean,
  choices: readonly string[] | undefined,
): TreeOption {
  if (!hasValue) return { flags, about };
  const names = named[flags.at(-1) ?? ''];
  return {
    flags,
    about,
    value: { ...(choices === undefined ? {} : { choices }), ...(names === undefined ? {} : { names }) },
  };
}
