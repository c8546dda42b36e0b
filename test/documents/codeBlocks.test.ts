import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { load, loadAll } from 'js-yaml';
import { beforeAll, describe, expect, test } from 'vitest';
import { isObject } from '../../src/base/json/json.ts';
import { makeProgram } from '../../src/cli/program.ts';
import { parseClientLine } from '../../src/commands/parseClientLine.ts';
import { nounFirst } from '../../src/terminal/nouns.ts';
import { linkPackages } from '../cli/projectFolder.ts';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { writeBelow } from '../harness/writeBelow.ts';
import type { Outcome } from '../outcome.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { compile } from '../types/compile.ts';
import { blocksOf, type CodeBlock, commandLines, documents, gantryArguments, placeOf } from './codeBlocks.ts';

const folder = temporaryFolder('documents');
const run = (args: readonly string[], cwd = folder, input = '') => inProcess(undefined, args, { cwd, input });
const blocks = documents.flatMap(blocksOf);
const inLanguage = (language: string) => blocks.filter((block) => block.language === language);
const slug = (document: string) => document.replaceAll(/[^\w]+/g, '-');

/** YAML that is neither a manifest nor settings, which other tests read. */
const otherYaml = ['prefix', 'cases', 'faults', 'jobs', 'tokens', 'words'];

/** The names that code without imports may use. */
const prelude = `import { App, Gvc, Identity, Secret, Stack, sensitive, VolumeSet, Workload } from 'gantry';
const app = new App();
const stack = new Stack(app, 'fragment');
const gvc = new Gvc(stack, 'fragment');
void [Identity, Secret, sensitive, VolumeSet, Workload, gvc];
`;

/** The file of a block: the one that it names, or its own. */
function nameOf({ mark, line }: CodeBlock): string {
  return mark ?? `line-${line}.ts`;
}

/** The path of the file, in the folder of its document. */
function fileOf(block: CodeBlock): string {
  return `${slug(block.document)}/${nameOf(block)}`;
}

/** Whole programs unchanged; members of an object and single statements inside a program. */
function programOf({ text }: CodeBlock): string {
  if (/^import /m.test(text)) return text;
  return `${prelude}${/^\w+: /.test(text) ? `export const fragment = {\n${text.trim().replace(/;$/, ',')}\n};\n` : text}`;
}

const code = inLanguage('ts');
const commandBlocks = inLanguage('sh').filter(({ mark }) => mark === 'run');
const programs = new Map(code.map((block) => [fileOf(block), programOf(block)]));
let said: ReadonlyMap<string, string> = new Map();

/** A command of a block that is run, and its outcome. */
interface Run {
  readonly document: string;
  readonly line: string;
  readonly outcome: Outcome;
}
const runs: Run[] = [];

beforeAll(async () => {
  linkPackages(folder);
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'gantry.yaml'), 'secrets: { commands: true }\n');
  const files = [
    ...programs,
    ...inLanguage('yaml')
      .filter(isNamed)
      .map((block) => [fileOf(block), block.text] as const),
  ];
  for (const [file, text] of files) writeBelow(folder, file, text);
  // In the order of the documents: a later block continues where an earlier one ended.
  for (const block of commandBlocks) {
    for (const line of commandLines(block)) {
      const outcome = await run(gantryArguments(line) ?? [], join(folder, slug(block.document)));
      runs.push({ document: block.document, line, outcome });
    }
  }
  said = await compile(new Map([...programs, ...codeWritten()]));
});

/** Files that the commands wrote, such as those of `gantry add`, which the code of a guide imports. */
function codeWritten(): readonly (readonly [string, string])[] {
  return documents.map(slug).flatMap((own) => {
    const names = existsSync(join(folder, own)) ? readdirSync(join(folder, own)) : [];
    return names
      .filter((name) => name.endsWith('.ts') && !programs.has(`${own}/${name}`))
      .map((name) => [`${own}/${name}`, readFileSync(join(folder, own, name), 'utf8')] as const);
  });
}

function isNamed({ mark }: CodeBlock): boolean {
  return mark !== undefined;
}

test('every block names its language', () => {
  const known = ['ts', 'yaml', 'json', 'sh', 'text', 'http', 'terraform'];
  expect(blocks.filter(({ language }) => !known.includes(language)).map(placeOf)).toEqual([]);
  expect(new Set([...code, ...inLanguage('yaml')].filter(isNamed).map(fileOf)).size).toBe(
    [...code, ...inLanguage('yaml')].filter(isNamed).length,
  );
});

