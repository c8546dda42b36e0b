import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { projectSchema } from '../../../src/cli/commands/init/schema.ts';
import { templateNames } from '../../../src/cli/commands/init/templates.ts';
import { versions } from '../../../src/cli/commands/init/versions.ts';
import { compileCache } from '../../compileCache.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { runCli } from '../process.ts';

const repository = new URL('../../..', import.meta.url).pathname;
const root = temporaryFolder('init');
let folder = '';
let count = 0;

beforeEach(() => {
  count += 1;
  folder = join(root, `project-${count}`);
  mkdirSync(folder);
});

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
const packageOf = (): Readonly<Record<string, unknown>> => JSON.parse(read('package.json'));

/** Every file of the project by path, but for installed packages. */
function files(): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

/** As `npm install` would, from what is installed here. */
function install(): void {
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  const link = (to: string, at: string) => symlinkSync(to, join(folder, 'node_modules', at));
  link(repository, 'gantry');
  for (const name of ['@types', 'constructs', 'typescript']) link(join(repository, 'node_modules', name), name);
  link(join(repository, 'dist/cli.js'), '.bin/gantry');
  link(join(repository, 'node_modules/typescript/bin/tsc'), '.bin/tsc');
  link(process.execPath, '.bin/node');
}

/** A script of `package.json`, with a PATH as npm makes it. */
function runScript(name: string): string {
  const { scripts } = packageOf();
  const command = String(Object(scripts)[name]);
  const environment = { PATH: `${join(folder, 'node_modules/.bin')}:/usr/bin:/bin`, HOME: folder, ...compileCache };
  return execFileSync('sh', ['-c', command], { cwd: folder, env: environment, encoding: 'utf8' });
}

describe.each(templateNames)('the template %s', (template) => {
  test('makes a project that passes its own test and type check, and plans', async () => {
    const made = await succeeded(runCli(['init', template, '--name', 'orders'], folder));
    expect(made.stdout).toMatch(/^Project orders in /);
    expect(Object.values(files()).filter((text) => /sample/i.test(text))).toEqual([]);
    expect(read('.gitignore')).toBe('node_modules/\n.gantry/\n');

    install();
    expect(runScript('test')).toMatch(/^\d+ resources are valid$/m);
    if (template !== 'yaml') {
      expect(runScript('types')).toBe('');
      const older = join(repository, 'node_modules/typescript-5.9/bin/tsc');
      expect(execFileSync(process.execPath, [older], { cwd: folder, encoding: 'utf8' })).toBe('');
    }
    const [stack = ''] = /npx gantry plan (\S+) --embedded/.exec(made.stdout)?.slice(1) ?? [];
    const planned = await succeeded(runCli(['plan', stack, '--embedded'], folder));
    expect(planned.stdout).toMatch(/^Plan: \d+ to create\./m);
  });
});

test('a project in a new folder is named after it, and its document obeys the schema', async () => {
  const { code, stdout } = await runCli(['init', '--dir', '2024 Orders', '-o', 'json'], folder);
  expect(code).toBe(0);
  const result = JSON.parse(stdout);
  const check = new Ajv2020({ strict: false }).compile(projectSchema);
  check(result);
  expect(check.errors).toBeNull();
  expect(result).toMatchObject({
    template: 'service',
    folder: join(folder, '2024 Orders'),
    stack: 'stack-2024-orders',
    next: ['npm install', 'npm test', 'npx gantry plan . --embedded'],
  });
  expect(result.files.map(({ path, change }: { path: string; change: string }) => `${change} ${path}`)).toEqual([
    'created package.json',
    'created .gitignore',
    'created gantry.yaml',
    'created service.test.ts',
    'created service.ts',
    'created stack.ts',
    'created tsconfig.json',
  ]);
});

