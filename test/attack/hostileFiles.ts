import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { filesBelow } from '../harness/filesBelow.ts';
import { type Attack, demand, equal } from './attack.ts';
import { demandCleanFailure, type Folder, gantry, makeFolder, type Outcome, start } from './cli.ts';

const settings = { 'gantry.yaml': 'stack: town\n' };

function group(name: string): string {
  return `kind: group\nname: ${name}\n`;
}

async function inFolder(
  files: Readonly<Record<string, string>>,
  work: (folder: Folder) => Promise<void>,
): Promise<void> {
  const folder = makeFolder({ ...settings, ...files });
  try {
    await work(folder);
  } finally {
    chmodSync(folder.path, 0o700);
    folder.remove();
  }
}

/** The ids of the declared resources, or the outcome of the refusal. */
async function declared(folder: Folder): Promise<readonly string[] | Outcome> {
  const outcome = await gantry(['synth', '.', '-o', 'json'], { cwd: folder.path });
  if (outcome.code !== 0) return outcome;
  const found: unknown = JSON.parse(outcome.stdout);
  const manifests: readonly { readonly name: string }[] = Array.isArray(found)
    ? found
    : (Object(found).manifests ?? []);
  return manifests.map(({ name }) => name).sort();
}

/** Demands that either everything is read, or the project is refused: no file is skipped silently. */
async function nothingLeftOut(prepare: (folder: Folder) => void): Promise<void> {
  await inFolder({ 'a.yaml': group('first') }, async (folder) => {
    prepare(folder);
    const found = await declared(folder);
    if (Array.isArray(found)) equal(found, ['first', 'second'], 'what is declared');
    else if (!Array.isArray(found)) demandCleanFailure(Object(found));
  });
}

const complete: readonly Attack[] = [
  [
    'a symlinked folder',
    (folder: Folder) => {
      const other = makeFolder({ 'b.yaml': group('second') });
      mkdirSync(join(folder.path, 'real'));
      writeFileSync(join(folder.path, 'real/b.yaml'), readFileSync(join(other.path, 'b.yaml')));
      other.remove();
      mkdirSync(join(folder.path, 'node_modules/outside'), { recursive: true });
      writeFileSync(join(folder.path, 'node_modules/outside/b.yaml'), group('second'));
      rmSync(join(folder.path, 'real'), { recursive: true });
      symlinkSync(join(folder.path, 'node_modules/outside'), join(folder.path, 'linked'));
    },
  ],
  [
    'a symlinked file',
    (folder: Folder) => {
      writeFileSync(join(folder.path, 'node_modules/b.yaml'), group('second'));
      symlinkSync(join(folder.path, 'node_modules/b.yaml'), join(folder.path, 'b.yaml'));
    },
  ],
  ['a file named b.YAML', (folder: Folder) => folder.write('b.YAML', group('second'))],
  ['a file named b.Yml', (folder: Folder) => folder.write('b.Yml', group('second'))],
  ['a file named b.JSON', (folder: Folder) => folder.write('b.JSON', '{"kind":"group","name":"second"}')],
  ['a broken link', (folder: Folder) => symlinkSync('/nowhere/at/all', join(folder.path, 'b.yaml'))],
  ['a FIFO', (folder: Folder) => spawnSync('mkfifo', [join(folder.path, 'b.yaml')])],
  ['a device behind a link', (folder: Folder) => symlinkSync('/dev/zero', join(folder.path, 'b.yaml'))],
  ['a byte order mark', (folder: Folder) => folder.write('b.yaml', `\uFEFF${group('second')}`)],
].map(([name, prepare]) => ({
  name: `a project with ${String(name)}`,
  run: () => nothingLeftOut((folder) => typeof prepare === 'function' && prepare(folder)),
}));

/** The plain case must succeed, otherwise the other cases prove nothing. */
async function plainProject(): Promise<void> {
  await inFolder({ 'a.yaml': group('first'), 'sub/b.yaml': group('second') }, async (folder) => {
    equal(await declared(folder), ['first', 'second'], 'what is declared');
  });
}

async function circleOfLinks(): Promise<void> {
  await inFolder({ 'a.yaml': group('first'), 'sub/b.yaml': group('second') }, async (folder) => {
    symlinkSync('..', join(folder.path, 'sub/up'));
    const found = await declared(folder);
    if (Array.isArray(found)) equal(found, ['first', 'second'], 'what is declared');
    else if (!Array.isArray(found)) demandCleanFailure(Object(found));
  });
}

