import type { Command } from 'commander';
import { present } from '../../base/json/present.ts';
import type { CommandRow } from '../../commands/call/command.ts';
import { settablePaths } from '../../commands/settablePaths.ts';
import { commonOptions } from '../../commands/table/options.ts';
import { allRows } from '../../commands/table/rows.ts';
import type { NamedRecords, OptionRow } from '../../kinds/common/client.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import { type Kind, kindNamed } from '../../schema/record/kinds.ts';
import { fullName, leafCommands } from '../../terminal/commandTree.ts';
import { rootFile, type Tree, type TreeCommand, type TreeOption } from './tree.ts';

/** Options shared by many commands, and the sources of their values. */
const valueSources: Readonly<Record<string, string>> = {
  '--gvc': 'gvc',
  '--org': 'org',
  '--profile': 'profile',
  '--env': 'environments',
  '--stack': 'stacks',
};

/**
 * The files that the build writes: one tree for each first word with the words below it, and one of the first words.
 */
export async function completionFiles(program: Command): Promise<ReadonlyMap<string, Tree>> {
  const { commands, common } = await makeTree(program);
  const words = [...new Set(Object.keys(commands).map(firstWord))];
  const below = (word: string) => Object.entries(commands).filter(([name]) => firstWord(name) === word);
  const all = Object.entries(commands).map(([name, { about }]) => [name, { about, options: [] }] as const);
  return new Map<string, Tree>([
    [rootFile, { commands: Object.fromEntries(all), common: [] }],
    ...words.map((word) => [`${word}.json`, { commands: Object.fromEntries(below(word)), common }] as const),
  ]);
}

function firstWord(name: string): string {
  return name.split(' ')[0] ?? name;
}

/** Every command with its options. */
export async function makeTree(program: Command): Promise<Tree> {
  const stacks = leafCommands(program).map((command) => [fullName(command), treeCommandOf(command)]);
  const records = [...(await allRows())].flatMap(([noun, rows]) =>
    rows.map((row) => [`${noun} ${row.verb}`, treeCommandOfRow(noun, row)] as const),
  );
  return {
    commands: Object.fromEntries([...stacks, ...records]),
    common: commonOptions.map((option) => treeOptionOf(option)),
  };
}

function treeCommandOf(command: Command): TreeCommand {
  const options = command.options.map(({ short, long, description, required, argChoices }): TreeOption => {
    const flags = [short, long].filter((flag) => typeof flag === 'string');
    const names = valueSources[flags.at(-1) ?? ''];
    return treeOption({ flags, about: description, hasValue: required, value: { choices: argChoices, names } });
  });
  return { about: command.description(), options };
}

function treeCommandOfRow(noun: string, { about, options = [], args = [] }: CommandRow): TreeCommand {
  const isNamed = args.some((arg) => /ref|^[<[]name|^<id>/.test(arg)) && (noun === 'profile' || kindNamed(noun));
  return {
    about,
    options: options.map((option) => treeOptionOf(option, noun)),
    isCommon: true,
    ...(isNamed ? { names: noun } : {}),
  };
}

function treeOptionOf({ flags, about, choices, names, completes }: OptionRow, noun?: string): TreeOption {
  const [words = '', value] = flags.split(/ (?=[<[])/);
  const all = words.split(', ');
  const kind = names && bareKind(names);
  const offered = completes === undefined || noun === undefined ? {} : valueSourceOf(completes, noun);
  return treeOption({
    flags: all,
    about,
    hasValue: value !== undefined,
    value: { choices, names: kind ?? valueSources[all.at(-1) ?? ''], ...offered },
  });
}

function valueSourceOf(what: NonNullable<OptionRow['completes']>, noun: string): NonNullable<TreeOption['value']> {
  if (what !== 'paths') return { names: `${noun} ${what}` };
  const kind = kindNamed(noun);
  return kind === undefined ? {} : { of: noun, paths: pathsOf(kind) };
}

/** As in the reference: without sidecars, whose paths never end. */
function pathsOf(kind: Kind): readonly string[] {
  return settablePaths(shapeOf(kind)).filter((path) => !path.includes('sidecar'));
}

/** The kind whose bare name is a value; undefined if a bare name is invalid or could be of several kinds. */
function bareKind({ kinds, refIn }: NamedRecords): Kind | undefined {
  const isName = refIn === undefined || refIn('name') === 'name';
  return isName && kinds !== '--target-kind' && kinds.length === 1 ? kinds[0] : undefined;
}

type Value = NonNullable<TreeOption['value']>;

interface OptionParts {
  readonly flags: readonly string[];
  readonly about: string;
  readonly hasValue: boolean;
  readonly value: { readonly [Key in keyof Value]: Value[Key] | undefined };
}

function treeOption({ flags, about, hasValue, value: { choices, names, of, paths } }: OptionParts): TreeOption {
  if (!hasValue) return { flags, about };
  return {
    flags,
    about,
    value: {
      ...present({ choices, names }),
      ...(of === undefined || paths === undefined ? {} : { of, paths }),
    },
  };
}