describe('in a folder with files', () => {
  test('what npm init wrote is extended: its failing test and CommonJS without code do not count', async () => {
    const written = { name: 'mine', version: '1.0.0', type: 'commonjs', dependencies: { gantry: 'file:../g.tgz' } };
    write(
      'package.json',
      JSON.stringify({ ...written, scripts: { test: 'echo "Error: no test specified" && exit 1' } }),
    );
    write('.gitignore', '*.log\n/node_modules');
    const { code, stdout } = await runCli(['init', 'cron'], folder);
    expect(code).toBe(0);
    expect(stdout).toContain('extended   package.json');
    expect(packageOf()).toMatchObject({
      name: 'mine',
      version: '1.0.0',
      type: 'module',
      scripts: { test: 'node --test && gantry validate .' },
      dependencies: { constructs: versions.constructs, gantry: 'file:../g.tgz' },
      devDependencies: { node: versions.node, typescript: versions.typescript },
    });
    expect(read('.gitignore')).toBe('*.log\n/node_modules\nnode_modules/\n.gantry/\n');
  });

  test('scripts and versions of the project stay as they are', async () => {
    write(
      'package.json',
      '{"type": "module", "scripts": {"test": "vitest"}, "devDependencies": {"typescript": "5.9.3"}}',
    );
    await runCli(['init'], folder);
    expect(packageOf()).toMatchObject({
      scripts: { test: 'vitest', plan: 'gantry plan .' },
      devDependencies: { typescript: '5.9.3', node: versions.node },
    });
  });

  test('a second run changes nothing', async () => {
    await runCli(['init'], folder);
    const before = files();
    const { code, stdout } = await runCli(['init'], folder);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/created|extended/);
    expect(files()).toEqual(before);
  });

  test.each([
    { it: 'a stack of its own', path: 'stack.ts', text: 'mine', template: 'service', code: 'init.exists' },
    { it: 'settings of its own', path: 'gantry.yaml', text: 'stack: mine', template: 'yaml', code: 'init.exists' },
    { it: 'a broken package.json', path: 'package.json', text: '{"name": ', template: 'yaml', code: 'init.package' },
    { it: 'a list in package.json', path: 'package.json', text: '[]', template: 'yaml', code: 'init.package' },
  ])('$it is never overwritten, and nothing is written', async ({ path, text, template, code }) => {
    write(path, text);
    const outcome = await runCli(['init', template], folder);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain(`error ${code}: `);
    expect(files()).toEqual({ [path]: text });
  });

  test.each([
    { it: 'is a file', prepare: () => write('taken', ''), dir: 'taken', says: 'taken/package.json cannot be read' },
    {
      it: 'has a folder where a file belongs',
      prepare: () => mkdirSync(join(folder, 'package.json')),
      dir: '.',
      says: 'package.json cannot be read',
    },
    {
      it: 'has a file where a folder belongs',
      prepare: () => write('environments', ''),
      dir: '.',
      says: 'environments/dev/gantry.yaml cannot be read',
    },
  ])('a folder that $it is an error with its path', async ({ prepare, dir, says }) => {
    prepare();
    const { code, stderr } = await runCli(['init', 'multi-env', '--dir', dir], folder);
    expect(code).toBe(1);
    expect(stderr).toContain('error init.files: ');
    expect(stderr).toContain(says);
  });

  test('a project of CommonJS files is refused', async () => {
    write('package.json', '{"type": "commonjs"}');
    write('index.js', 'module.exports = 1;');
    const { code, stderr } = await runCli(['init'], folder);
    expect(code).toBe(1);
    expect(stderr).toContain('error init.package: ');
    expect(Object.keys(files()).sort()).toEqual(['index.js', 'package.json']);
  });
});

test.each([
  { args: ['init', 'servce'], says: 'there is no template "servce"\n  hint: Did you mean service?' },
  { args: ['init', 'x'], says: `There are: ${templateNames.join(', ')}.` },
  { args: ['init', '--name', 'Orders'], says: '"Orders" cannot be the name of a stack and its GVC' },
  { args: ['init', '--name', 'a'.repeat(41)], says: 'at most 40 characters' },
])('$args is a wrong command line', async ({ args, says }) => {
  const { code, stderr } = await runCli(args, folder);
  expect(code).toBe(64);
  expect(stderr).toContain(says);
  expect(files()).toEqual({});
});

test('a new project installs what Gantry is tested with', () => {
  const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
  for (const [name, version] of Object.entries(versions))
    expect(lock.packages[`node_modules/${name}`].version, name).toBe(version);
});

test('every folder of templates is a template, the part that those in TypeScript share, or what add writes', () => {
  const others = ['typescript', 'snippets'];
  const folders = readdirSync(join(repository, 'templates')).filter((name) => !others.includes(name));
  expect(folders.sort()).toEqual([...templateNames].sort());
});
