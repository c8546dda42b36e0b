import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeStackFolder, type StackFolder, stackOf } from './stackFolder.ts';

let folder: StackFolder;
beforeAll(() => {
  folder = makeStackFolder();
});
afterAll(() => folder.remove());

test.each([
  { it: 'console', code: `console.log('noise'); console.info('noise'); console.debug('noise');` },
  { it: 'the stream', code: `process.stdout.write('noise\\n');` },
  { it: 'the descriptor', code: `import { writeSync } from 'node:fs';\nwriteSync(1, 'noise\\n');` },
  {
    it: 'a child process',
    code: `import { execSync } from 'node:child_process';\nexecSync('echo noise', { stdio: 'inherit' });`,
  },
  {
    it: 'a thread',
    code: `import { Worker } from 'node:worker_threads';
await new Promise((ended) => new Worker("console.log('noise')", { eval: true }).on('exit', ended));`,
  },
  { it: 'a line without an end', code: `process.stdout.write('noise');` },
])("output of a stack through $it goes to standard error, marked as the stack's", async ({ code }) => {
  folder.write('stack.ts', stackOf(code));
  const { code: exit, stdout, stderr } = await folder.run(['synth', '-o', 'json']);
  expect(JSON.parse(stdout)).toEqual([{ kind: 'gvc', name: 'one', spec: {} }]);
  expect(stderr).toMatch(/^(stack\.ts \| noise\n)+$/);
  expect(exit).toBe(0);
});

test('large output is passed on completely and in order', async () => {
  folder.write('stack.ts', stackOf(`for (let line = 0; line < 50_000; line += 1) console.log(line);`));
  const { stdout, stderr } = await folder.run(['synth', '-o', 'json']);
  expect(JSON.parse(stdout)).toHaveLength(1);
  const expected = Array.from({ length: 50_000 }, (_, line) => `stack.ts | ${line}\n`).join('');
  expect(stderr === expected).toBe(true); // Not compared by `toBe`, because the difference would fill the screen.
});
