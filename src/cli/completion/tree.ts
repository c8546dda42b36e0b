/** The file of the first words. */
export const firstOf = 'gantry.json';

/** The words of a command line, as files that the build writes and that load quickly. */
export interface Tree {
  /** By name: `plan`, `gvc create`, `volumeset snapshot create`. */
  readonly commands: Readonly<Record<string, TreeCommand>>;
  /** Options of all commands on single resources. */
  readonly common: readonly TreeOption[];
}

export interface TreeCommand {
  readonly about: string;
  readonly options: readonly TreeOption[];
  /** Whether it also has the options of `common`. */
  readonly isCommon?: true;
  /** The source of its arguments' names: a kind, or `profile`. Absent: they are files, or there are none. */
  readonly names?: string;
}

export interface TreeOption {
  /** `-o`, `--output`. */
  readonly flags: readonly string[];
  readonly about: string;
  /**
   * Absent for a switch. `names`: of a kind, or another source of `liveNames`. `paths`: those that the value begins
   * with, of the kind `of`; `<name>` in them represents a part that only the record knows.
   */
  readonly value?: {
    readonly choices?: readonly string[];
    readonly names?: string;
    readonly of?: string;
    readonly paths?: readonly string[];
  };
}

/** A possible continuation, with its description. */
export type Candidate = readonly [text: string, about: string];

export interface Wanted {
  readonly candidates: readonly Candidate[];
  /** A source whose names are also offered: records of this kind, profiles, or another source of `liveNames`. */
  readonly names?: string;
  /** The text around each of these names. */
  readonly before?: string;
  readonly after?: string;
  /** The first argument of the command, which often names a record. */
  readonly record?: string;
}

/** The completions of the last word; `words` are those after `gantry`. */
export function wantedAt(words: readonly string[], tree: Tree): Wanted {
  const { commands } = tree;
  const current = words.at(-1) ?? '';
  const { path, awaits, record } = walk(words.slice(0, -1), tree);
  const about = record === undefined ? {} : { record };
  if (awaits !== undefined) return { ...valuesOf(awaits, current, ''), ...about };
  const command = commands[path];
  const [flag = '', value] = current.split(/=(.*)/s);
  if (value !== undefined && flag.startsWith('--')) {
    const option = optionsOf(command, tree).find(({ flags }) => flags.includes(flag));
    return option === undefined ? { candidates: [] } : { ...valuesOf(option, value, `${flag}=`), ...about };
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

interface Walked {
  readonly path: string;
  readonly awaits: TreeOption | undefined;
  readonly record: string | undefined;
}

/** The command that the words name, and the option whose value comes next. */
function walk(words: readonly string[], tree: Tree): Walked {
  let path = '';
  let record: string | undefined;
  let awaits: TreeOption | undefined;
  for (const word of words) {
    if (awaits !== undefined) awaits = undefined;
    else if (word.startsWith('-')) {
      const option = optionsOf(tree.commands[path], tree).find(({ flags }) => flags.includes(word));
      awaits = option?.value === undefined ? undefined : option;
    } else {
      const longer = path === '' ? word : `${path} ${word}`;
      if (Object.keys(tree.commands).some((name) => name === longer || name.startsWith(`${longer} `))) path = longer;
      else if (path !== '') record ??= word;
    }
  }
  return { path, awaits, record };
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

function valuesOf({ flags, value = {}, about }: TreeOption, current: string, before: string): Wanted {
  const { choices = [], names, of, paths } = value;
  if (of !== undefined && paths !== undefined) {
    // A path to set is followed by its value; a path to unset is not.
    return pathsAt(current, { of, paths, before, end: flags.includes('--set') ? '=' : '' });
  }
  const candidates = matching(
    choices.map((choice) => [choice, about]),
    current,
  );
  const named = candidates.map(([text, why]) => [`${before}${text}`, why] as const);
  return { candidates: named, ...(names === undefined ? {} : { names, before }) };
}

interface Paths {
  readonly of: string;
  readonly paths: readonly string[];
  readonly before: string;
  readonly end: string;
}

/** The next step of each path that begins with the typed text. */
function pathsAt(current: string, { of, paths, before, end }: Paths): Wanted {
  const typed = current.split('.');
  const last = typed.length - 1;
  const above = typed
    .slice(0, -1)
    .map((step) => `${step}.`)
    .join('');
  const next = new Map<string, string>();
  let unknown: string | undefined;
  for (const path of paths) {
    const steps = path.replace(/\[\]$/, '').split('.');
    const fits = typed.slice(0, -1).every((step, index) => steps[index] === step || isUnknown(steps[index]));
    const step = steps[last];
    if (!fits || step === undefined) continue;
    if (isUnknown(step)) unknown = step.slice(1, -1);
    else if (step.startsWith(typed[last] ?? '')) {
      const isEnd = steps.length === typed.length;
      next.set(
        `${before}${above}${step}${isEnd ? end : '.'}`,
        isEnd ? path : `fields of ${steps.slice(0, last + 1).join('.')}`,
      );
    }
  }
  if (unknown === undefined) return { candidates: [...next] };
  const isWhole = paths.some((path) => path.split('.').length === typed.length && fitsWhole(path, typed));
  return {
    candidates: [...next],
    names: `${of} ${unknown} ${typed.slice(0, -1).join('.')}`,
    before: `${before}${above}`,
    after: isWhole ? end : '.',
  };
}

function fitsWhole(path: string, typed: readonly string[]): boolean {
  const steps = path.split('.');
  return (
    typed.slice(0, -1).every((step, index) => steps[index] === step || isUnknown(steps[index])) &&
    isUnknown(steps.at(-1))
  );
}

/** Whether the step is `<name>`, which only the record knows. */
function isUnknown(step: string | undefined): boolean {
  return step?.startsWith('<') === true;
}

function matching(all: readonly Candidate[], current: string): readonly Candidate[] {
  return all.filter(([text]) => text.startsWith(current));
}
