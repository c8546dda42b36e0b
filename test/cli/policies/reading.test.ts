import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { linkPackages, useProjectFolder } from '../projectFolder.ts';

const project = useProjectFolder('reading');
const home = temporaryFolder('home-of-policies');
const isLinux = process.platform === 'linux';
if (!isLinux) console.warn('skipped: only Linux has /proc');

/** A policy that warns of how long a file is that it reads: the path is an expression. */
function reading(path: string): string {
  return `import { readFileSync } from 'node:fs';
import { policy } from 'gantry/policies';
export const reader = policy({ id: 'reader', resource: () => [
  { message: 'read ' + readFileSync(${path}, 'utf8').length, severity: 'warning' },
] });
`;
}

beforeEach(() => {
  project.write('gvc.yaml', 'kind: gvc\nname: shop\ndescription: a shop\n');
  project.write('gantry.yaml', 'stack: shop\n');
  project.write('.gantryignore', 'link\n');
  writeFileSync(join(home, 'credentials'), 'x');
});

async function refused(): Promise<string> {
  const { stdout, code } = await project.run(['validate', '.'], { GANTRY_TOKEN: 'canary' });
  expect(code, stdout).toBe(1);
  expect(stdout).not.toMatch(/read \d/);
  return stdout;
}

async function read(): Promise<void> {
  const { stdout, code } = await project.run(['validate', '.']);
  expect(stdout).toMatch(/policy\.reader .*read \d+/);
  expect(code).toBe(0);
}

describe('a policy cannot read', () => {
  test
    .runIf(isLinux)
    .each([
      'process.ppid',
      'process.pid',
      "'self'",
      "'self/../' + process.ppid",
      "'thread-self/../../../' + process.ppid",
    ])('the environment of /proc/%s', async (pid) => {
    project.write('policies/a.ts', reading(`'/proc/' + ${pid} + '/environ'`));
    expect(await refused()).toMatch(
      /policies\.throws .*(restricted|ERR_ACCESS_DENIED).*Policies can read their project/,
    );
  });

  test('the home folder', async () => {
    project.write('policies/a.ts', reading(JSON.stringify(join(home, 'credentials'))));
    expect(await refused()).toMatch(/policies\.throws .*Policies can read their project/);
  });

  test('a file beside the project', async () => {
    writeFileSync(join(project.path, '../beside.txt'), 'x');
    project.write('policies/a.ts', reading("new URL('../../beside.txt', import.meta.url)"));
    expect(await refused()).toMatch(/policies\.throws/);
  });

  test.runIf(isLinux)('through a link of the project to /proc', async () => {
    symlinkSync('/proc', join(project.path, 'link'));
    project.write('policies/a.ts', reading("new URL('../link/' + process.ppid + '/environ', import.meta.url)"));
    expect(await refused()).toMatch(/policies\.throws .*Policies can read their project/);
  });

  test('through a link beside it: then it cannot even be loaded', async () => {
    project.write('policies/a.ts', reading("new URL('./link/credentials', import.meta.url)"));
    symlinkSync(home, join(project.path, 'policies/link'));
    expect(await refused()).toMatch(/policies\.load .*Policies can read their project/);
  });

  test('through a link that leads nowhere yet', async () => {
    symlinkSync(join(home, 'later'), join(project.path, 'link'));
    project.write('policies/a.ts', reading("new URL('../gvc.yaml', import.meta.url)"));
    expect(await refused()).toMatch(/policies\.throws/);
  });

  test.runIf(isLinux)('past a link to a folder that is less deep: the path is another one for Node', async () => {
    const levels = project.path.split('/').length + 2;
    const deep = Array.from({ length: levels }, (_, index) => `d${index}`).join('/');
    project.write(`${deep}/file`, '');
    project.write('target/file', '');
    project.write(`proc/self/environ`, '');
    symlinkSync(join(project.path, 'target'), join(project.path, deep, 'link'));
    const up = '../'.repeat(levels + 1);
    project.write('policies/a.ts', reading(JSON.stringify(`${project.path}/${deep}/link/${up}proc/self/environ`)));
    expect(await refused()).toMatch(/policies\.throws/);
  });
});

describe('a policy starts no thread, which could have permissions of its own', () => {
  const everything = "execArgv: ['--permission', '--allow-fs-read=*']";

  test.each([
    ['imported', "import { Worker } from 'node:worker_threads';", `new Worker('', { eval: true, ${everything} })`],
    ['required', '', `new (process.getBuiltinModule('worker_threads').Worker)('', { eval: true, ${everything} })`],
    ['for hooks', "import { register } from 'node:module';", "register('data:text/javascript,')"],
  ])('%s', async (_how, before, start) => {
    const code = `import { policy } from 'gantry/policies';
export const starter = policy({ id: 'starts', resource: () => { ${start}; return []; } });
`;
    project.write('policies/a.ts', `${before}\n${code}`);
    expect(await refused()).toMatch(/policies\.throws .*restricted/);
  });
});

describe('a policy can read', () => {
  test('files of its project', async () => {
    project.write('policies/a.ts', reading("new URL('../gvc.yaml', import.meta.url)"));
    await read();
  });

  test('through links that lead to something at least as deep in it', async () => {
    project.write('shared/in/names.txt', 'web');
    symlinkSync('shared/in', join(project.path, 'in'));
    symlinkSync('shared/in/names.txt', join(project.path, 'names.txt'));
    project.write('policies/a.ts', reading("new URL('../in/../in/names.txt', import.meta.url)"));
    await read();
  });

  test('what is installed: here, above, and where a link of a workspace leads', async () => {
    const name = project.path.split('/').at(-1) ?? '';
    const above = join(project.path, '../node_modules');
    mkdirSync(join(project.path, 'elsewhere', name), { recursive: true });
    const workspace = join(home, `workspace-${name}`);
    mkdirSync(workspace);
    writeFileSync(join(workspace, 'package.json'), '{"name":"linked","type":"module","exports":"./index.js"}');
    writeFileSync(join(workspace, 'index.js'), 'export const linked = 1;\n');
    mkdirSync(join(above, `above-${name}`), { recursive: true });
    writeFileSync(join(above, `above-${name}`, 'package.json'), '{"type":"module","exports":"./index.js"}');
    writeFileSync(join(above, `above-${name}`, 'index.js'), 'export const above = 1;\n');
    linkPackages(project.path, { '@team/linked': workspace });
    project.write(
      'policies/a.ts',
      `import { above } from 'above-${name}';
import { linked } from '@team/linked';
import { rules } from '../rules/rules.ts';
import { policy } from 'gantry/policies';
export const reader = policy({ id: 'reader', resource: () => [{ message: 'read ' + (above + linked + rules), severity: 'warning' }] });
`,
    );
    project.write('rules/rules.ts', 'export const rules: number = 1;\n');
    await read();
  });
});
