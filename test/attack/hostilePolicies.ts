import { readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { filesBelow } from '../harness/filesBelow.ts';
import { listenOnLoopback } from '../harness/loopback.ts';
import { type Attack, demand } from './attack.ts';
import { type Folder, gantry, hasControlCharacters, makeFolder } from './cli.ts';

/*
 * Policies as code that try to escape: files, the network, the process, its environment, its time, memory and output.
 * Whatever they do, nothing outside is changed, no connection is made, no value of the environment is printed, and the
 * command ends in time. In a text, OUTSIDE is a folder beside the project, and PORT a port that counts connections.
 */

const canary = 'CANARY-5c1d-of-the-environment';
const kept = 'CANARY-8e2f-in-a-file';

interface Hostile {
  readonly name: string;
  /** Runs when the file is loaded. */
  readonly load?: string;
  /** Runs for each resource and returns its problems. */
  readonly ask?: string;
  /** The policy may be accepted, because it changes nothing: then the plan is the same as without it. */
  readonly harmless?: true;
  /** Other files of the project. */
  readonly files?: Readonly<Record<string, string>>;
  readonly prepare?: (project: Folder, outside: Folder) => void;
}

const say = (expression: string) => `return [{ message: String(${expression}) }];`;
/** Reaches `process`, wherever that is possible. */
const constructed = "(() => {}).constructor('return process')()";

// biome-ignore format: a row is a case
const files: readonly Hostile[] = [
  { name: 'reads a file', load: "import { readFileSync } from 'node:fs';",
    ask: say("readFileSync('OUTSIDE/kept.txt', 'utf8')") },
  { name: 'reads a file, without the prefix', load: "import fs from 'fs';",
    ask: say("fs.readFileSync('OUTSIDE/kept.txt', 'utf8')") },
  { name: 'writes a file', load: "import { writeFileSync } from 'node:fs'; writeFileSync('OUTSIDE/new.txt', 'x');" },
  { name: 'writes a file into the project',
    load: "import { writeFileSync } from 'node:fs'; writeFileSync('new.yaml', 'kind: group\\nname: x\\n');" },
  { name: 'imports a module when it runs',
    ask: "const fs = await import('node:fs'); fs.writeFileSync('OUTSIDE/new.txt', 'x'); return [];" },
  { name: 'gets a builtin module', load: "process.getBuiltinModule('node:fs').writeFileSync('OUTSIDE/new.txt', 'x');" },
  { name: 'gets a binding', load: "process.binding('fs');" },
  { name: 'requires', load: "require('fs').writeFileSync('OUTSIDE/new.txt', 'x');" },
  {
    name: 'makes a require',
    load: "import { createRequire } from 'node:module'; createRequire('/')('fs').writeFileSync('OUTSIDE/new.txt', 'x');",
  },
  {
    name: 'opens a database',
    load: "import { DatabaseSync } from 'node:sqlite'; new DatabaseSync('OUTSIDE/new.db').exec('CREATE TABLE t (x)');",
  },
  {
    name: 'attaches a database',
    load: "import { DatabaseSync } from 'node:sqlite'; new DatabaseSync(':memory:').exec(\"ATTACH 'OUTSIDE/new.db' AS o; CREATE TABLE o.t (x)\");",
  },
  {
    name: 'vacuums into a file',
    load: "import { DatabaseSync } from 'node:sqlite'; new DatabaseSync(':memory:').exec(\"VACUUM INTO 'OUTSIDE/new.db'\");",
  },
  {
    name: 'backs a database up',
    load: "import { backup, DatabaseSync } from 'node:sqlite'; await backup(new DatabaseSync(':memory:'), 'OUTSIDE/new.db');",
  },
  { name: 'imports a file outside', load: "import text from '../../OUTSIDE-NAME/code.ts'; export const x = text;",
    ask: say('text') },
  { name: 'imports an absolute path', load: "import text from 'OUTSIDE/code.ts';", ask: say('text') },
  { name: 'imports a file address', load: "import text from 'file://OUTSIDE/code.ts';", ask: say('text') },
  { name: 'imports a text as JSON', load: "import text from 'OUTSIDE/kept.json' with { type: 'json' };",
    ask: say('JSON.stringify(text)') },
  { name: 'imports code by its own name', load: "import 'data:text/javascript,globalThis.x=1';" },
  { name: 'imports through a link out of the project', load: "import text from './lib/code.ts';", ask: say('text'),
    prepare: (project, outside) => symlinkSync(outside.path, join(project.path, 'policies/lib')) },
  {
    name: 'imports a file that is a link',
    load: "import text from './code.ts';",
    ask: say('text'),
    prepare: (project, outside) => {
      project.write('policies/lib/.keep', '');
      symlinkSync(join(outside.path, 'code.ts'), join(project.path, 'policies/lib/code.ts'));
    },
    files: { 'policies/code.ts': "export { default } from './lib/code.ts';" },
  },
  {
    name: 'imports JSON that is a link',
    load: "import text from './names.json' with { type: 'json' };",
    ask: say('JSON.stringify(text)'),
    prepare: (project, outside) =>
      symlinkSync(join(outside.path, 'kept.json'), join(project.path, 'policies/names.json')),
  },
  { name: 'gets a file outside as its input',
    files: { 'gantry.yaml': 'stack: town\npolicies: { inputs: { text: OUTSIDE/kept.txt } }\n' },
    ask: say('context.inputs.text') },
  { name: 'gets a file beside the project as its input',
    files: { 'gantry.yaml': 'stack: town\npolicies: { inputs: { text: ../OUTSIDE-NAME/kept.txt } }\n' },
    ask: say('context.inputs.text') },
  {
    name: 'gets a link as its input',
    files: { 'gantry.yaml': 'stack: town\npolicies: { inputs: { text: policies/names.txt } }\n' },
    ask: say('context.inputs.text'),
    prepare: (project, outside) =>
      symlinkSync(join(outside.path, 'kept.txt'), join(project.path, 'policies/names.txt')),
  },
  {
    name: 'comes in a package that reads a file',
    load: "import text from 'reader';",
    ask: say('text'),
    files: {
      'node_modules/reader/package.json': '{"name":"reader","type":"module","main":"index.js"}',
      'node_modules/reader/index.js':
        "import { readFileSync } from 'node:fs'; export default readFileSync('OUTSIDE/kept.txt', 'utf8');",
    },
  },
];

// biome-ignore format: a row is a case
const network: readonly Hostile[] = [
  { name: 'fetches', ask: "await fetch('http://127.0.0.1:PORT/'); return [];" },
  { name: 'fetches while it is loaded', load: "await fetch('http://127.0.0.1:PORT/');" },
  { name: 'imports from the network', load: "import 'http://127.0.0.1:PORT/code.js';" },
  { name: 'opens a socket',
    load: "import net from 'node:net'; await new Promise((done) => net.connect(PORT, '127.0.0.1', done));" },
  { name: 'opens a web socket',
    load: "new WebSocket('ws://127.0.0.1:PORT/'); await new Promise((done) => setTimeout(done, 500));" },
  { name: 'opens an event source', load: "new EventSource('http://127.0.0.1:PORT/');" },
  {
    name: 'sends a request',
    load: "import http from 'node:http'; await new Promise((done) => http.get('http://127.0.0.1:PORT/', done).on('error', done));",
  },
  { name: 'opens an encrypted socket', load: "import tls from 'node:tls'; tls.connect(PORT, '127.0.0.1');" },
  { name: 'sends a datagram',
    load: "import dgram from 'node:dgram'; dgram.createSocket('udp4').send('x', PORT, '127.0.0.1');" },
  { name: 'listens', load: "import net from 'node:net'; net.createServer().listen(0);" },
  {
    name: 'starts a program that connects',
    load: "import { execFileSync } from 'node:child_process'; execFileSync(process.execPath, ['-e', \"require('net').connect(PORT, '127.0.0.1')\"]);",
  },
];

// biome-ignore format: a row is a case
const processes: readonly Hostile[] = [
  { name: 'reads the environment', ask: say('JSON.stringify(process.env)') },
  { name: 'reads the environment of its parent', load: "import { readFileSync } from 'node:fs';",
    ask: say("readFileSync('/proc/' + process.ppid + '/environ', 'utf8')") },
  { name: 'reads the environment by a constructor', ask: say(`JSON.stringify(${constructed}.env)`) },
  { name: 'reads it by the constructor of its argument',
    ask: say("JSON.stringify(resource.constructor.constructor('return process')().env)") },
  { name: 'reads it by the constructor of the context',
    ask: say("JSON.stringify(context.constructor.constructor('return process')().env)") },
  {
    name: 'reads it by an error that it caught',
    ask: `try { null.x; } catch (error) { ${say("JSON.stringify(error.constructor.constructor('return process')().env)")} } return [];`,
  },
  {
    name: 'reads it by the frames of a trace',
    ask: `Error.prepareStackTrace = (_, frames) => frames; const [frame] = new Error('x').stack; ${say('JSON.stringify(frame.getThis().process.env)')}`,
  },
  { name: 'reads it by a generator',
    ask: say("JSON.stringify((function* () {}).constructor('return process')().next().value.env)") },
  { name: 'reads it with eval', ask: say("JSON.stringify((0, eval)('process').env)") },
  { name: 'throws the environment', load: "throw new Error('env: ' + JSON.stringify(process.env));" },
  { name: 'prints the environment', load: 'console.log(JSON.stringify(process.env)); console.error(process.env);' },
  { name: 'signals its parent', load: "process.kill(process.ppid, 'SIGUSR1');" },
  { name: 'kills its parent', load: "process.kill(process.ppid, 'SIGKILL');" },
  { name: 'kills its group', load: "process.kill(0, 'SIGKILL');" },
  { name: 'opens an inspector', load: "import inspector from 'node:inspector'; inspector.open(0);" },
  { name: 'starts a program',
    load: "import { execFileSync } from 'node:child_process'; execFileSync('touch', ['OUTSIDE/new.txt']);" },
  {
    name: 'starts a thread',
    load: "import { Worker } from 'node:worker_threads'; new Worker(\"require('fs').writeFileSync('OUTSIDE/new.txt', 'x')\", { eval: true });",
  },
  {
    name: 'makes a context',
    load: `import vm from 'node:vm'; vm.runInThisContext("process.getBuiltinModule('fs').writeFileSync('OUTSIDE/new.txt', 'x')");`,
  },
  { name: 'creates a WASI system interface',
    load: "import { WASI } from 'node:wasi'; new WASI({ version: 'preview1', preopens: { '/': 'OUTSIDE' } });" },
  { name: 'ends the process', load: 'process.exit(0);' },
  { name: 'ends the process when it runs', ask: 'process.exit(0);' },
  { name: 'aborts', load: 'process.abort();' },
  { name: 'sets the exit code', load: 'process.exitCode = 0;', ask: "return [{ message: 'no' }];" },
  { name: 'reads it by the constructor of console',
    ask: say("JSON.stringify(console.log.constructor('return process')().env)") },
  { name: 'opens the inspector when it runs', ask: "(await import('node:inspector')).open(0); return [];" },
  { name: 'imports the system', load: "import text from '/proc/self/environ';", ask: say('text') },
  {
    name: 'imports the system through a link',
    load: "import text from './lib/environ.ts';",
    ask: say('text'),
    prepare: (project) => {
      project.write('policies/lib/.keep', '');
      symlinkSync('/proc/self/environ', join(project.path, 'policies/lib/environ.ts'));
    },
  },
  { name: 'imports the modules of its sandbox', ask: say("Object.keys(await import('gantry:policies'))") },
  { name: 'starts WebAssembly', ask: 'await WebAssembly.compile(new Uint8Array(8)); return [];' },
];

// biome-ignore format: a row is a case
const greedy: readonly Hostile[] = [
  { name: 'loops in a builtin function', ask: '[].includes.call({ length: 2 ** 53 - 1 }, 1); return [];' },
  { name: 'multiplies large numbers', ask: 'let x = 3n ** 1_000_000n; for (;;) x *= x;' },
  { name: 'sorts with an endless comparison', ask: '[1, 2].sort(() => { for (;;); }); return [];' },
  { name: 'catches its end',
    ask: '(function again() { try { for (;;); } catch { again(); } finally { again(); } })(); return [];' },
  { name: 'takes all memory, and continues', ask: 'for (;;) try { const all = []; for (;;) all.push({}); } catch {}' },
  { name: 'nests without end', ask: "JSON.parse('['.repeat(1e7)); return [];" },
  { name: 'prints without end when it runs', ask: "for (;;) console.log('x'.repeat(1e5));" },
  { name: 'loops while it is loaded', load: 'for (;;) {}' },
  { name: 'loops when it runs', ask: 'for (;;) {}' },
  { name: 'never answers', ask: 'return new Promise(() => {});' },
  { name: 'is never loaded', load: 'await new Promise(() => {});' },
  { name: 'continues by promises', ask: 'const again = () => Promise.resolve().then(again); await again();' },
  { name: 'yields without end', ask: "return (function* () { for (;;) yield { message: 'x' }; })();" },
  { name: 'yields slowly without end',
    ask: "return (async function* () { for (;;) { await null; yield { message: 'x' }; } })();" },
  { name: 'has an endless regular expression', ask: say("/^(a+)+$/.test('a'.repeat(60) + '!')") },
  { name: 'recurses without end', ask: 'const deeper = () => deeper() + 1; return deeper();' },
  { name: 'takes all memory', ask: 'const all = []; for (;;) all.push(new Array(1_000_000).fill(0));' },
  { name: 'doubles a text', ask: "let text = 'x'; for (;;) text += text;" },
  { name: 'takes memory in buffers', ask: 'const all = []; for (;;) all.push(new ArrayBuffer(100_000_000));' },
  { name: 'waits on shared memory', ask: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); return [];' },
  { name: 'prints without end', load: "for (;;) console.log('x'.repeat(10_000));" },
  { name: 'finds a million problems', ask: "return Array.from({ length: 1_000_000 }, () => ({ message: 'x' }));" },
  { name: 'finds a problem of 200 MB', ask: say("'x'.repeat(200_000_000)") },
  { name: 'finds a list that lies about its length', ask: 'return { length: 2 ** 53, 0: { message: "x" } };' },
  {
    name: 'finds a deeply nested problem',
    ask: "let deep = {}; for (let i = 0; i < 1_000_000; i += 1) deep = { deep }; return [{ message: 'x', fix: deep }];",
  },
  { name: 'finds a circular problem',
    ask: "const one = { message: 'x' }; one.self = one; one.fix = one; return [one];" },
];

// biome-ignore format: a row is a case
const odd: readonly Hostile[] = [
  { name: 'prints 5 MB', harmless: true, load: "for (let i = 0; i < 5; i += 1) console.log('x'.repeat(1_000_000));" },
  {
    name: 'pollutes prototypes',
    harmless: true,
    load: "Object.prototype.polluted = 1; Array.prototype.map = () => []; Object.defineProperty(Object.prototype, 'yes', { get: () => true });",
  },
  { name: 'pollutes prototypes of its argument', harmless: true,
    ask: "Object.getPrototypeOf(resource).polluted = 1; resource.__proto__.severity = 'error'; return [];" },
  {
    name: 'changes its argument',
    harmless: true,
    ask: "try { resource.spec.containers = []; resource.name = 'other'; context.resources.length = 0; } catch {} return [];",
  },
  { name: 'replaces globals', harmless: true,
    load: 'globalThis.JSON = undefined; globalThis.Promise = undefined; globalThis.Array = undefined;' },
  { name: 'leaves a timer', harmless: true, load: 'globalThis.setInterval?.(() => {}, 10);' },
  {
    name: 'throws a proxy',
    load: "throw new Proxy({}, { get() { throw new Error('trap'); }, getPrototypeOf() { throw new Error('trap'); } });",
  },
  { name: 'throws null', ask: 'throw null;' },
  {
    name: 'throws an error whose message throws',
    ask: "const e = new Error('x'); Object.defineProperty(e, 'message', { get() { throw new Error('trap'); } }); throw e;",
  },
  { name: 'finds problems that are proxies', ask: "return [new Proxy({}, { get() { throw new Error('trap'); } })];" },
  {
    name: 'finds problems with other names',
    harmless: true,
    ask: "return [{ message: 'x', severity: 'warning', __proto__: { severity: 'none' }, resource: '__proto__', path: '__proto__.x' }];",
  },
  { name: 'prints terminal escapes', ask: say("'\\u001b[2J\\u009b31m\\u0007'") },
  { name: 'has a message that is not a text', ask: 'return [{ message: { toString: () => "x" } }];' },
  { name: 'answers with a false promise', ask: 'return { then(done) { done(done); } };' },
];

const evil = (hostile: Hostile) => `import { policy } from 'gantry/policies';
${hostile.load ?? ''}
export const evil = policy({
  id: 'evil',
  about: 'Nothing good.',
  async resource(resource, context) {
    void resource; void context;
    ${hostile.ask ?? 'return [];'}
  },
});
`;

const manifests = `kind: gvc
name: town
---
kind: workload
gvc: town
name: web
spec: {type: standard, containers: [{name: main, image: "registry.example.com/web:1"}]}
`;

async function tried(hostile: Hostile): Promise<void> {
  const outside = makeFolder({
    'kept.txt': kept,
    'kept.json': JSON.stringify({ kept }),
    'code.ts': `export default '${kept}';`,
  });
  let callers = 0;
  const server = createServer((socket) => {
    callers += 1;
    socket.destroy();
  });
  const port = await listenOnLoopback(server);
  const filled = (text: string) =>
    text
      .replaceAll('OUTSIDE-NAME', outside.path.split('/').at(-1) ?? '')
      .replaceAll('OUTSIDE', outside.path)
      .replaceAll('PORT', String(port));
  const project = makeFolder({
    'package.json': '{"type":"module"}',
    'gantry.yaml': 'stack: town\npolicies: { timeout: 2s, memory: 128 }\n',
    'town.yaml': manifests,
    'policies/evil.ts': filled(evil(hostile)),
    ...Object.fromEntries(Object.entries(hostile.files ?? {}).map(([name, text]) => [name, filled(text)])),
  });
  hostile.prepare?.(project, outside);
  const before = [contents(outside), contents(project)];
  try {
    const env = { GANTRY_TOKEN: canary, MY_PASSWORD: canary };
    const outcome = await gantry(['validate', '.', '-o', 'json'], { cwd: project.path, env, withinMs: 60_000 });
    const said = outcome.stdout + outcome.stderr;
    demand(!said.includes(canary), 'a value of the environment is printed', said.slice(0, 2_000));
    demand(!said.includes(kept), 'the content of a file outside is printed', said.slice(0, 2_000));
    demand(said.length < 12_000_000, `it printed ${said.length} characters`);
    demand(callers === 0, `${callers} connections were made`);
    demand(contents(outside) === before[0], 'a file outside was touched', contents(outside));
    demand(contents(project) === before[1], 'a file of the project was touched', contents(project));
    demand(outcome.signal === null, 'it was ended by a signal', outcome);
    demand(outcome.peakMiB < 1_200, `it took ${outcome.peakMiB} MiB`);
    if (hostile.harmless === true && outcome.code === 0) return await demandWholePlan(project);
    demand(outcome.code === 1 || outcome.code === 3, 'it must be refused', outcome);
    demand(!/^\s+at \S.*[(/:]/m.test(outcome.stderr), 'a raw trace was printed', outcome.stderr);
    demand(!hasControlCharacters(said), 'control characters', said.slice(0, 500));
    const { problems = [], error } = Object(JSON.parse(outcome.stdout));
    const rules: readonly string[] = [
      ...problems.map(({ rule }: { readonly rule: string }) => rule),
      Object(error).code,
    ];
    const about = rules.filter((rule) => /^(policies|policy|settings)\./.test(rule));
    demand(about.length > 0, 'the refusal is about the policy', outcome.stdout);
  } finally {
    server.close();
    outside.remove();
    project.remove();
  }
}

/** Demands that the plan matches the manifests, whatever the policy did to its argument. */
async function demandWholePlan({ path }: Folder): Promise<void> {
  const { code, stdout, stderr } = await gantry(['plan', '.', '--embedded', '-o', 'json'], { cwd: path });
  demand(code === 0, 'the plan', stderr);
  const { summary, changes = [] } = Object(JSON.parse(stdout));
  const isWhole = Object(summary).create === 2 && JSON.stringify(changes).includes('registry.example.com/web:1');
  demand(isWhole, 'the plan is another one', stdout);
}

function contents(folder: Folder): string {
  return filesBelow(folder.path)
    .filter((file) => !file.includes('/node_modules/gantry'))
    .filter((file) => !file.startsWith(join(folder.path, '.cache'))) // The compile cache, because HOME is the project.
    .sort()
    .map((file) => `${file}: ${readFileSync(file, 'utf8')}`)
    .join('\n');
}

/** One attack in `every` policies. */
function rows(of: readonly Hostile[], every: number): readonly Attack[] {
  return of.map((hostile, index) => ({
    name: `a policy that ${hostile.name}`,
    ...(index % every === 0 ? {} : { long: true as const }),
    run: () => tried(hostile),
  }));
}

// biome-ignore format: a row is a case
export const hostilePolicies: readonly Attack[] = [
  ...rows(files, 5), ...rows(network, 5), ...rows(processes, 6), ...rows(greedy, 5), ...rows(odd, 5),
];
