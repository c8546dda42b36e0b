import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A block of code in a document. */
export interface CodeBlock {
  readonly document: string;
  /** The line of its first line of code. */
  readonly line: number;
  readonly language: string;
  /**
   * The second word after the fence. For `ts` and `yaml`: the file name of the block, in the folder of the document.
   * For `sh`: `run` if every `gantry` command in it is run in that folder.
   */
  readonly mark: string | undefined;
  readonly text: string;
}

const root = new URL('../..', import.meta.url).pathname;

/** Documents for users: every block of code in them is checked. */
export const documents: readonly string[] = [
  'README.md',
  ...[
    'commands',
    'guarantees',
    'lifecycle',
    'pipelines',
    'platform',
    'policies',
    'reports',
    'settings',
    'terraform',
  ].map((name) => `docs/${name}.md`),
  ...readdirSync(join(root, 'docs/guides'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/guides/${name}`),
];

export function blocksOf(document: string): readonly CodeBlock[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(/^```(\w+)?(?: ([^\s`]+))?[^\n]*\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, language = '', mark, code = ''] = match;
    return { document, line: text.slice(0, match.index).split('\n').length + 1, language, mark, text: code };
  });
}

/** `docs/guides/data.md:12`. */
export function placeOf({ document, line }: CodeBlock): string {
  return `${document}:${line}`;
}

/** The command lines of a block of `sh`: without comments and variables, continued lines joined. */
export function commandLines({ text }: CodeBlock): readonly string[] {
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((line) => line.replace(/(?:^|\s)#.*$/, '').split(/ (?:&&|\|) /))
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The arguments of a `gantry` command, or undefined for another program. */
export function gantryArguments(line: string): readonly string[] | undefined {
  const [, rest] = /^(?:[A-Z_]+=\S* )*(?:npx )?gantry(?: (.*))?$/.exec(line) ?? [];
  if (!/(?:^| )gantry(?: |$)/.test(line) || rest === undefined) return undefined;
  return [...rest.replace(/ > \S+$/, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, a, b, c]) => a ?? b ?? c ?? '',
  );
}
