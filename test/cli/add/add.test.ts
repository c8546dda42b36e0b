import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { load } from 'js-yaml';
import { beforeEach, describe, expect, test } from 'vitest';
import { pascal } from '../../../scripts/interfaces/forms.ts';
import { snippetSchema } from '../../../src/cli/commands/add/schema.ts';
import { creatableKinds, isGvcScoped } from '../../../src/schema/record/kinds.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { compile } from '../../types/compile.ts';
import { runCli } from '../process.ts';

const repository = new URL('../../..', import.meta.url).pathname;
const root = temporaryFolder('add');
let folder = '';
let count = 0;

beforeEach(() => {
  count += 1;
  folder = join(root, `project-${count}`);
  mkdirSync(folder);
});

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
const gvcYaml = 'kind: gvc\nname: shop\nspec: {}\n';

/** What `gantry add` wrote, by the kind that it was asked for. */
async function addEach(format: 'ts' | 'yaml'): Promise<ReadonlyMap<string, { file: string; next: readonly string[] }>> {
  const added = new Map<string, { file: string; next: readonly string[] }>();
  for (const kind of creatableKinds) {
    const { code, stdout, stderr } = await runCli(['add', kind, '--format', format, '-o', 'json'], folder);
    expect(code, stderr).toBe(0);
    const result: { file: string; next: readonly string[] } = JSON.parse(stdout);
    added.set(kind, result);
  }
  return added;
}

describe('every kind', () => {
  test('as manifests: all of them together are valid, in the GVC that the project declares', async () => {
    write('gantry.yaml', 'stack: shop\n');
    write('a.yaml', gvcYaml);
    const added = await addEach('yaml');
    const manifests = [...added.values()].map(({ file }) => Object(load(readFileSync(file, 'utf8'))));
    expect(manifests.map(({ kind }) => kind)).toEqual(creatableKinds);
    for (const { kind, gvc } of manifests) expect(gvc, kind).toBe(isGvcScoped(kind) ? 'shop' : undefined);

    const { stdout, stderr } = await runCli(['validate', '.'], folder);
    expect(stdout + stderr).toBe(`${creatableKinds.length + 1} resources are valid\n`);
  });

  test('as TypeScript: all of them compile, and make the same resources as the manifests', async () => {
    write('gantry.yaml', 'stack: shop\n');
    write('a.yaml', gvcYaml);
    await addEach('yaml');
    const expected = await synthesized();

    folder = join(folder, 'code');
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    for (const [name, to] of [
      ['gantry', repository] as const,
      ['constructs', `${repository}/node_modules/constructs`] as const,
    ])
      symlinkSync(to, join(folder, 'node_modules', name));
    write('package.json', '{"type": "module"}');
    const code = [...(await addEach('ts')).values()];
    const calls = code.map(({ next }) => next[1] ?? '');
    expect(calls).toContain('addWeb(gvc);');
    const body = [
      'const app = new App();',
      `const stack = new Stack(app, 'shop');`,
      `const gvc = new Gvc(stack, 'shop');`,
      'const workload = addWeb(gvc);',
      ...calls.filter((call) => call !== 'addWeb(gvc);'),
      'export default app;',
      '',
    ].join('\n');
    // The compiler gets one file; Node gets all of them.
    const texts = code.map(({ file }) => readFileSync(file, 'utf8').replaceAll(/^import .*$/gm, ''));
    const classes = creatableKinds.map((kind) => pascal(kind)).filter((name) => name !== 'Gvc');
    const program = `import { App, Gvc, Stack, ${classes.join(', ')} } from 'gantry';\n${texts.join('')}${body}`;
    expect((await compile(new Map([['stack', program]]))).get('stack')).toBe('');

    const imports = code.map(({ next }) => next[0] ?? '').join('\n');
    write('gantry.yaml', 'stack: shop\nmain: main.ts\n');
    write('main.ts', `import { App, Gvc, Stack } from 'gantry';\n${imports}\n${body}`);
    expect(await synthesized()).toEqual(expected);
  });
});

