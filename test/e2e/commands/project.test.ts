import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { objectAt, own } from '../../../src/base/json/json.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { usePlatform } from '../harness/usePlatform.ts';

/** Two projects of one org whose stacks have one name, and a stack that gets a `project` later. */
const root = temporaryFolder('project');
const platform = usePlatform();
let count = 0;

/** The name of a stack that no test before has used. */
let stack = '';

beforeEach(() => {
  count += 1;
  stack = `shop${count}`;
});

function folder(manifests: string, settings = ''): string {
  const path = mkdtempSync(join(root, 'project-'));
  write(path, manifests, settings);
  return path;
}

function write(path: string, manifests: string, settings = ''): void {
  writeFileSync(join(path, 'gantry.yaml'), `stack: ${stack}\n${settings}`);
  writeFileSync(join(path, 'stack.yaml'), manifests);
}

const groups = (...names: readonly string[]) => names.map((name) => `kind: group\nname: ${name}\n`).join('---\n');
const run = (path: string, ...args: readonly string[]) => inProcess(platform, args, { cwd: path });
const isThere = async (name: string) => (await platform.call('GET', `/org/local/group/${name}`)).status === 200;
async function tagsOf(name: string) {
  return objectAt((await platform.call('GET', `/org/local/group/${name}`)).body, 'tags');
}

describe('two projects whose stacks have one name', () => {
  test('the second is refused before it deletes what the first has, with both explanations and what to do', async () => {
    const [first, second] = [folder(groups(`${stack}-one`)), folder(groups(`${stack}-two`))];
    await succeeded(run(first, 'apply', '.', '--yes'));
    for (const command of [
      ['plan', '.'],
      ['apply', '.', '--yes'],
    ]) {
      const { code, stdout, stderr } = await run(second, ...command);
      expect(code).toBe(3);
      const told = stdout + stderr;
      expect(told).toContain('stack.other-project');
      expect(told).toContain('either another project has a stack of this name, or everything of this one was renamed');
      expect(told).toContain('`project: ID` in gantry.yaml');
      expect(told).toContain('lifecycle.previously');
      expect(told).toContain(`gantry destroy --stack ${stack}`);
    }
    expect([await isThere(`${stack}-one`), await isThere(`${stack}-two`)]).toEqual([true, false]);

    write(second, groups(`${stack}-two`), 'project: second\n');
    await succeeded(run(second, 'apply', '.', '--yes'));
    expect([await isThere(`${stack}-one`), await isThere(`${stack}-two`)]).toEqual([true, true]);
    for (const path of [first, second]) expect((await run(path, 'plan', '.', '--detailed-exitcode')).code).toBe(0);
  });

  test('destroy in the folder of the second one is refused, and with --stack it is not', async () => {
    const [first, second] = [folder(groups(`${stack}-one`)), folder(groups(`${stack}-two`))];
    await succeeded(run(first, 'apply', '.', '--yes'));
    const { code, stdout, stderr } = await run(second, 'destroy', '.', '--yes');
    expect([code, stdout + stderr]).toEqual([3, expect.stringContaining('stack.other-project')]);
    expect(await isThere(`${stack}-one`)).toBe(true);
    await succeeded(run(second, 'destroy', '.', '--stack', stack, '--yes'));
    expect(await isThere(`${stack}-one`)).toBe(false);
  });

  test('destroy needs no manifests that are right', async () => {
    const path = folder(groups(`${stack}-one`));
    await succeeded(run(path, 'apply', '.', '--yes'));
    write(path, `${groups(`${stack}-one`)}nonsense: true\n`);
    await succeeded(run(path, 'destroy', '.', '--yes'));
    expect(await isThere(`${stack}-one`)).toBe(false);
  });

  test('the second is refused also where it names its manifests, and prunes', async () => {
    const [first, second] = [folder(groups(`${stack}-one`)), folder(groups(`${stack}-two`))];
    await succeeded(run(first, 'apply', '.', '--yes'));
    const { code, stdout } = await run(second, 'apply', 'stack.yaml', '--prune', '--yes');
    expect(code).toBe(3);
    expect(stdout).toContain('stack.other-project');
    expect([await isThere(`${stack}-one`), await isThere(`${stack}-two`)]).toEqual([true, false]);
    // Without --prune nothing of the first would be deleted.
    await succeeded(run(second, 'apply', 'stack.yaml', '--yes'));
    expect([await isThere(`${stack}-one`), await isThere(`${stack}-two`)]).toEqual([true, true]);
  });

  test('a stack of which one thing is as before deletes the rest as ever', async () => {
    const path = folder(groups(`${stack}-one`, `${stack}-two`));
    await succeeded(run(path, 'apply', '.', '--yes'));
    write(path, groups(`${stack}-one`, `${stack}-three`));
    await succeeded(run(path, 'apply', '.', '--yes'));
    expect(await isThere(`${stack}-two`)).toBe(false);
  });

  test('a stack of which everything was renamed is not refused where its manifests say so', async () => {
    const path = folder(groups(`${stack}-one`));
    await succeeded(run(path, 'apply', '.', '--yes'));
    write(path, `kind: group\nname: ${stack}-two\nlifecycle: {previously: ${stack}-one}\n`);
    await succeeded(run(path, 'apply', '.', '--yes'));
    expect([await isThere(`${stack}-one`), await isThere(`${stack}-two`)]).toEqual([false, true]);
  });
});

