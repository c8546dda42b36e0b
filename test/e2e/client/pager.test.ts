import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pagerOf } from '../../../src/terminal/pager.ts';
import { linkPackages } from '../../cli/projectFolder.ts';
import { ctrlC, type PseudoTerminal, startInTerminal } from '../../harness/pseudoTerminal.ts';
import { platformForAll } from '../../server/platform.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { gantry } from '../harness/gantry.ts';

const names = Array.from({ length: 12 }, (_, index) => `gvc-${String(index + 1).padStart(2, '0')}`);
const platform = platformForAll({}, async (each) => {
  for (const name of names) await each.send('POST', 'gvc', { name });
});
const cwd = temporaryFolder('pager');
const settings = { GANTRY_TOKEN: 'secret-token', GANTRY_ORG: 'local' };
let terminal: PseudoTerminal | undefined;
afterEach(() => terminal?.close());

function start(args: readonly string[], env: Readonly<Record<string, string>>, rows = 10): PseudoTerminal {
  terminal = startInTerminal(args, { cwd, env: { GANTRY_ENDPOINT: platform.url, ...settings, ...env }, rows });
  return terminal;
}

async function shown(args: readonly string[], env: Readonly<Record<string, string>>, rows = 10) {
  const { ended, screen } = start(args, env, rows);
  const { code } = await ended;
  return { code, lines: [...screen.scrolledOff, ...screen.lines].filter((line) => line !== '') };
}

const marking = { GANTRY_PAGER: `sed 's/^/paged /'` };

test.each([
  { it: 'a list', args: ['gvc', 'get', '-o', 'names'], paged: 12 },
  { it: 'a table', args: ['gvc', 'get'], paged: 13 },
  { it: 'a document', args: ['gvc', 'get', 'gvc-01', '-o', 'yaml'], paged: 15 },
  { it: 'the answer of rest', args: ['rest', 'get', '//gvc/gvc-01'], paged: 20 },
  { it: 'help', args: ['gvc', '--help'], paged: 30 },
])('$it that is longer than the screen is paged', async ({ args, paged }) => {
  const { code, lines } = await shown(args, marking);
  expect(code).toBe(0);
  expect(lines.filter((line) => line.startsWith('paged ')).length).toBeGreaterThanOrEqual(paged);
});

// biome-ignore format: a row is a case
test.each([
  { it: 'output that fits', args: ['gvc', 'get', 'gvc-01', '-o', 'names'], env: marking, has: 'gvc-01' },
  { it: '--no-pager', args: ['gvc', 'get', '-o', 'names', '--no-pager'], env: marking, has: 'gvc-12' },
  { it: 'help with --no-pager', args: ['gvc', '--help', '--no-pager'], env: marking, has: 'Commands:' },
  { it: 'PAGER=cat', args: ['gvc', 'get', '-o', 'names'], env: { PAGER: 'cat' }, has: 'gvc-12' },
  { it: 'an empty GANTRY_PAGER', args: ['gvc', 'get', '-o', 'names'],
    env: { PAGER: marking.GANTRY_PAGER, GANTRY_PAGER: '' }, has: 'gvc-12' },
  { it: 'the help of plan', args: ['plan', '--help'], env: marking, has: 'Examples:' },
])('$it is not paged', async ({ args, env, has }) => {
  const { code, lines } = await shown(args, env);
  expect(code).toBe(0);
  expect(lines).toContain(has);
  expect(lines.filter((line) => line.includes('paged'))).toEqual([]);
});

test.each([
  { it: 'if nothing sets a charset', env: {}, charset: 'utf-8' },
  { it: 'except if LANG sets another one', env: { LANG: 'de_DE' }, charset: '' },
  { it: 'except if the user sets LESSCHARSET', env: { LESSCHARSET: 'latin1' }, charset: 'latin1' },
])('less reads the text as UTF-8, $it', async ({ env, charset }) => {
  const unset = { LANG: '', LC_ALL: '', LC_CTYPE: '', LESSCHARDEF: '' };
  const GANTRY_PAGER = 'sed "s/^/charset=$LESSCHARSET /"';
  const { lines } = await shown(['gvc', 'get', '-o', 'names'], { ...unset, ...env, GANTRY_PAGER });
  expect(lines[0]).toMatch(new RegExp(`^charset=${charset} gvc-`));
});

