import { compact } from '../../src/base/json/present.ts';
import { type ClientFormat, type CommandRow, clientFormats, formatsOfResult } from '../../src/commands/call/command.ts';
import { settablePaths } from '../../src/commands/settablePaths.ts';
import { genericRows } from '../../src/commands/table/generic.ts';
import { commonOptions } from '../../src/commands/table/options.ts';
import { aboutNoun, allRows } from '../../src/commands/table/rows.ts';
import type { OptionRow } from '../../src/kinds/common/client.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import { isCreatableKind, kindNamed } from '../../src/schema/record/kinds.ts';
import type { Noun } from '../../src/terminal/nouns.ts';

/** More are not listed, because those of proxies are endless. */
const mostPaths = 120;

const mark = 'The rest of this page is generated from the definitions of the commands.\n';

/** docs/client.md, whose text above the mark is handwritten. */
export async function withClientReference(page: string): Promise<string> {
  const [guide = ''] = page.split(mark);
  return `${guide}${mark}\n${await clientReference()}`;
}

/** The reference of all commands on single resources as Markdown, from the same data as their help. */
async function clientReference(): Promise<string> {
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
  const paths = kind !== undefined && isCreatableKind(kind) ? settablePaths(shapeOf(kind)) : [];
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

/** The formats that this command's result lacks. */
function lacking({ result = 'records' }: CommandRow): string {
  const formats: readonly ClientFormat[] = formatsOfResult[result];
  const missing = clientFormats.filter((format) => !formats.includes(format));
  return missing.length === 0 ? '' : ` Not as ${missing.map((format) => `\`${format}\``).join(', ')}.`;
}

function optionTable(options: readonly OptionRow[]): readonly string[] {
  return ['| Option | |', '| --- | --- |', ...options.map((option) => `| \`${option.flags}\` | ${cell(option)} |`)];
}

function cell({ about, choices, defaultText, isRepeatable, required }: OptionRow): string {
  const more = compact([
    required === true ? 'required' : undefined,
    isRepeatable === true ? 'repeatable' : undefined,
    choices === undefined ? undefined : `one of ${choices.map((choice) => `\`${choice}\``).join(', ')}`,
    defaultText === undefined ? undefined : `\`${defaultText}\` by default`,
  ]);
  return `${about}${more.length === 0 ? '' : ` (${more.join('; ')})`}`.replaceAll('|', '\\|');
}
