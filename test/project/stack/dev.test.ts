import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { devSchema } from '../../../src/cli/schemas/plans.ts';
import { makeStackFolder, type RunningCommand, type StackFolder } from './stackFolder.ts';

let folder: StackFolder;
const running: RunningCommand[] = [];
beforeEach(() => {
  folder = makeStackFolder();
});
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
  folder.remove();
});

interface Rounds {
  /** The next round, from its line of JSON. */
  next(): Promise<Round>;
  readonly command: RunningCommand;
}

interface Round {
  readonly round: number;
  readonly changed: readonly string[];
  readonly problems: readonly { readonly rule: string; readonly file: string; readonly line: number }[];
  readonly plans: readonly { readonly stack: string; readonly changes: readonly Change[]; readonly result?: object }[];
  readonly error?: { readonly code: string };
}

interface Change {
  readonly id: string;
  readonly action: string;
}

function startDev(args: readonly string[] = []): Rounds {
  const command = folder.start(['dev', ...args, '-o', 'json']);
  running.push(command);
  const lines: string[] = [];
  const waiting: (() => void)[] = [];
  let rest = '';
  command.child.stdout?.on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    for (const wake of waiting.splice(0)) wake();
  });
  return {
    command,
    async next() {
      while (lines.length === 0) {
        await Promise.race([
          new Promise<void>((resolve) => waiting.push(resolve)),
          command.ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
        ]);
      }
      return JSON.parse(lines.shift() ?? '');
    },
  };
}

const stack = `import { App, Gvc, Stack } from 'gantry';
import { names } from './names.ts';
const app = new App();
const stack = new Stack(app, 'shop');
for (const name of names) new Gvc(stack, name);
`;

const endless = `import { writeFileSync } from 'node:fs';\nwriteFileSync('started.json', '1');\nfor (;;);\n`;

async function untilStarted(): Promise<void> {
  while (!existsSync(join(folder.path, 'started.json'))) await sleep(20);
}

function changesOf({ plans }: Round): readonly string[] {
  return plans.flatMap(({ changes }) => changes.map(({ action, id }) => `${action} ${id}`));
}

describe('gantry dev', () => {
  test('waits for a missing module, plans again when it is saved, reports problems, and continues', async () => {
    folder.write('stack.ts', stack);
    const { next, command } = startDev();
    const missing = { plans: [], problems: [{ rule: 'stack.throws' }] };
    expect(await next()).toMatchObject({ round: 1, changed: [], ...missing });
    folder.write('names.ts', `export const names = ['one'];\n`);
    const first = await next();
    expect(first).toMatchObject({ round: 2, changed: ['names.ts'], problems: [] });
    expect(changesOf(first)).toEqual(['create gvc/one']);

    folder.write('names.ts', `export const names = ['one', 'two'];\n`);
    const second = await next();
    expect(second).toMatchObject({ round: 3, changed: ['names.ts'] });
    expect(changesOf(second)).toEqual(['create gvc/one', 'create gvc/two']);

    folder.write('names.ts', `export const names = ['one', 'Wrong'];\n`);
    const third = await next();
    expect(third).toMatchObject({ plans: [], problems: [{ rule: 'G1', file: 'stack.ts', line: 5 }] });

    folder.write('names.ts', `export const names = [;\n`);
    expect(await next()).toMatchObject({ plans: [], problems: [{ rule: 'stack.throws', file: 'names.ts', line: 1 }] });

    rmSync(join(folder.path, 'names.ts'));
    expect(await next()).toMatchObject(missing);

    folder.write('names.ts', `export const names = ['one'];\n`);
    const last = await next();
    expect(changesOf(last)).toEqual(['create gvc/one']);
    const check = new Ajv2020({ strict: false }).compile(devSchema);
    for (const round of [first, second, third, last]) expect(check(round), JSON.stringify(check.errors)).toBe(true);

    command.child.kill('SIGINT');
    expect(await command.ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('can apply each plan, and applies an earlier stack again that drops resources', async () => {
    const text = (uses: boolean) => `import { App, Gvc, Identity, Stack, Workload } from 'gantry';
const app = new App();
const [net, web] = [new Stack(app, 'net'), new Stack(app, 'web')];
const gvc = new Gvc(net, 'shop', { locations: ['aws-eu-central-1'] });
${uses ? `const identity = new Identity(net, 'api', { gvc });` : ''}
new Workload(web, 'web', {
  gvc, type: 'standard', ${uses ? 'identity,' : ''}
  containers: [{ name: 'main', image: 'shop:1', cpu: '50m', memory: '64Mi' }],
});
`;
    folder.write('stack.ts', text(true));
    const { next } = startDev(['--apply']);
    const first = await next();
    expect(first.plans).toMatchObject([{ result: expect.anything() }, { result: expect.anything() }]);
    expect(changesOf(first)).toEqual(['create gvc/shop', 'create identity/shop/api', 'create workload/shop/web']);

    folder.write('stack.ts', text(false));
    const { plans, error } = await next();
    const made = plans.map(({ stack, changes }) => [
      stack,
      changes.filter(({ action }) => action !== 'keep').map(({ action, id }) => `${action} ${id}`),
    ]);
    expect([error, made]).toEqual([
      undefined,
      [
        ['net', []],
        ['web', ['patch workload/shop/web']],
        ['net', ['delete identity/shop/api']],
      ],
    ]);
  });

  test('a save while the stack runs restarts it, and Ctrl-C ends it then too', async () => {
    folder.write('stack.ts', endless);
    const { next, command } = startDev();
    await untilStarted();
    folder.write('names.ts', `export const names = ['one'];\n`);
    folder.write('stack.ts', stack);
    expect(changesOf(await next())).toEqual(['create gvc/one']);
    rmSync(join(folder.path, 'started.json'));
    folder.write('stack.ts', endless);
    await untilStarted();
    command.child.kill('SIGINT');
    expect(await command.ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('a stack that writes a file into its folder is not planned endlessly', async () => {
    folder.write('names.ts', `export const names = ['one'];\n`);
    folder.write(
      'stack.ts',
      `import { writeFileSync } from 'node:fs';\n${stack}writeFileSync('made.json', String(process.pid));\n`,
    );
    const { next } = startDev();
    expect((await next()).round).toBe(1);
    const more = await Promise.race([next(), sleep(1_000, 'nothing')]);
    expect(more).toBe('nothing');
  });

  test('for people prints a block for each round', async () => {
    folder.write('stack.ts', stack);
    folder.write('names.ts', `export const names = ['one'];\n`);
    const command = folder.start(['dev']);
    running.push(command);
    let text = '';
    const printed = new Promise<void>((resolve) => {
      command.child.stdout?.on('data', (part: string) => {
        text += part;
        if (text.includes('to create')) resolve();
      });
    });
    await printed;
    expect(text).toMatch(/^gantry dev {2}\d\d:\d\d:\d\d {2}started; planned in \d+\.\d\d s\nStack shop in org local\n/);
    expect(text).not.toContain('\u001b');
    command.child.kill('SIGTERM');
    expect((await command.ended).code).toBe(0);
  });
});