describe('a stack without a project', () => {
  test('is told so by its plan, once, with the line to add', async () => {
    const path = folder(groups(`${stack}-one`));
    const { stderr } = await succeeded(run(path, 'plan', '.'));
    const notes = stderr.split('\n').filter((line) => line.includes('project:'));
    expect(notes).toEqual([
      expect.stringMatching(
        new RegExp(
          `^note: another project with the stack name ${stack} in the org local would own the same resources; ` +
            'to make the name unique, add `project: p[0-9a-f]{7}` to gantry.yaml$',
        ),
      ),
    ]);
    write(path, groups(`${stack}-one`), 'project: mine\n');
    expect((await succeeded(run(path, 'plan', '.'))).stderr).not.toContain('project');
  });

  test('gets one later: apply --adopt takes over what it had, and nothing is created or deleted', async () => {
    const path = folder(groups(`${stack}-one`, `${stack}-two`));
    await succeeded(run(path, 'apply', '.', '--yes'));
    expect((await run(path, 'plan', '.')).stderr).toMatch(/and apply once with --adopt$/m);

    write(path, groups(`${stack}-one`, `${stack}-two`), 'project: mine\n');
    const refused = await run(path, 'plan', '.');
    expect(refused.code).toBe(3);
    expect(refused.stdout).toContain(
      `it belongs to the stack ${stack}, which is this one without the \`project\` of its gantry.yaml`,
    );
    expect(refused.stdout).toContain('--adopt once, which takes it over');

    const { stdout } = await succeeded(run(path, 'apply', '.', '--yes', '--adopt'));
    expect(stdout).toMatch(/Plan: 2 to adopt/);
    expect(own(await tagsOf(`${stack}-one`), 'gantry/stack')).toBe(`${stack}.mine`);
    expect((await run(path, 'plan', '.', '--detailed-exitcode')).code).toBe(0);
    // What is no longer declared goes as ever: it is its own.
    write(path, groups(`${stack}-one`), 'project: mine\n');
    await succeeded(run(path, 'apply', '.', '--yes'));
    expect(await isThere(`${stack}-two`)).toBe(false);
  });

  test('takes its parts along, with their claims', async () => {
    const base = mkdtempSync(join(root, 'base-'));
    writeFileSync(join(base, 'gantry.yaml'), `stack: base\nproject: ${stack}\n`);
    writeFileSync(join(base, 'stack.yaml'), groups(`${stack}-team`));
    await succeeded(run(base, 'apply', '.', '--yes'));
    const part = `kind: group\nname: ${stack}-team\nlifecycle: {part: true}\ntags: {cost: "7"}\n`;
    const path = folder(part);
    await succeeded(run(path, 'apply', '.', '--yes'));
    write(path, part, 'project: mine\n');
    await succeeded(run(path, 'apply', '.', '--yes', '--adopt'));
    expect(Object.keys(await tagsOf(`${stack}-team`)).sort()).toEqual([
      'cost',
      'gantry/applied',
      `gantry/applied.${stack}.mine`,
      'gantry/stack',
    ]);
    expect((await run(path, 'plan', '.', '--detailed-exitcode')).code).toBe(0);
    await succeeded(run(path, 'destroy', '--yes'));
    expect(Object.keys(await tagsOf(`${stack}-team`)).sort()).toEqual(['gantry/applied', 'gantry/stack']);
    expect((await run(base, 'plan', '.', '--detailed-exitcode')).code).toBe(0);
  });
});