describe('TypeScript', () => {
  test.each(code.map((block) => ({ at: placeOf(block), block })))('$at compiles', ({ block }) => {
    expect(said.get(fileOf(block))).toBe('');
  });

  // A program that opens a platform itself is run, not loaded as a stack.
  const isStack = ({ text }: CodeBlock) => /new App[<(]/.test(text) && !text.includes("'gantry/automation'");
  const stacks = code.filter(isStack);
  test.each(stacks.map((block) => ({ at: placeOf(block), block })))('$at is a valid stack', async ({ block }) => {
    const { code: exit, stdout, stderr } = await run(['validate', nameOf(block)], join(folder, slug(block.document)));
    expect(stdout + stderr).toMatch(/^\d+ resources? (?:is|are) valid\n$/);
    expect(exit).toBe(0);
  });

  const others = code.filter((block) => !isStack(block) && /^import /m.test(block.text));
  test.each(others.map((block) => ({ at: placeOf(block), block })))(
    '$at runs, and its tests pass',
    async ({ block }) => {
      const args = block.text.includes("'node:test'") ? ['--test', fileOf(block)] : [fileOf(block)];
      expect(() => execFileSync(process.execPath, args, { cwd: folder, stdio: 'pipe' })).not.toThrow();
    },
  );
});

describe('YAML', () => {
  const manifests = inLanguage('yaml').filter(({ text }) => text.startsWith('kind: '));
  test.each(manifests.map((block) => ({ at: placeOf(block), block })))('$at is a valid manifest', async ({ block }) => {
    const { stdout, stderr } = await run(['validate', '-'], folder, block.text);
    expect(stdout + stderr).toMatch(/^\d+ resources? (?:is|are) valid\n$/);
  });

  const others = inLanguage('yaml').filter((block) => !manifests.includes(block));
  test.each(others.map((block) => ({ at: placeOf(block), block })))(
    '$at contains settings, or is read by another test',
    async ({ block }) => {
      const documentsIn = loadAll(block.text).filter(isObject);
      expect(documentsIn.length).toBeGreaterThan(0);
      if (documentsIn.every((each) => otherYaml.some((member) => Object.hasOwn(each, member)))) return;
      const own = join(folder, `settings-${block.line}-${slug(block.document)}`);
      mkdirSync(own);
      writeFileSync(join(own, 'gantry.yaml'), block.text);
      writeFileSync(join(own, 'gvc.yaml'), 'kind: gvc\nname: shop\n');
      for (const args of environmentsIn(documentsIn)) {
        const { stdout, stderr } = await run(['validate', '.', ...args], own);
        const notes = /^note: gantry\.yaml:.* the exception from .*\n/gm; // Of missing resources.
        expect((stdout + stderr).replace(notes, '')).toBe('1 resource is valid\n');
      }
    },
  );
});

test.each(inLanguage('json').map((block) => ({ at: placeOf(block), block })))('$at is JSON', ({ block }) => {
  expect(() => load(block.text.replaceAll('…', ''))).not.toThrow();
});

describe('commands', () => {
  const lines = inLanguage('sh').flatMap((block) =>
    commandLines(block).flatMap((line) => {
      const args = gantryArguments(line);
      return args === undefined ? [] : [{ at: placeOf(block), line, args }];
    }),
  );

  test.each(lines)('$at: $line is a command line', async ({ args }) => {
    const aboutOne = nounFirst(args);
    if (aboutOne !== undefined) return parseClientLine(aboutOne, async () => {});
    const program = makeProgram(async () => {});
    for (const command of [program, ...program.commands])
      command.configureOutput({ writeOut: () => {}, writeErr: () => {} });
    const failure = await program.parseAsync([...args], { from: 'user' }).then(
      () => undefined,
      (error: unknown) => error,
    );
    const isHelp = failure instanceof CommanderError && failure.exitCode === 0;
    expect(failure === undefined || isHelp, String(failure)).toBe(true);
  });

  test('some command lines are run', () => {
    expect(runs.length).toBeGreaterThan(10);
  });

  test.each([...new Set(commandBlocks.map(({ document }) => document))])(
    'the commands of %s that are run succeed',
    (document) => {
      const own = runs.filter((run) => run.document === document);
      expect(own.length).toBeGreaterThan(0);
      for (const { line, outcome } of own) expect(outcome.code, `${line}\n${outcome.stdout}${outcome.stderr}`).toBe(0);
    },
  );
});

/** The arguments that choose each environment of the settings; one empty list if there are none. */
function environmentsIn(settings: readonly object[]): readonly (readonly string[])[] {
  const names = settings.flatMap((each) => ('environments' in each ? Object.keys(each.environments ?? {}) : []));
  return names.length === 0 ? [[]] : names.map((name) => ['--env', name]);
}