/** What the project stands for, in canonical order. */
async function synthesized(): Promise<unknown> {
  const { code, stdout, stderr } = await runCli(['synth', '.', '--reveal', '-o', 'json'], folder);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

test('the file is called after kind and name, and its use is told', async () => {
  write('tsconfig.json', '{}');
  const { code, stdout } = await runCli(['add', 'workload', 'api-v2'], folder);
  expect(code).toBe(0);
  expect(stdout).toBe(`created  workload-api-v2.ts

Use it in the stack:
  import { addApiV2 } from './workload-api-v2.ts';
  addApiV2(gvc);
`);
  expect(read('workload-api-v2.ts')).toContain(`new Workload(gvc, 'api-v2', {`);
});

test('a project of manifests gets a manifest; its document obeys the schema', async () => {
  write('a.yaml', gvcYaml);
  const { code, stdout } = await runCli(['add', 'identity', '-o', 'json'], folder);
  expect(code).toBe(0);
  const result = JSON.parse(stdout);
  const check = new Ajv2020({ strict: false }).compile(snippetSchema);
  check(result);
  expect(check.errors).toBeNull();
  const file = join(folder, 'identity-backend.yaml');
  const next = ['npx gantry validate .'];
  expect(result).toEqual({ kind: 'identity', name: 'backend', format: 'yaml', file, next });
  expect(load(read('identity-backend.yaml'))).toMatchObject({ kind: 'identity', name: 'backend', gvc: 'shop' });
});

test.each([
  { it: '--gvc', settings: 'gvc: other\n', args: ['--gvc', 'main'], gvc: 'main' },
  { it: 'the settings', settings: 'gvc: other\n', args: [], gvc: 'other' },
  { it: 'the name of the stack, where nothing declares one', settings: 'stack: My-Stack\n', args: [], gvc: 'my-stack' },
])('a manifest names the GVC of $it', async ({ settings, args, gvc }) => {
  write('gantry.yaml', settings);
  const { code, stderr } = await runCli(['add', 'volumeset', '--format', 'yaml', ...args], folder);
  expect(code, stderr).toBe(0);
  expect(load(read('volumeset-data.yaml'))).toMatchObject({ gvc });
});

test('a name that YAML would take for something else stays a name', async () => {
  const { code, stderr } = await runCli(['add', 'group', 'null', '--format', 'yaml'], folder);
  expect(code, stderr).toBe(0);
  expect(load(read('group-null.yaml'))).toMatchObject({ name: 'null' });
});

describe('nothing is written', () => {
  test('over a file that exists', async () => {
    write('workload-web.ts', 'mine');
    const { code, stderr } = await runCli(['add', 'workload', '--format', 'ts'], folder);
    expect(code).toBe(1);
    expect(stderr).toContain('error add.exists: ');
    expect(read('workload-web.ts')).toBe('mine');
  });

  test.each([
    {
      args: ['add', 'worklod'],
      says: 'there is no kind "worklod" that can be created\n  hint: Did you mean workload?',
    },
    { args: ['add', 'user'], says: 'There are: agent, auditctx' },
    { args: ['add', 'workload', 'My Web'], says: 'this cannot be its name: ' },
    { args: ['add', 'workload', '../web'], says: 'this cannot be its name: ' },
    { args: ['add', 'domain', 'not a host'], says: 'this cannot be its name: ' },
    { args: ['add', 'workload', ''], says: 'this cannot be its name: ' },
  ])('for a wrong command line: $args', async ({ args, says }) => {
    const { code, stderr } = await runCli(args, folder);
    expect(code).toBe(64);
    expect(stderr).toContain(says);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('in a folder that is not there', async () => {
    const { code, stderr } = await runCli(['add', 'workload', '--dir', 'nowhere'], folder);
    expect(code).toBe(1);
    expect(stderr).toContain('error add.files: ');
  });
});