async function socketInFolder(): Promise<void> {
  await inFolder({ 'a.yaml': group('first') }, async (folder) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(folder.path, 'b.yaml'), resolve));
    const outcome = await gantry(['validate', '.'], { cwd: folder.path });
    server.close();
    demandCleanFailure(outcome);
  });
}

/** Every command that accepts a path. */
const pathArguments: readonly (readonly string[])[] = [
  ['plan', 'PATH'],
  ['apply', 'PATH', '--yes'],
  ['plan', '.', '--snapshot', 'PATH'],
  ['plan', '.', '--dialect', 'PATH'],
  ['undo', 'PATH'],
  ['serve', '--port', '0', '--faults', 'PATH'],
  ['serve', '--port', '0', '--tokens', 'PATH'],
  ['serve', '--port', '0', '--from', 'PATH'],
];

async function namedOddity(path: (folder: Folder) => string): Promise<void> {
  for (const args of pathArguments) {
    await inFolder({ 'a.yaml': group('first') }, async (folder) => {
      const odd = path(folder);
      const outcome = await gantry(
        [...args.map((word) => (word === 'PATH' ? odd : word)), '--embedded'].filter(
          (word) => args[0] !== 'serve' || word !== '--embedded',
        ),
        { cwd: folder.path },
      );
      demandCleanFailure(outcome);
    });
  }
}

async function settingsAreFifo(): Promise<void> {
  const folder = makeFolder({ 'a.yaml': group('first') });
  spawnSync('mkfifo', [join(folder.path, 'gantry.yaml')]);
  const outcome = await gantry(['plan', '.', '--embedded'], { cwd: folder.path });
  folder.remove();
  demandCleanFailure(outcome);
}

async function deletedFolder(): Promise<void> {
  const folder = makeFolder(settings);
  const inner = join(folder.path, 'gone');
  mkdirSync(inner);
  const script = `process.chdir(${JSON.stringify(inner)}); require('fs').rmdirSync(${JSON.stringify(inner)});
    const r = require('child_process').spawnSync(process.execPath, [${JSON.stringify(new URL('../../dist/cli.js', import.meta.url).pathname)}, 'plan', '--embedded'], { encoding: 'utf8' });
    process.stdout.write(JSON.stringify({ code: r.status, signal: r.signal, stdout: r.stdout, stderr: r.stderr }));`;
  const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', timeout: 60_000 });
  folder.remove();
  demand(stdout.startsWith('{'), 'nothing was said', stdout);
  demandCleanFailure({ peakMiB: 0, ...JSON.parse(stdout) });
}

async function fullDisk(name: 'stdout' | 'stderr'): Promise<void> {
  await inFolder({ 'a.yaml': group('first') }, async (folder) => {
    const full = openSync('/dev/full', 'w');
    const outcome = await gantry(['plan', '.', '--embedded'], {
      cwd: folder.path,
      stdio: ['ignore', name === 'stdout' ? full : 'pipe', name === 'stderr' ? full : 'pipe'],
    });
    closeSync(full);
    demand(outcome.signal === null, 'it was ended by a signal', outcome);
    demand(!/^\s+at /m.test(outcome.stderr), 'a raw trace', outcome);
    if (name === 'stdout') demand(outcome.code !== 0, 'output was lost, and the exit code says nothing of it', outcome);
  });
}

/** A folder that belongs to no project: the command ends soon, and uses little memory. */
async function wrongFolder(): Promise<void> {
  const folder = makeFolder();
  for (let index = 0; index < 3_000; index += 1) {
    folder.write(`d${index % 60}/e${index % 7}/f${index}.json`, JSON.stringify({ index, text: 'x'.repeat(20_000) }));
  }
  let deep = folder.path;
  for (let index = 0; index < 300; index += 1) deep = join(deep, 'deep');
  mkdirSync(deep, { recursive: true });
  writeFileSync(join(folder.path, 'big.json'), `[${'{"a":1},'.repeat(6_000_000)}{}]`);
  const outcome = await gantry(['plan', '--embedded'], { cwd: folder.path });
  folder.remove();
  demandCleanFailure(outcome);
  demand(outcome.peakMiB < 600, `it took ${outcome.peakMiB} MiB`);
}

