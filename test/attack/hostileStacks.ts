import { type Attack, demand, equal, everyThird } from './attack.ts';
import { demandCleanFailure, type Folder, gantry, makeFolder, type Outcome, start } from './cli.ts';

const canary = 'CANARY-7f3a-in-the-source';

/** A stack of two workloads; `during` runs while it is loaded, `last` after it. */
function stack(during: string, last = 'export default app;'): string {
  return `import { App, Gvc, Stack, Workload } from 'gantry';
import fs from 'node:fs';
import { spawnSync } from 'node:child_process';
import http from 'node:http';
void fs; void spawnSync; void http; void '${canary}';
const app = new App();
const town = new Gvc(new Stack(app, 'town'), 'town', { locations: ['aws-eu-central-1'] });
for (const name of ['one', 'two', 'three']) {
  new Workload(town, name, {
    type: 'standard',
    containers: [{ name: 'main', image: 'registry.example.com/x:1' }],
  });
}
${during}
${last}
`;
}

interface Hostile {
  readonly name: string;
  readonly long?: true;
  readonly text: string;
}

/** Effects that must not matter: the result is the declared stack. */
// biome-ignore format: a row is a case
const harmless: readonly Hostile[] = [
  { name: 'prints to standard output',
    text: stack("console.log('hello'); process.stdout.write('world'); console.info({});") },
  { name: 'writes to file descriptor 1', text: stack("fs.writeSync(1, 'raw');") },
  { name: 'lets a child process print', text: stack("spawnSync('echo', ['from a child'], { stdio: 'inherit' });") },
  { name: 'prints 20 MB', text: stack("for (let i = 0; i < 20; i += 1) console.log('x'.repeat(1_000_000));") },
  { name: 'leaves a server open', text: stack('http.createServer().listen(0);') },
  { name: 'leaves a timer running', text: stack('setInterval(() => {}, 10);') },
  { name: 'goes elsewhere',
    text: stack("process.chdir('/'); process.env.GANTRY_ORG = 'other'; process.env.GANTRY_STACK = 'other';") },
  {
    name: 'pollutes prototypes',
    text: stack(
      "Object.defineProperty(Object.prototype, 'polluted', { value: 1 }); Object.defineProperty(Object.prototype, 'yes', { value: true });",
    ),
  },
  { name: 'takes signals away', text: stack("for (const s of ['SIGINT', 'SIGTERM']) process.on(s, () => {});") },
  { name: 'ends the process from a timer', text: stack('setTimeout(() => process.exit(0), 2_000);') },
  { name: 'throws from a timer', text: stack("setTimeout(() => { throw new Error('late'); }, 2_000);") },
  { name: 'rejects late', text: stack("setTimeout(() => Promise.reject(new Error('late')), 2_000);") },
  { name: 'sets the exit code',
    text: stack('process.exitCode = 0; process.on("exit", () => { process.exitCode = 0; });') },
];

/** Stacks that cannot be loaded: one clean error, and nothing changed. */
// biome-ignore format: a row is a case
const broken: readonly Hostile[] = [
  // Gantry waits for a timer that fires soon, because the stack may declare resources in it.
  { name: 'ends the process from a timer that fires soon', text: stack('setTimeout(() => process.exit(0), 100);') },
  { name: 'ends the process immediately', text: stack('process.exit(0);') },
  { name: 'aborts', text: stack('process.abort();') },
  { name: 'kills itself', text: stack("process.kill(process.pid, 'SIGKILL');") },
  { name: 'throws', text: stack("throw new Error('no');") },
  { name: 'throws null', text: stack('throw null;') },
  { name: 'throws a text', text: stack("throw 'just a text';") },
  {
    name: 'throws a proxy',
    text: stack(
      "throw new Proxy({}, { get() { throw new Error('trap'); }, ownKeys() { throw new Error('trap'); }, getPrototypeOf() { throw new Error('trap'); } });",
    ),
  },
  {
    name: 'throws an error whose message throws',
    text: stack(
      "const e = new Error('x'); Object.defineProperty(e, 'message', { get() { throw new Error('trap'); } }); throw e;",
    ),
  },
  {
    name: 'throws an error whose stack throws',
    text: stack(
      "const e = new Error('x'); Object.defineProperty(e, 'stack', { get() { throw new Error('trap'); } }); throw e;",
    ),
  },
  { name: 'throws an error with numbers as texts',
    text: stack("const e = new Error('x'); Object.assign(e, { message: 7, stack: 8, code: {} }); throw e;") },
  { name: 'throws an error with escapes', text: stack("throw new Error('\\u001b[2J\\u009b31m');") },
  { name: 'rejects at once', text: stack("Promise.reject(new Error('nobody cares'));") },
  { name: 'waits for ever', text: stack('await new Promise(() => {});') },
  { name: 'recurses without end', text: stack('const f = () => f() + 1; f();') },
  { name: 'exports a proxy', text: stack('', "export default new Proxy({}, { get() { throw new Error('trap'); } });") },
  { name: 'has a syntax error', text: stack('const = ;') },
  { name: 'imports a missing module', text: stack("await import('./nowhere.ts');") },
  { name: 'uses an enum', text: stack('enum A { B }') },
  { name: 'has two stacks', text: stack("new Stack(app, 'second');") },
  { name: 'takes all memory', long: true,
    text: stack('const all: unknown[] = []; for (;;) all.push(new Array(1_000_000).fill(0).map(() => ({})));') },
];

