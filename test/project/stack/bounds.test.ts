import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StackBounds } from '../../../src/project/session/session.ts';
import type { StackOutcome } from '../../../src/project/stack/handOver.ts';
import { runStack } from '../../../src/project/stack/runStack.ts';
import { writeBelow } from '../../harness/writeBelow.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const parent = realpathSync(temporaryFolder('bounds'));

interface Ran extends StackOutcome {
  readonly output: readonly string[];
  readonly folder: string;
}

/** In a folder without `node_modules`, like a fetched repository. */
async function ran(
  code: string,
  bounds: Partial<StackBounds> = {},
  files: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const folder = mkdtempSync(join(parent, 'stack-'));
  for (const [path, content] of Object.entries(files)) writeBelow(folder, path, content);
  const path = writeBelow(folder, 'shop/stack.ts', code);
  const output: string[] = [];
  const outcome = await runStack(path, {
    cwd: join(folder, 'shop'),
    environment: { PATH: process.env['PATH'] },
    tell: (event) => void (event.type === 'output' && output.push(event.line)),
    stackProcess: {
      argv: [],
      nodeOptions: [],
      bounds: { mostMs: 60_000, mostMegabytes: 512, confinedTo: folder, ...bounds },
    },
  });
  return { ...outcome, output, folder };
}

const declaring = (code: string) => `import { App, Gvc, Stack } from 'gantry';
${code}
const app = new App();
new Gvc(new Stack(app, 's'), 'shop', { locations: ['aws-eu-central-1'] });
export default app;
`;

test('a confined stack declares the same as otherwise, with built-in packages, and files of its repository', async () => {
  const code = declaring(`import { Construct } from 'constructs';
import { name } from '../shared/name.ts';
import { readFileSync } from 'node:fs';
console.log(name, readFileSync('../shared/name.ts', 'utf8').length > 0, new App() instanceof Construct);`);
  const { problems, documents, output } = await ran(code, {}, { 'shared/name.ts': `export const name = 'shared';\n` }); // Gantry's own `constructs`.
  expect(problems).toEqual([]);
  expect(documents.map(({ value }) => value)).toMatchObject([{ kind: 'gvc', name: 'shop' }]);
  expect(output).toEqual(['shared true true']);
});

test.each([
  ['never ends', 'for (;;);'],
  ['waits for ever', 'setInterval(() => {}, 1000); await new Promise(() => {});'],
])('a stack that %s is ended', async (_, code) => {
  const startedMs = performance.now();
  const { problems, documents } = await ran(declaring(code), { mostMs: 1_500 });
  expect(problems).toMatchObject([{ rule: 'stack.time', message: 'the stack took more than 1.5 s' }]);
  expect(documents).toEqual([]);
  expect(performance.now() - startedMs).toBeLessThan(30_000);
});

test.each(
  // biome-ignore format: a row is a case
  [
    ['objects', 'const all = []; for (;;) all.push({ text: String(all.length) });',
      /^the stack (?:ran out of memory|took more than 200 MiB of memory)$/],
    ['buffers', 'const all = []; for (;;) all.push(Buffer.alloc(2 ** 22, 1));',
      /^the stack took more than 200 MiB of memory$/],
  ],
)('a stack over its memory limit is ended: %s', async (_, code, message) => {
  const { problems } = await ran(declaring(code), { mostMegabytes: 200 });
  expect(problems).toMatchObject([{ rule: 'stack.memory', message: expect.stringMatching(message) }]);
});

test('a stack that returns an endless result is ended', async () => {
  const code = `import { writeSync } from 'node:fs';\nconst noise = 'x'.repeat(2 ** 20);\nfor (;;) { try { writeSync(3, noise); } catch {} }`;
  const { problems } = await ran(code);
  expect(problems).toMatchObject([{ rule: 'stack.size', message: 'the stack handed over more than 128 MiB' }]);
});

test('only the first lines of endless output of a stack are shown', async () => {
  const { output, problems } = await ran(declaring(`for (let line = 0; line < 50_000; line += 1) console.log(line);`));
  expect(problems).toEqual([]);
  expect([output.length, output.at(-2), output.at(-1)]).toEqual([
    1_001,
    '999',
    '(what it writes from here on is not shown)',
  ]);
});

const attempt = (code: string) =>
  declaring(`import * as fs from 'node:fs';
import * as processes from 'node:child_process';

try { console.log('got', ${code}); } catch (error) { console.log('refused', error.code); }`);

// The same attempts succeed without confinement (below).
test.each([
  [
    'the environment of the worker, which holds its token',
    `fs.readFileSync('/proc/' + process.ppid + '/environ', 'utf8')`,
  ],
  ['files of this machine', `fs.readFileSync('/etc/passwd', 'utf8')`],
  ['a list of files', `fs.readdirSync('/')`],
  ['another program', `processes.execFileSync('id').toString()`],
  ['a new file', `fs.writeFileSync('left', 'x')`],
  ['a new link', `fs.symlinkSync('/etc', 'link')`],
])('a confined stack has no access to the machine: %s', async (_, code) => {
  const { output, documents, folder } = await ran(attempt(code));
  expect(output).toEqual(['refused ERR_ACCESS_DENIED']);
  expect(documents).toHaveLength(1);
  expect(existsSync(join(folder, 'shop/left'))).toBe(false);
});

test.skipIf(process.platform !== 'linux')('without confinement a stack can read the token of its worker', async () => {
  const program = writeBelow(
    parent,
    'worker.mjs',
    `import { spawnSync } from 'node:child_process';
     const code = "try { console.log(require('node:fs').readFileSync('/proc/' + process.ppid + '/environ', 'utf8').includes('of-the-worker')) } catch (error) { console.log(error.code) }";
     const options = process.argv.slice(2);
     process.stdout.write(spawnSync(process.execPath, [...options, '-e', code], { env: {} }).stdout);`,
  );
  const said = async (...options: readonly string[]) => {
    const child = spawn(process.execPath, [program, ...options], { env: { GANTRY_TOKEN: 'of-the-worker' } });
    const chunks: Buffer[] = [];
    for await (const chunk of child.stdout) chunks.push(chunk);
    return Buffer.concat(chunks).toString().trim();
  };
  expect(await said()).toBe('true');
  expect(await said('--permission')).toBe('ERR_ACCESS_DENIED');
});
