import { present } from '../../base/json/present.ts';
/** The file of the first words. */
export const rootFile = 'gantry.json';

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

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** A source whose names are also offered: records of this kind, profiles, or another source of `liveNames`. */
  readonly names?: string;
  /** The text around each of these names. */
  readonly prefix?: string;
  readonly suffix?: string;
  /** The first argument of the command, which often names a record. */
  readonly record?: string;
}

/** The completions of the last word; `words` are those after `gantry`. */
export function completionAt(words: readonly string[], tree: Tree): Completion {
  const { commands } = tree;
  const current = words.at(-1) ?? '';
  const { path, pendingOption, record } = commandPosition(words.slice(0, -1), tree);
  const about = present({ record });
  if (pendingOption !== undefined) return { ...valueCompletion(pendingOption, current, ''), ...about };
  const command = commands[path];
  const [flag = '', value] = current.split(/=(.*)/s);
  if (value !== undefined && flag.startsWith('--')) {
    const option = optionsOf(command, tree).find(({ flags }) => flags.includes(flag));
    return option === undefined ? { candidates: [] } : { ...valueCompletion(option, value, `${flag}=`), ...about };
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
  const next = subcommandsOf(path, commands);
  if (next.length > 0) return { candidates: matching(next, current) };
  return { candidates: [], ...present({ names: command?.names === undefined ? undefined : command.names }) };
}

interface CommandPosition {
  readonly path: string;
  readonly pendingOption: TreeOption | undefined;
  readonly record: string | undefined;
}

/** The command that the words name, and the option whose value comes next. */
function commandPosition(words: readonly string[], tree: Tree): CommandPosition {
  let path = '';
  let record: string | undefined;
  let pendingOption: TreeOption | undefined;
  for (const word of words) {
    if (pendingOption !== undefined) pendingOption = undefined;
    else if (word.startsWith('-')) {
      const option = optionsOf(tree.commands[path], tree).find(({ flags }) => flags.includes(word));
      pendingOption = option?.value === undefined ? undefined : option;
    } else {
      const longer = path === '' ? word : `${path} ${word}`;
      if (Object.keys(tree.commands).some((name) => name === longer || name.startsWith(`${longer} `))) path = longer;
      else if (path !== '') record ??= word;
    }
  }
  return { path, pendingOption, record };
}

function optionsOf(command: TreeCommand | undefined, { common }: Tree): readonly TreeOption[] {
  return command === undefined ? [] : [...command.options, ...(command.isCommon === true ? common : [])];
}

function subcommandsOf(path: string, commands: Tree['commands']): readonly Candidate[] {
  const before = path === '' ? '' : `${path} `;
  const below = new Map<string, string>();
  for (const [name, { about }] of Object.entries(commands)) {
    if (!name.startsWith(before) || name === path) continue;
    const [word = '', ...more] = name.slice(before.length).split(' ');
    if (!below.has(word)) below.set(word, more.length === 0 ? about : `commands of ${before}${word}`);
  }
  return [...below];
}

function valueCompletion({ flags, value = {}, about }: TreeOption, current: string, prefix: string): Completion {
  const { choices = [], names, of, paths } = value;
  if (of !== undefined && paths !== undefined) {
    // A path to set is followed by its value; a path to unset is not.
    return pathCompletion(current, { of, paths, prefix, suffix: flags.includes('--set') ? '=' : '' });
  }
  const candidates = matching(
    choices.map((choice) => [choice, about]),
    current,
  );
  const named = candidates.map(([text, why]) => [`${prefix}${text}`, why] as const);
  return { candidates: named, ...(names === undefined ? {} : { names, prefix }) };
}

interface Paths {
  readonly of: string;
  readonly paths: readonly string[];
  readonly prefix: string;
  readonly suffix: string;
}

/** The next step of each path that begins with the typed text. */
function pathCompletion(current: string, { of, paths, prefix, suffix }: Paths): Completion {
  const typedSteps = current.split('.');
  const last = typedSteps.length - 1;
  const parentPath = typedSteps
    .slice(0, -1)
    .map((step) => `${step}.`)
    .join('');
  const next = new Map<string, string>();
  let unknown: string | undefined;
  for (const path of paths) {
    const steps = path.replace(/\[\]$/, '').split('.');
    const matchesTyped = typedSteps
      .slice(0, -1)
      .every((step, index) => steps[index] === step || isUnknown(steps[index]));
    const step = steps[last];
    if (!matchesTyped || step === undefined) continue;
    if (isUnknown(step)) unknown = step.slice(1, -1);
    else if (step.startsWith(typedSteps[last] ?? '')) {
      const isEnd = steps.length === typedSteps.length;
      next.set(
        `${prefix}${parentPath}${step}${isEnd ? suffix : '.'}`,
        isEnd ? path : `fields of ${steps.slice(0, last + 1).join('.')}`,
      );
    }
  }
  if (unknown === undefined) return { candidates: [...next] };
  const isWhole = paths.some((path) => path.split('.').length === typedSteps.length && fitsWhole(path, typedSteps));
  return {
    candidates: [...next],
    names: `${of} ${unknown} ${typedSteps.slice(0, -1).join('.')}`,
    prefix: `${prefix}${parentPath}`,
    suffix: isWhole ? suffix : '.',
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