async function inFolder(text: string, work: (folder: Folder) => Promise<void>): Promise<void> {
  const folder = makeFolder({ 'package.json': '{"type":"module"}', 'gantry.yaml': 'stack: town\n', 'stack.ts': text });
  try {
    await work(folder);
  } finally {
    folder.remove();
  }
}

function document(outcome: Outcome): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(outcome.stdout);
  } catch {
    return demandNever(outcome);
  }
}

function demandNever(outcome: Outcome): never {
  demand(false, 'standard output is not one JSON document', {
    ...outcome,
    stdout: outcome.stdout.slice(0, 300),
    stderr: outcome.stderr.slice(-1_000),
  });
}

/** Demands that the apply is complete, prints only its document, and that a second one changes nothing. */
async function applyHarmless({ text }: Hostile): Promise<void> {
  await inFolder(text, async ({ path }) => {
    const args = ['apply', '.', '--embedded', '--yes', '-o', 'json'];
    const first = await gantry(args, { cwd: path });
    equal(first.code, 0, `the apply: ${first.stderr.slice(-1_500)}`);
    const { result } = document(first);
    equal(Object(result).done?.length, 4, 'what was done');
    const second = await gantry(['plan', '.', '--embedded', '--detailed-exitcode', '-o', 'json'], { cwd: path });
    equal(second.code, 0, `the plan afterwards: ${second.stderr.slice(-1_500)}`);
    document(second);
  });
}

async function refuseBroken({ text }: Hostile): Promise<void> {
  await inFolder(text, async ({ path }) => {
    const outcome = await gantry(['apply', '.', '--embedded', '--yes', '-o', 'json'], { cwd: path, withinMs: 120_000 });
    demandCleanFailure(outcome);
    const { error } = document(outcome);
    demand(typeof Object(error).code === 'string', 'the document says no error', outcome);
    demand(!(outcome.stdout + outcome.stderr).includes(canary), 'the source of the stack is printed', outcome);
  });
}

/** Ctrl-C ends an endless stack. */
async function interruptLoop(): Promise<void> {
  await inFolder(stack("process.stderr.write('spinning\\n'); for (;;) {}"), async ({ path }) => {
    const { child, ended } = start(['plan', '.', '--embedded'], { cwd: path });
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on('data', (text: string) => text.includes('spinning') && resolve());
      ended.then(({ stderr }) => reject(new Error(`it ended before\n${stderr}`)), reject);
    });
    child.kill('SIGINT');
    const outcome = await ended;
    demand(outcome.code !== 0 || outcome.signal !== null, 'it must not succeed', outcome);
  });
}

export const hostileStacks: readonly Attack[] = [
  ...everyThird(
    harmless.map((hostile) => ({ name: `a stack that ${hostile.name}`, run: () => applyHarmless(hostile) })),
  ),
  ...everyThird(
    broken.map((hostile) => ({
      name: `a stack that ${hostile.name}`,
      ...(hostile.long === undefined ? {} : { long: hostile.long }),
      run: () => refuseBroken(hostile),
    })),
  ),
  { name: 'an endless stack, and Ctrl-C', run: interruptLoop },
];
