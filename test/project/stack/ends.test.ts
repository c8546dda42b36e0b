import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampled } from '../../harness/sampled.ts';
import { succeeded } from '../../outcome.ts';
import { makeStackFolder, type StackFolder, stackOf } from './stackFolder.ts';

let folder: StackFolder;
beforeAll(() => {
  folder = makeStackFolder();
});
afterAll(() => folder.remove());

/** Acts after the platform has been opened: in the middle of an apply. */
const inTheMiddle = (what: string, data: string) =>
  stackOf(`import { existsSync } from 'node:fs';\nsetInterval(() => { if (existsSync('${data}')) { ${what} } }, 1);`);

// Most of these wait for a stack's remaining work, so they run together.
describe.concurrent('no code of a stack runs after it has returned its manifests', () => {
  const deeds = [
    { it: 'exit', what: 'process.exit(0);' },
    { it: 'throw', what: `throw new Error('late');` },
    { it: 'reject', what: `Promise.reject(new Error('late'));` },
    { it: 'kill', what: `process.kill(process.pid, 'SIGKILL');` },
    { it: 'say', what: `process.stdout.write('late');` },
  ];
  test.each(sampled(deeds, 1, 3, 4))(
    'a timer that would $it does not fire, and the apply runs to its end',
    async ({ it, what }) => {
      const data = `data-${it}`;
      folder.write(`${it}.ts`, inTheMiddle(what, data));
      const args = ['--embedded', '--data', data, '--stack', 's', '--yes', '-o', 'json'];
      const { code, stdout, stderr } = await folder.run(['apply', `${it}.ts`, ...args]);
      expect(stderr).not.toContain('late');
      expect(JSON.parse(stdout)).toMatchObject({ result: { failed: [], skipped: [], verified: true } });
      expect(code).toBe(0);
    },
  );

  const leftBehind = [
    { it: 'an open server', code: `import { createServer } from 'node:http';\ncreateServer().listen(0);` },
    { it: 'a timer', code: 'setInterval(() => {}, 1000);' },
    {
      it: 'a process that continues',
      code: `import { spawn } from 'node:child_process';
const left = spawn('sleep', ['600'], { stdio: 'inherit', detached: true });
console.log('left', left.pid);`,
    },
    { it: 'a handler of exit that never ends', code: `process.on('exit', () => { for (;;); });` },
    { it: 'a handler of exit that throws', code: `process.on('exit', () => { throw new Error('at the end'); });` },
    { it: 'handlers of signals', code: `for (const s of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(s, () => {});` },
  ];
  test.each(sampled(leftBehind, 0, 2, 3))('a stack may leave $it behind', async ({ it, code }) => {
    const file = `${it.replaceAll(' ', '-')}.ts`;
    folder.write(file, stackOf(code));
    const { code: exit, stdout, stderr } = await folder.run(['synth', file]);
    const left = /left (\d+)/.exec(stderr)?.[1];
    if (left !== undefined) process.kill(Number(left));
    expect(stdout).toContain('kind: gvc\nname: one\n');
    expect(exit).toBe(0);
  });
});

describe.concurrent('pending work of a stack', () => {
  const later = `const later = () => new Gvc(app.node.children[0], 'later');`;

  test.each([
    {
      it: 'a file',
      code: `${later}\n(async () => { for (let n = 0; n < 50; n += 1) await readFile('package.json'); later(); })();`,
    },
    { it: 'a timer', code: `${later}\nsetTimeout(later, 100);` },
    {
      it: 'a worker',
      code: `${later}
new Worker('setTimeout(() => require("node:worker_threads").parentPort.postMessage(1), 700)', { eval: true }).once('message', later);`,
    },
    {
      it: 'an answer',
      code: `${later}
const server = createServer((_, answer) => void setTimeout(() => answer.setHeader('connection', 'close').end('x'), 100)).listen(0, '127.0.0.1', () => {
  void fetch('http://127.0.0.1:' + server.address().port).then((answer) => answer.text()).then(later);
});`,
    },
  ])('belongs to the stack: $it', async ({ it, code }) => {
    const imports = `import { readFile } from 'node:fs/promises';\nimport { createServer } from 'node:http';
import { Worker } from 'node:worker_threads';`;
    folder.write(`part-${it.replace(' ', '-')}.ts`, stackOf(imports, code));
    const { stdout } = await succeeded(folder.run(['synth', `part-${it.replace(' ', '-')}.ts`]));
    expect(stdout).toContain('name: later\n');
  });

  test('that never ends is an error, because a plan would delete the resources it declares', async () => {
    const connection = `import { connect, createServer } from 'node:net';
const server = createServer(() => {}).listen(0, '127.0.0.1', () => void connect(server.address().port, '127.0.0.1'));`;
    folder.write('pending.ts', stackOf(connection));
    const { code, stdout } = await folder.run(['validate', 'pending.ts']);
    expect(stdout).toMatch(/^pending\.ts:1:1 {2}stack\.pending .*a connection is open .*await main\(\)/);
    expect(code).toBe(1);
  });

  test('Ctrl-C ends a stack that is reported as still running', async () => {
    folder.write('long.ts', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);\n');
    const running = folder.start(['validate', 'long.ts']);
    await running.says(/still running after 5 s; Ctrl-C ends it/);
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(stderr).not.toContain('Warning');
  });
});

