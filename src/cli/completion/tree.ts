/** The file of the first words themselves. */
export const firstOf = 'gantry.json';

/** What can be written on a command line, as data that is quick to read: the build keeps it in files. */
export interface Tree {
  /** By name: `plan`, `gvc create`, `volumeset snapshot create`. */
  readonly commands: Readonly<Record<string, TreeCommand>>;
  /** What all commands on single resources have. */
  readonly common: readonly TreeOption[];
}

export interface TreeCommand {
  readonly about: string;
  readonly options: readonly TreeOption[];
  /** It has those of `common` too. */
  readonly isCommon?: true;
  /** What its arguments are: the name of a kind, or `profile`. Absent: files, or none. */
  readonly names?: string;
}

export interface TreeOption {
  /** `-o`, `--output`. */
  readonly flags: readonly string[];
  readonly about: string;
  /** Absent: it is a switch. `names`: those of a kind. */
  readonly value?: { readonly choices?: readonly string[]; readonly names?: string };
}

/** One thing that may come next, and what it is. */
export type Candidate = readonly [text: string, about: string];

export interface Wanted {
  readonly candidates: readonly Candidate[];
  /** Names of records of this kind, or of profiles, are wanted too. */
  readonly names?: string;
}

/** What may come in place of the last word; the words before it are those after `gantry`. */
export function wantedAt(words: readonly string[], tree: Tree): Wanted {
  const { commands } = tree;
  const current = words.at(-1) ?? '';
  const { path, awaits } = walk(words.slice(0, -1), tree);
  if (awaits !== undefined) return valuesOf(awaits, current, '');
  const command = commands[path];
  const [flag = '', value] = current.split(/=(.*)/s);
  if (value !== undefined && flag.startsWith('--')) {
    const option = optionsOf(command, tree).find(({ flags }) => flags.includes(flag));
    return option === undefined ? { candidates: [] } : valuesOf(option, value, `${flag}=`);
  }
  if (current.startsWith('-')) {
    const options = optionsOf(command, tree);
    return {
      candidates: matching(
        options.map(({ flags, about }) => [flags.at(-1) ?? '', about]),
        current,
      ),
    };
  }
  const next = wordsBelow(path, commands);
  if (next.length > 0) return { candidates: matching(next, current) };
  return { candidates: [], ...(command?.names === undefined ? {} : { names: command.names }) };
}

/** The command that the words name, and the option that the next word is the value of. */
function walk(words: readonly string[], tree: Tree): { readonly path: string; readonly awaits?: TreeOption } {
  let path = '';
  let awaits: TreeOption | undefined;
  for (const word of words) {
    if (awaits !== undefined) awaits = undefined;
    else if (word.startsWith('-')) {
      const option = optionsOf(tree.commands[path], tree).find(({ flags }) => flags.includes(word));
      awaits = option?.value === undefined ? undefined : option;
    } else {
      const longer = path === '' ? word : `${path} ${word}`;
      if (Object.keys(tree.commands).some((name) => name === longer || name.startsWith(`${longer} `))) path = longer;
    }
  }
  return awaits === undefined ? { path } : { path, awaits };
}

function optionsOf(command: TreeCommand | undefined, { common }: Tree): readonly TreeOption[] {
  return command === undefined ? [] : [...command.options, ...(command.isCommon === true ? common : [])];
}

function wordsBelow(path: string, commands: Tree['commands']): readonly Candidate[] {
  const before = path === '' ? '' : `${path} `;
  const below = new Map<string, string>();
  for (const [name, { about }] of Object.entries(commands)) {
    if (!name.startsWith(before) || name === path) continue;
    const [word = '', ...more] = name.slice(before.length).split(' ');
    if (!below.has(word)) below.set(word, more.length === 0 ? about : `commands of ${before}${word}`);
  }
  return [...below];
}

function valuesOf({ value = {}, about }: TreeOption, current: string, before: string): Wanted {
  const choices = value.choices ?? [];
  const candidates = matching(
    choices.map((choice) => [choice, about]),
    current,
  );
  const named = candidates.map(([text, why]) => [`${before}${text}`, why] as const);
  return { candidates: named, ...(value.names === undefined ? {} : { names: value.names }) };
}

function matching(all: readonly Candidate[], current: string): readonly Candidate[] {
  return all.filter(([text]) => text.startsWith(current));
}
