import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Attack, demand, equal, everyThird } from './attack.ts';
import { gantry, makeFolder } from './cli.ts';

const canary = 'CANARY-41c8-in-the-environment';

interface Hostile {
  readonly name: string;
  /** Of a file of policies. */
  readonly text: string;
}

/** A policy that answers with a text, which is to hold nothing of what is around it. */
function answering(value: string, before = ''): string {
  return `import { policy } from 'gantry/policies';
${before}
export const hostile = policy({ id: 'hostile', resource: async (resource, context) => [{ message: String(await (${value})) }] });
`;
}

const attempt = (code: string) =>
  `(async () => { try { return await (${code}); } catch (error) { return error.message; } })()`;

/** Each asks for something outside of its sandbox. */
const leaving: readonly Hostile[] = [
  { name: 'reads the environment', text: answering(attempt('JSON.stringify(process.env)')) },
  {
    name: 'reads it by a function that it makes',
    text: answering(attempt("Function('return process')().env.GANTRY_TOKEN")),
  },
  {
    name: 'reads it by the constructor of a value',
    text: answering(attempt("context.constructor.constructor('return process.env.GANTRY_TOKEN')()")),
  },
  {
    name: 'reads it by the constructor of console',
    text: answering(attempt("console.log.constructor('return process.env.GANTRY_TOKEN')()")),
  },
  {
    name: 'opens a database',
    text: answering(
      attempt(
        "import('node:sqlite').then(({ DatabaseSync }) => new DatabaseSync('taken.db').exec('create table t (a)'))",
      ),
    ),
  },
  {
    name: 'opens the inspector',
    text: answering(attempt("import('node:inspector').then((i) => (i.open(0), i.url()))")),
  },
  { name: 'signals its parent', text: answering(attempt("process.kill(process.ppid, 'SIGUSR1')")) },
  { name: 'writes a file', text: answering(attempt("import('node:fs').then((fs) => fs.writeFileSync('taken', '1'))")) },
  { name: 'requires', text: answering(attempt("require('fs').writeFileSync('taken', '1')")) },
  { name: 'asks the network', text: answering(attempt("fetch('http://127.0.0.1:9').then(() => 'reached')")) },
  { name: 'imports from the network', text: answering(attempt("import('http://127.0.0.1:9/x.js')")) },
  { name: 'imports data', text: answering(attempt("import('data:text/javascript,export default 1')")) },
  { name: 'imports the system', text: answering(attempt("import('/proc/self/environ')")) },
  { name: 'imports through a link', text: answering(attempt("import('../link/environ')")) },
  { name: 'imports the parts beside it', text: answering(attempt("import('gantry:policies')")) },
  { name: 'starts WebAssembly', text: answering(attempt('WebAssembly.compile(new Uint8Array(8))')) },
];

/** Each would never end, or take everything. */
const endless: readonly Hostile[] = [
  { name: 'loops', text: answering('(() => { for (;;); })()') },
  { name: 'loops while it is loaded', text: answering("''", 'for (;;);') },
  {
    name: 'loops in a promise',
    text: answering('new Promise(() => { const next = () => Promise.resolve().then(next); next(); })'),
  },
  { name: 'loops in a function of the language', text: answering('[].includes.call({ length: 2 ** 53 - 1 }, 1)') },
  { name: 'multiplies large numbers', text: answering('(() => { let x = 3n ** 1_000_000n; for (;;) x *= x; })()') },
  { name: 'tries all ways of a pattern', text: answering("/^(a+)+$/.test('a'.repeat(60) + 'b')") },
  { name: 'sorts with what never ends', text: answering('[1, 2].sort(() => { for (;;); })') },
  {
    name: 'catches its end',
    text: answering('(function again() { try { for (;;); } catch { again(); } finally { again(); } })()'),
  },
  {
    name: 'takes memory',
    text: answering('(() => { const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1)); })()'),
  },
  { name: 'takes memory for texts', text: answering("(() => { let text = 'x'; for (;;) text += text; })()") },
  {
    name: 'takes memory, and goes on',
    text: answering('(() => { for (;;) try { const all = []; for (;;) all.push({}); } catch {} })()'),
  },
  { name: 'nests without end', text: answering("JSON.parse('['.repeat(1e7))") },
  { name: 'writes without end', text: answering("(() => { for (;;) console.log('x'.repeat(1e5)); })()") },
];

async function judged({ text }: Hostile) {
  const folder = makeFolder({
    'gantry.yaml': 'stack: shop\npolicies: { timeout: 2s, memory: 128 }\n',
    '.gantryignore': 'link\n',
    'gvc.yaml': 'kind: gvc\nname: shop\n',
    'policies/a.ts': text,
  });
  symlinkSync('/proc/self', join(folder.path, 'link'));
  const outcome = await gantry(['validate', '.', '-o', 'json'], { cwd: folder.path, env: { GANTRY_TOKEN: canary } });
  const files = readdirSync(folder.path).toSorted();
  folder.remove();
  return { outcome, files };
}

export const hostilePolicies: readonly Attack[] = everyThird([
  ...leaving.map((hostile) => ({
    name: `a policy ${hostile.name}`,
    async run() {
      const { outcome, files } = await judged(hostile);
      equal(outcome.code, 1, 'the exit code');
      demand(!(outcome.stdout + outcome.stderr).includes(canary), 'it got at the token', outcome.stdout);
      demand(!files.some((name) => name.startsWith('taken')), 'it wrote a file', files);
      const { problems } = JSON.parse(outcome.stdout);
      equal(problems[0]?.rule, 'policy.hostile', 'what is told');
      demand(
        /not defined|not installed|no such file|module of Node|outside of|no module|imports /.test(problems[0].message),
        'it came to something',
        problems[0].message,
      );
    },
  })),
  ...endless.map((hostile) => ({
    name: `a policy ${hostile.name}`,
    async run() {
      const { outcome } = await judged(hostile);
      equal(outcome.code, 1, 'the exit code');
      const { problems } = JSON.parse(outcome.stdout);
      demand(/^policies\.(timeout|memory|output|throws)$/.test(problems[0]?.rule), 'what is told', problems);
      demand(outcome.peakMiB < 1_000, `it took ${outcome.peakMiB} MiB`);
    },
  })),
]);
