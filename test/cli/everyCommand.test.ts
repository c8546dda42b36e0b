import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { documentSchemas } from '../../src/cli/declared/documents.ts';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { commandNamed, commandNames, helpPage, pageName } from './helpPages.ts';

const root = join(import.meta.dirname, '../..');
const here = join(root, 'test/cli');

const tests = ['test/ci', 'test/cli', 'test/e2e', 'test/project/stack', 'test/project/inputs']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(root, folder, file)),
  )
  .filter((file) => file.endsWith('.test.ts') && !file.endsWith('everyCommand.test.ts'))
  .map((file) => readFileSync(file, 'utf8'));

test('src/cli/commands has a file or a folder for each command', () => {
  const names = new Set(commandNames.flatMap((name) => name.split(' ')[0] ?? []));
  const present = readdirSync(join(root, 'src/cli/commands')).map((file) => file.replace(/[A-Z].*$|\.ts$/, ''));
  // Commander generates `help`.
  expect(new Set([...present, 'help'])).toEqual(names);
});

describe.each(commandNames)('gantry %s', (name) => {
  test('is run by a test', () => {
    const runsIt = new RegExp(`[([]\\s*'${name.replace(' ', "', '")}'[,\\]]`);
    expect(tests.some((text) => runsIt.test(text))).toBe(true);
  });

  test('has a help page that was reviewed, with every option and no other', async () => {
    expect(existsSync(join(here, `help/${pageName(name)}.80.txt`))).toBe(true);
    const page = await helpPage([...name.split(' '), '--help'], 120);
    const visible = (commandNamed(name)?.options ?? []).filter(({ hidden }) => !hidden).map(({ flags }) => flags);
    const listed = [...page.matchAll(/^ {2}(-[^ ]*(?: [<[][^ ]+)?) {2}/gm)].map(([, flags]) => flags);
    expect(listed).toEqual(visible);
  });

  // The result of `schema` is itself a schema, and `help` has no document.
  const hasDocument = name !== 'schema' && name !== 'help';
  test(hasDocument ? 'has a JSON Schema of its result' : 'has no document of its own', async () => {
    const document = /^JSON Schema of -o json: gantry schema (\S+)$/m.exec(
      await helpPage([...name.split(' '), '--help'], 80),
    )?.[1];
    if (hasDocument) expect(Object.keys(documentSchemas)).toContain(document);
    else expect(document).toBeUndefined();
  });
});

test.each([
  { args: ['validate', 'examples/shop'], schema: 'validation' },
  { args: ['validate', 'README.md'], schema: 'validation' },
  { args: ['synth', 'examples/shop'], schema: 'manifests' },
  { args: ['graph', 'examples/shop'], schema: 'graph' },
  { args: ['rules'], schema: 'rules' },
])('the output of gantry $args follows its schema', async ({ args, schema }) => {
  const { stdout } = await inProcess(undefined, [...args, '-o', 'json'], { cwd: root });
  const check = new Ajv2020({ strict: false }).compile(Object((await documentSchemas[schema]?.()) ?? {}));
  check(JSON.parse(stdout));
  expect(check.errors).toBeNull();
});