async function strayState(): Promise<void> {
  await inFolder(
    {
      'a.yaml': group('first'),
      'state.json': '{"version":4,"serial":1,"resources":[]}',
      '.git/c.yaml': group('hidden'),
      'node_modules/p/d.yaml': group('packaged'),
    },
    async (folder) => {
      equal(await declared(folder), ['first'], 'what is declared beside a stray file');
      const named = await gantry(['synth', 'state.json'], { cwd: folder.path });
      demandCleanFailure(named);
    },
  );
}

/** A mistyped `kind` must not make a resource disappear. */
async function mistypedKind(): Promise<void> {
  await inFolder({ 'a.yaml': group('first'), 'b.yaml': 'knid: group\nname: second\n' }, async (folder) => {
    demandCleanFailure(await gantry(['plan', '.', '--embedded'], { cwd: folder.path }));
  });
}

/** The source of a stack is afterwards stored only in its own file, and no other code is run. */
async function compileCache(): Promise<void> {
  const canary = 'CANARY-in-the-cache-91c4';
  const text = `import { App, Group, Stack } from 'gantry';\nconst hidden = '${canary}';\nfunction use() { return hidden + '!'; }\nuse();\nconst app = new App();\nnew Group(new Stack(app, 'town'), 'first', {});\nexport default app;\n`;
  await inFolder({ 'package.json': '{"type":"module"}', 'stack.ts': text }, async (folder) => {
    const tmp = join(folder.path, 'tmp');
    mkdirSync(join(tmp, 'node-compile-cache'), { recursive: true });
    chmodSync(join(tmp, 'node-compile-cache'), 0o777);
    const env = { TMPDIR: tmp, XDG_CACHE_HOME: join(folder.path, 'cache') };
    for (let time = 0; time < 2; time += 1) {
      const outcome = await gantry(['synth', '.'], { cwd: folder.path, env });
      demand(outcome.code === 0, 'the stack', outcome);
    }
    equal(readdirSync(join(tmp, 'node-compile-cache')), [], 'what was put into a folder that anybody can write');
    const holding = filesBelow(folder.path).filter(
      (file) => !file.endsWith('/stack.ts') && !file.includes('/node_modules') && readFileSync(file).includes(canary),
    );
    equal(holding, [], 'files that hold the source of the stack');
  });
}

/** A closed terminal ends a server as SIGTERM does. */
async function hangUp(): Promise<void> {
  const folder = makeFolder();
  const { child, ended } = start(['serve', '--port', '0', '--data', ':memory:', '--token', 'x'], { cwd: folder.path });
  await new Promise<void>((resolve) => child.stdout?.once('data', () => resolve()));
  child.kill('SIGHUP');
  const outcome = await ended;
  folder.remove();
  demand(outcome.signal === null, 'SIGHUP killed it', outcome);
}

export const hostileFiles: readonly Attack[] = [
  { name: 'a plain project', run: plainProject },
  ...complete,
  { name: 'a project with links in a circle', run: circleOfLinks },
  { name: 'a project with a socket', run: socketInFolder },
  { name: 'a FIFO without a writer as gantry.yaml', run: settingsAreFifo },
  { name: '/dev/zero as every path', run: () => namedOddity(() => '/dev/zero') },
  {
    name: 'a folder as every file',
    long: true,
    run: () => namedOddity((folder) => join(folder.path, 'node_modules')),
  },
  {
    name: 'a file of a gigabyte as every path',
    long: true,
    run: () =>
      namedOddity((folder) => {
        const file = join(folder.path, 'node_modules/big.yaml');
        spawnSync('truncate', ['-s', '1G', file]);
        return file;
      }),
  },
  { name: 'a deleted working folder', run: deletedFolder },
  { name: 'a full disk behind standard output', run: () => fullDisk('stdout') },
  { name: 'a full disk behind standard error', run: () => fullDisk('stderr') },
  { name: 'plan in a wrong folder', run: wrongFolder },
  { name: 'a stray state.json', run: strayState },
  { name: 'a mistyped kind', run: mistypedKind },
  { name: 'the compile cache', run: compileCache },
  { name: 'SIGHUP while serving', run: hangUp },
];