describe('a stack that ends early is one problem, without other messages', () => {
  // biome-ignore format: a row is a case
  const ends = [
    { it: 'throws an error', code: `throw new Error('no');`, says: /:1:\d+ {2}stack\.throws {2}- {2}Error: no / },
    {
      it: 'reads a file that is missing',
      code: `import { readFileSync } from 'node:fs';\nreadFileSync('nothing.txt');`,
      says: /:2:\d+ {2}stack\.throws .*There is no nothing\.txt in \S+, where the command runs\. .*new URL\("\.\/nothing\.txt"/,
    },
    { it: 'throws text', code: `throw 'no';`, says: /stack\.throws {2}- {2}the stack threw "no" / },
    { it: 'rejects late', code: `Promise.reject(new Error('late'));`, says: /stack\.throws {2}- {2}Error: late / },
    { it: 'throws in a callback',
      code: `setImmediate(() => { throw new Error('called'); });\nawait new Promise((go) => setTimeout(go, 60_000));`,
      says: /:1:\d+ {2}stack\.throws {2}- {2}Error: called / },
    { it: 'exits', code: '\nprocess.exit(3);', says: /:2:\d+ {2}stack\.throws .*\(process\.exit\(3\)\)/ },
    { it: 'exits without process.exit', code: 'process.reallyExit(5);',
      says: /stack\.ended {2}- {2}the process of the stack ended with exit code 5, before/ },
    { it: 'kills itself', code: `process.kill(process.pid, 'SIGKILL');`, says: /stack\.ended .* ended by SIGKILL/ },
    { it: 'waits for ever', code: 'await new Promise(() => {});', says: /awaits a promise that never settles/ },
    { it: 'writes to the channel of its result', code: `import { writeSync } from 'node:fs';\nwriteSync(3, 'x\\n');`,
      says: /stack\.garbled {2}/ },
    { it: 'closes the channel of its result', code: `import { closeSync } from 'node:fs';\ncloseSync(3);`,
      says: /stack\.ended {2}/ },
  ];

  test('each of many in one command', async () => {
    const files = ends.map(({ it }) => `${it.replaceAll(' ', '-')}.ts`);
    for (const [index, { code }] of ends.entries()) {
      folder.write(files[index] ?? '', `${code}\nexport default [{ kind: 'gvc', name: 'one' }];\n`);
    }
    const { code: exit, stdout, stderr } = await folder.run(['validate', ...files]);
    const lines = stdout.trimEnd().split('\n').toSorted();
    const expected = ends.map(({ says }, index) => ({ file: files[index] ?? '', says }));
    expect(lines).toEqual(
      expected
        .toSorted((a, b) => (a.file < b.file ? -1 : 1))
        .map(({ file, says }) =>
          expect.stringMatching(new RegExp(`^${file}${says.source.startsWith(':') ? '' : ':.*'}${says.source}`)),
        ),
    );
    expect(stderr).toBe(`${ends.length} problems\n`);
    expect(exit).toBe(1);
  });

  test('a stack that runs out of memory is reported with a hint, without the dump of the engine', async () => {
    folder.write('memory.ts', 'const all = [];\nfor (;;) all.push(new Array(1000).fill({}));\n');
    const { code, stdout, stderr } = await folder.run(['validate', 'memory.ts'], {
      NODE_OPTIONS: '--max-old-space-size=40',
    });
    expect(stdout).toMatch(/stack\.memory {2}- {2}the stack ran out of memory {2}.*--max-old-space-size/);
    expect(stderr.replace(/^\s*$/gm, '')).not.toMatch(/GC|native stack|0x/);
    expect(code).toBe(1);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s ends an endless loop, and the stack with it',
    async (signal) => {
      folder.write('loop.ts', `process.on('${signal}', () => {});\nconsole.log('pid', process.pid);\nfor (;;);\n`);
      const running = folder.start(['plan', 'loop.ts', '--embedded']);
      const [, pid] = await running.says(/pid (\d+)/);
      running.child.kill(signal);
      expect((await running.ended).code).toBe(130);
      await expect.poll(() => isAlive(Number(pid))).toBe(false);
    },
  );
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
