import { type ExecFileOptions, execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { versions } from '../../../src/cli/commands/init.ts';
import { templateNames } from '../../../src/cli/commands/initTemplates.ts';
import { projectSchema } from '../../../src/cli/schemas/commands.ts';
import { compileCache } from '../../compileCache.ts';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { isEverySample, sampled } from '../../harness/sampled.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { linkPackages, useProjectFolder } from '../projectFolder.ts';

const repository = new URL('../../..', import.meta.url).pathname;
const project = useProjectFolder('init');
const { files, read, run, write } = project;
/** The output of a program that succeeds. */
const printed = async (program: string, args: readonly string[], options: ExecFileOptions) =>
  String((await promisify(execFile)(program, args, options)).stdout);
const packageOf = (): Readonly<Record<string, unknown>> => JSON.parse(read('package.json'));

describe('the templates', () => {
  /** A folder for each template, below one with their installed packages. */
  const root = temporaryFolder('templates');
  const folderOf = (template: string) => join(root, template);
  const isCode = (template: string) => template !== 'yaml';
  const code = templateNames.filter(isCode);
  const told = new Map<string, string>();

  beforeAll(async () => {
    linkPackages(root, {
      ...Object.fromEntries(['@types', 'typescript'].map((name) => [name, join(repository, 'node_modules', name)])),
      '.bin/gantry': join(repository, 'dist/cli.js'),
      '.bin/tsc': join(repository, 'node_modules/typescript/bin/tsc'),
      '.bin/node': process.execPath,
    });
    for (const template of templateNames) {
      const command = ['init', template, '--name', 'orders', '--dir', template];
      told.set(template, (await succeeded(inProcess(undefined, command, { cwd: root }))).stdout);
    }
  });

  /** Runs a script of `package.json` with a PATH like npm's. */
  function runScript(template: string, name: string, cwd = folderOf(template)): Promise<string> {
    const { scripts } = JSON.parse(readFileSync(join(folderOf(template), 'package.json'), 'utf8'));
    const environment = { PATH: `${join(root, 'node_modules/.bin')}:/usr/bin:/bin`, HOME: root, ...compileCache };
    return printed('sh', ['-c', String(Object(scripts)[name])], { cwd, env: environment });
  }

  test.each(sampled(templateNames, 0, 3, 4))(
    '%s makes a project that passes its own test and can be planned',
    async (template) => {
      expect(told.get(template)).toMatch(/^Project orders in /);
      const cwd = folderOf(template);
      const written = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      const texts = written.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
      expect(texts.filter((text) => /sample/i.test(text))).toEqual([]);
      expect(readFileSync(join(cwd, '.gitignore'), 'utf8')).toBe('node_modules/\n.gantry/\n');

      expect(await runScript(template, 'test')).toMatch(/^\d+ resources are valid$/m);
      const [stack = ''] = /npx gantry plan (\S+) --embedded/.exec(told.get(template) ?? '')?.slice(1) ?? [];
      const planned = await succeeded(inProcess(undefined, ['plan', stack, '--embedded'], { cwd }));
      expect(planned.stdout).toMatch(/^Plan: \d+ to create\./m);
    },
  );

  test('those in TypeScript pass the type check of their script', async () => {
    // They share one configuration, so one check of all reads the libraries once.
    const configurations = code.map((template) => readFileSync(join(folderOf(template), 'tsconfig.json'), 'utf8'));
    expect(new Set(configurations).size).toBe(1);
    const together = { extends: './service/tsconfig.json', include: code.map((template) => `${template}/**/*.ts`) };
    writeFileSync(join(root, 'tsconfig.json'), JSON.stringify(together));
    writeFileSync(join(root, 'package.json'), '{"type": "module"}');
    const oldest = join(repository, 'node_modules/typescript-5.9/bin/tsc');
    expect(await runScript('service', 'types', root)).toBe('');
    if (isEverySample) expect(await printed(process.execPath, [oldest], { cwd: root })).toBe('');
  });
});

test.each(templateNames)('the settings files of a new %s share one unique project id', async (template) => {
  const idsOf = (folder: string) =>
    Object.entries(files())
      .filter(([path]) => path.startsWith(`${folder}/`) && path.endsWith('gantry.yaml'))
      .map(([, text]) => /^(?:stack: \S+\n)?(?:#.*\n)*project: ([a-z][a-z0-9]{7})$/m.exec(text)?.[1]);
  for (const folder of ['one', 'two']) expect((await run(['init', template, '--dir', folder])).code).toBe(0);
  const [one, two] = [idsOf('one'), idsOf('two')];
  expect(one.length).toBeGreaterThan(0);
  expect([...one, ...two]).not.toContain(undefined);
  expect(new Set(one).size).toBe(1);
  expect(new Set([...one, ...two]).size).toBe(2);
});

test('a project in a new folder is named after it, and its document follows the schema', async () => {
  const { code, stdout } = await run(['init', '--dir', '2024 Orders', '-o', 'json']);
  expect(code).toBe(0);
  const result = JSON.parse(stdout);
  const check = new Ajv2020({ strict: false }).compile(projectSchema);
  check(result);
  expect(check.errors).toBeNull();
  expect(result).toMatchObject({
    template: 'service',
    folder: join(project.path, '2024 Orders'),
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

test('the next commands enter a folder whose name has spaces', async () => {
  const { stdout } = await run(['init', '--dir', "Ana's Orders"]);
  expect(stdout).toContain("\nNext:\n  cd 'Ana'\\''s Orders'\n  npm install\n");
});

describe('in a folder with files', () => {
  test('the package.json of npm init is extended, also if it has a failing test and CommonJS without code', async () => {
    const written = { name: 'mine', version: '1.0.0', type: 'commonjs', dependencies: { gantry: 'file:../g.tgz' } };
    write(
      'package.json',
      JSON.stringify({ ...written, scripts: { test: 'echo "Error: no test specified" && exit 1' } }),
    );
    write('.gitignore', '*.log\n/node_modules');
    const { code, stdout } = await run(['init', 'cron']);
    expect(code).toBe(0);
    expect(stdout).toContain('extended   package.json');
    expect(packageOf()).toMatchObject({
      name: 'mine',
      version: '1.0.0',
      type: 'module',
      scripts: { test: 'node --test && gantry validate .' },
      dependencies: { constructs: versions.constructs, gantry: 'file:../g.tgz' },
      devDependencies: { node: versions.node, typescript: versions.typescript },
      allowScripts: { node: true }, // npm 11 warns of each script that is not listed
    });
    expect(read('.gitignore')).toBe('*.log\n/node_modules\nnode_modules/\n.gantry/\n');
  });

  test('scripts and versions of the project are kept', async () => {
    write(
      'package.json',
      '{"type": "module", "scripts": {"test": "vitest"}, "devDependencies": {"typescript": "5.9.3"}, "allowScripts": {"node": false, "x": true}}',
    );
    await run(['init']);
    expect(packageOf()).toMatchObject({
      scripts: { test: 'vitest', plan: 'gantry plan .' },
      devDependencies: { typescript: '5.9.3', node: versions.node },
      allowScripts: { node: false, x: true },
    });
  });

  test.each(templateNames)('a second run of %s changes nothing', async (template) => {
    await run(['init', template]);
    const before = files();
    const { code, stdout } = await run(['init', template]);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/created|extended/);
    expect(files()).toEqual(before);
  });

  test.each([
    { it: 'an own stack', path: 'stack.ts', text: 'mine', template: 'service', code: 'init.exists' },
    { it: 'own settings', path: 'gantry.yaml', text: 'stack: mine', template: 'yaml', code: 'init.exists' },
    { it: 'a broken package.json', path: 'package.json', text: '{"name": ', template: 'yaml', code: 'init.package' },
    { it: 'a list in package.json', path: 'package.json', text: '[]', template: 'yaml', code: 'init.package' },
  ])('$it is never overwritten, and nothing is written', async ({ path, text, template, code }) => {
    write(path, text);
    const outcome = await run(['init', template]);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain(`error ${code}: `);
    expect(files()).toEqual({ [path]: text });
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'is a file', prepare: () => write('taken', ''), dir: 'taken', says: 'taken/package.json cannot be read' },
      { it: 'has a folder where a file belongs', prepare: () => mkdirSync(join(project.path, 'package.json')), dir: '.',
        says: 'package.json cannot be read' },
      { it: 'has a file where a folder belongs', prepare: () => write('orders', ''), dir: 'orders/environments',
        says: 'cannot be read: a part of its path is not a folder' },
    ],
  )('a folder that $it is an error with its path', async ({ prepare, dir, says }) => {
    prepare();
    const { code, stderr } = await run(['init', 'multi-env', '--dir', dir]);
    expect(code).toBe(1);
    expect(stderr).toContain('error init.files: ');
    expect(stderr).toContain(says);
  });

  test('a project of CommonJS files is refused', async () => {
    write('package.json', '{"type": "commonjs"}');
    write('index.js', 'module.exports = 1;');
    const { code, stderr } = await run(['init']);
    expect(code).toBe(1);
    expect(stderr).toContain('error init.package: ');
    expect(Object.keys(files()).sort()).toEqual(['index.js', 'package.json']);
  });
});

test.each([
  { args: ['init', 'servce'], says: 'there is no template "servce"\n  hint: Did you mean service?' },
  { args: ['init', 'x'], says: `Available: ${templateNames.join(', ')}.` },
  { args: ['init', '--name', 'Orders'], says: '"Orders" cannot be the name of a stack and its GVC' },
  { args: ['init', '--name', 'a'.repeat(41)], says: '3 to 40 lower-case letters' },
  { args: ['init', '--name', 'ab'], says: '3 to 40 lower-case letters' },
])('$args is a usage error', async ({ args, says }) => {
  const { code, stderr } = await run(args);
  expect(code).toBe(64);
  expect(stderr).toContain(says);
  expect(files()).toEqual({});
});

test('a new project installs the versions that Gantry is tested with', () => {
  const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
  for (const [name, version] of Object.entries(versions))
    expect(lock.packages[`node_modules/${name}`].version, name).toBe(version);
});

test('every folder of templates is a template, the shared part of TypeScript templates, or used by add or ci init', () => {
  const others = ['typescript', 'snippets', 'ci'];
  const folders = readdirSync(join(repository, 'templates')).filter((name) => !others.includes(name));
  expect(folders.sort()).toEqual([...templateNames].sort());
});

test.each(
  templateNames.flatMap((name) => {
    const folder = join(repository, 'templates', name);
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('gantry.yaml'),
    );
    return found.map((path) => ({ name, path, file: join(folder, path) }));
  }),
)('$path of $name names its schema for editors, and the package has it', ({ path, file }) => {
  const [, schema = ''] = /^# yaml-language-server: \$schema=(.+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
  expect(join('/project', dirname(path), schema)).toBe('/project/node_modules/gantry/dist/schemas/settings.json');
  expect(existsSync(join(repository, 'dist/schemas/settings.json'))).toBe(true);
});
