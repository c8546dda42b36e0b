import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assumptions } from '../../../src/capabilities/assumptions.ts';
import { flagOf, permitNames } from '../../../src/plan/model/permits.ts';
import { risks } from '../../../src/schema/facts/risk.ts';
import { runCli } from '../process.ts';

const root = new URL('../../..', import.meta.url).pathname;
const guide = readFileSync(join(root, 'docs/guarantees.md'), 'utf8');
const family = '(?:saved|plan|part|rename|adopt|selection|update|delete|undo|api|read|limit|promote|report)';

/** The codes of these families in the table. */
function codesOfGuide(): ReadonlySet<string> {
  const [, table = ''] = /## Codes\n([\s\S]*?)\n\n[^|\n][^\n]*\n*(?:##|$)/.exec(guide) ?? [];
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  const cells = rows.map((row) => row.split(' | ')[0] ?? '');
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
  expect(named.length).toBe(new Set(named).size);
  return new Set(named.filter((code) => new RegExp(`^${family}\\.`).test(code)));
}

/** The codes in the source as separate texts; `KIND` represents the kind of a resource. */
function codesOfSource(): ReadonlySet<string> {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  const code = new RegExp(`'(${family}\\.[a-z]+(?:-[a-z]+)*)'|\`(${family}\\.)\\$\\{kind\\}\``, 'g');
  const found = files.flatMap((path) =>
    [...readFileSync(join(root, 'src', path), 'utf8').matchAll(code)].map(([, whole, open]) => whole ?? `${open}KIND`),
  );
  // Ids of assumptions about a platform have the same form.
  return new Set(found.filter((each) => !Object.hasOwn(assumptions, each)));
}

test('the guide lists every code of the families for programs, and no unknown one', () => {
  const [guided, real] = [codesOfGuide(), codesOfSource()];
  expect(real.size).toBeGreaterThan(40);
  expect([...guided].sort()).toEqual([...real].sort());
});

test('the guide names the risk classes from harmless to worst', () => {
  const [, classes = ''] = /from harmless to worst:([a-z,\s-]+)\./.exec(guide) ?? [];
  expect(classes.trim().split(/,\s+/)).toEqual(risks);
});

test('the guide uses only existing commands and flags', async () => {
  const commands = ['plan', 'apply', 'explain', 'drift', 'status', 'adopt', 'approve', 'undo', 'schema', 'synth'];
  const help = await Promise.all(commands.map((name) => runCli([name, '--help'], root)));
  const known = help.map(({ stdout }) => stdout).join('\n');
  const flags = new Set([...guide.matchAll(/(--[a-z][a-z-]+)/g)].map(([flag]) => flag));
  expect([...flags].filter((flag) => !known.includes(flag))).toEqual([]);
});

test('the manifests of the guide are valid', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-guide-'));
  const blocks = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const manifests = blocks.filter((text) => text.startsWith('kind: '));
  expect(manifests).toHaveLength(2);
  for (const [index, text] of manifests.entries()) writeFileSync(join(folder, `${index}.yaml`), text);
  const settings = blocks.find((text) => text.startsWith('stack: ')) ?? '';
  writeFileSync(join(folder, 'gantry.yaml'), settings);

  const { stdout, stderr } = await runCli(['validate', '.'], folder);
  rmSync(folder, { recursive: true });

  expect(stdout + stderr).toBe('4 resources are valid\n');
});

test.each(permitNames)('the guide has the flag for the permit %s', (name) => {
  expect(guide).toMatch(new RegExp(`^\\| \`${flagOf(name)}[ \`]`, 'm'));
});