describe('commands on stacks', () => {
  const manifest = (name: string) => `kind: gvc\nname: new-${name}\n`;
  beforeAll(() => {
    for (const folder of ['stack', 'two']) mkdirSync(join(cwd, folder), { recursive: true });
    writeFileSync(join(cwd, 'stack/gvcs.yaml'), names.map(manifest).join('---\n'));
    writeFileSync(join(cwd, 'stack/gantry.yaml'), 'stack: new\n');
    linkPackages(join(cwd, 'two'));
    writeFileSync(
      join(cwd, 'two/stack.ts'),
      `import { App, Gvc, Stack } from 'gantry';
const app = new App();
for (const name of ['a', 'b']) {
  const stack = new Stack(app, name);
  for (let index = 1; index <= 12; index += 1) new Gvc(stack, name + '-gvc-' + index);
}
export default app;
`,
    );
  });

  // biome-ignore format: a row is a case
  test.each([
    { it: 'a plan, which keeps its exit code', args: ['plan', 'stack', '--full', '--detailed-exitcode'], paged: 12,
      code: 2 },
    { it: 'explain', args: ['explain', 'stack', 'gvc/new-gvc-01'], paged: 9, code: 0 },
    { it: 'manifests', args: ['synth', 'stack'], paged: 24, code: 0 },
    { it: 'a schema', args: ['schema', 'gvc'], paged: 50, code: 0 },
    { it: 'rules', args: ['rules'], paged: 50, code: 0 },
  ])('$it: paged if it is longer than the screen', async ({ args, paged, code }) => {
    const found = await shown(args, marking, 8);
    expect(found.code).toBe(code);
    expect(found.lines.filter((line) => line.startsWith('paged ')).length).toBeGreaterThanOrEqual(paged);
  });

  test.each([
    { it: '--no-pager', args: ['plan', 'stack', '--no-pager'], env: {} },
    { it: 'in a pipeline', args: ['plan', 'stack'], env: { CI: 'true' } },
    { it: 'a document for programs', args: ['plan', 'stack', '-o', 'json'], env: {} },
    { it: 'a plan that is applied next', args: ['apply', 'stack', '--yes', '--embedded'], env: {} },
  ])('$it: not paged', async ({ args, env }) => {
    const { code, lines } = await shown(args, { ...marking, ...env });
    expect(code).toBe(0);
    expect(lines.join('\n')).toContain('new-gvc-12');
    expect(lines.filter((line) => line.includes('paged'))).toEqual([]);
  });

  test('several stacks share one pager', async () => {
    const { code, lines } = await shown(['plan', 'two', '--all'], { GANTRY_PAGER: "sed '1s/^/first /'" });
    expect(code).toBe(0);
    expect(lines.filter((line) => line.startsWith('first '))).toHaveLength(1);
    expect(lines.join('\n')).toMatch(/a-gvc-12[\s\S]*b-gvc-12/);
  });
});

test.each([
  { it: 'that does not exist', PAGER: 'no-such-pager' },
  { it: 'that fails', PAGER: 'sh -c "exit 3"' },
  { it: 'that shows nothing: false', PAGER: 'false' },
  { it: 'that shows nothing: true', PAGER: ' true ' },
])('with a pager $it the output is still shown', async ({ PAGER }) => {
  const { code, lines } = await shown(['gvc', 'get', '-o', 'names'], { PAGER });
  expect(code).toBe(0);
  expect(lines.filter((line) => line.startsWith('gvc-'))).toEqual(names);
});

test('a pager that ends early is no error', async () => {
  const { code, lines } = await shown(['gvc', 'get', '--max', '0', '-o', 'json'], { PAGER: 'head -1' });
  expect({ code, lines }).toEqual({ code: 0, lines: ['{'] });
});

test('Ctrl-C reaches the pager only, and the command ends after the pager', async () => {
  const pager = `sh -c 'trap "echo caught" INT; cat; while ! read line </dev/tty; do :; done'`;
  const { until, type, ended } = start(['gvc', 'get', '-o', 'names'], { PAGER: pager });
  await until(/gvc-12/);
  type(ctrlC);
  await until(/caught/);
  type('\r');
  expect((await ended).code).toBe(0);
});

test('--watch is not paged', async () => {
  const { until, type, ended, screen } = start(['gvc', 'get', '-o', 'names', '--watch'], marking);
  await until(/gvc-12/);
  type(ctrlC);
  expect((await ended).code).toBe(0);
  expect(screen.text).not.toContain('paged');
});

test('output into a file is not paged', async () => {
  const { stdout } = await gantry(undefined, ['gvc', 'get', '-o', 'names'], {
    cwd,
    env: { GANTRY_ENDPOINT: platform.url, ...settings, ...marking },
  });
  expect(stdout.trim().split('\n')).toEqual(names);
});

test.each([
  { env: {}, is: /then less; else cat/ },
  { env: { PAGER: 'more' }, is: /^more$/ },
  { env: { PAGER: 'more', GANTRY_PAGER: 'less -S' }, is: /^less -S$/ },
])('the pager for the environment $env', ({ env, is }) => {
  expect(pagerOf(env, 'linux')).toMatch(is);
});
