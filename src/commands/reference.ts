import type { OptionRow } from '../kinds/common/client.ts';
import { shapeOf } from '../kinds/shape/shapeOf.ts';
import { isCreatableKind, kindNamed } from '../schema/record/kinds.ts';
import type { Shape } from '../schema/shape/shape.ts';
import type { Noun } from '../terminal/line/nouns.ts';
import type { CommandRow } from './call/command.ts';
import { type ClientFormat, clientFormats, formatsOfResult } from './call/format.ts';
import { keyFieldOf } from './call/setPatch.ts';
import { genericRows } from './table/generic.ts';
import { commonOptions } from './table/options.ts';
import { aboutNoun, allRows } from './table/rows.ts';

/** Deeper paths are found in the page of the kind. */
export const pathDepth = 6;
/** More are not listed: those of proxies go on for ever. */
const mostPaths = 120;

/** The reference of all commands on single resources as Markdown, made of the same data as their help. */
export async function clientReference(): Promise<string> {
  const common = genericRows('gvc').filter(({ verb }) => verb !== 'delete');
  return [
    '## Options of all commands',
    '',
    ...optionTable(commonOptions),
    '',
    '## Commands of all kinds',
    '',
    'For `KIND` stands the name of a kind; who lacks which is in the list of each kind below.',
    '',
    ...common.flatMap((row) => commandText('KIND', row)),
    ...[...(await allRows())].flatMap(([noun, rows]) => nounText(noun, rows)),
  ].join('\n');
}

function nounText(noun: Noun, rows: readonly CommandRow[]): readonly string[] {
  const common = new Set(genericRows('gvc').map(({ verb }) => verb));
  const kind = kindNamed(noun);
  const own = rows.filter(({ verb }) => !common.has(verb) || verb === 'delete' || kind === undefined);
  const paths = kind !== undefined && isCreatableKind(kind) ? settablePaths(shapeOf(kind), pathDepth) : [];
  const shown = paths.filter((path) => !path.includes('sidecar')).slice(0, mostPaths);
  return [
    `## gantry ${noun}`,
    '',
    aboutNoun(noun),
    '',
    `Commands: ${rows.map(({ verb }) => `\`${verb}\``).join(', ')}.`,
    '',
    ...own.flatMap((row) => commandText(noun, row)),
    ...(shown.length === 0 ? [] : [`Paths of \`update\`: ${shown.map((path) => `\`${path}\``).join(', ')}.`, '']),
  ];
}

function commandText(noun: string, row: CommandRow): readonly string[] {
  const { verb, about, args = [], options = [], calls, examples = [] } = row;
  const line = ['gantry', noun, verb, ...args].join(' ');
  const swap = (text: string) =>
    noun === 'KIND'
      ? text
          .replaceAll(/\bgvc\b/g, 'KIND')
          .replaceAll(/\ba GVC\b/g, 'a record')
          .replaceAll(/\bGVCs\b/g, 'records')
      : text;
  return [
    `### \`${line}\``,
    '',
    `${about[0]?.toUpperCase()}${swap(about.slice(1))}.${calls === undefined ? '' : ` Requests: ${calls}.`}${lacking(row)}`,
    '',
    ...(options.length === 0 ? [] : [...optionTable(options), '']),
    ...examples.flatMap(([example, why]) => [`    ${swap(example)}${why === '' ? '' : `  # ${why}`}`, '']),
  ];
}

/** The formats that a result of this command does not have. */
function lacking({ result = 'records' }: CommandRow): string {
  const formats: readonly ClientFormat[] = formatsOfResult[result];
  const missing = clientFormats.filter((format) => !formats.includes(format));
  return missing.length === 0 ? '' : ` Not as ${missing.map((format) => `\`${format}\``).join(', ')}.`;
}

function optionTable(options: readonly OptionRow[]): readonly string[] {
  return ['| Option | |', '| --- | --- |', ...options.map((option) => `| \`${option.flags}\` | ${cell(option)} |`)];
}

function cell({ about, choices, usual, many, required }: OptionRow): string {
  const more = [
    ...(required === true ? ['required'] : []),
    ...(many === true ? ['repeatable'] : []),
    ...(choices === undefined ? [] : [`one of ${choices.map((choice) => `\`${choice}\``).join(', ')}`]),
    ...(usual === undefined ? [] : [`\`${usual}\` by default`]),
  ];
  return `${about}${more.length === 0 ? '' : ` (${more.join('; ')})`}`.replaceAll('|', '\\|');
}

/**
 * Every path that `update --set` takes, with `<name>` for what the user chooses; lists end with `[]`. What is nested
 * deeper than `depth` fields is left to `edit`.
 */
export function settablePaths(shape: Shape, depth = 8): readonly string[] {
  return pathsBelow(shape, '', depth).filter((path) => path !== 'name');
}

function pathsBelow(shape: Shape, before: string, depth: number): readonly string[] {
  if (shape.facts.responseOnly === true) return [];
  const under = (name: string) => (before === '' ? name : `${before}.${name}`);
  if (depth === 0 && shape.type !== 'scalar') return [before];
  switch (shape.type) {
    case 'object':
      return [
        ...(shape.facts.orJsonText === true ? [before] : []),
        ...[...shape.fields].flatMap(([name, field]) => pathsBelow(field, under(name), depth - 1)),
      ];
    case 'map':
      return pathsBelow(shape.value, under('<key>'), depth - 1);
    case 'list': {
      const keyField = keyFieldOf(shape);
      if (keyField === undefined || shape.item.type !== 'object') return [`${before}[]`];
      const inner = pathsBelow(shape.item, under(`<${keyField}>`), depth - 1);
      return inner.filter((path) => !path.endsWith(`<${keyField}>.${keyField}`));
    }
    default:
      return [before];
  }
}
