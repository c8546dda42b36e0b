import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorld, type World } from '../../sweeps/harness/world.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';

/** Situations of a user who is new to Gantry. */
let world: World;
const folder = temporaryFolder('newcomer');
const run = (...args: readonly string[]) => inProcess(world.platform, args, { cwd: folder });

beforeAll(async () => {
  world = await openWorld();
  writeFileSync(join(folder, 'gantry.yaml'), 'stack: newcomer\n');
  writeFileSync(
    join(folder, 'all.yaml'),
    `kind: gvc
name: newcomer
---
kind: secret
name: newcomer-key
type: opaque
data: {payload: {fromEnv: NOT_SET_ANYWHERE}}
`,
  );
});
afterAll(async () => {
  await world.close();
});

test('a destroy without resources says so, because the name of the stack may be wrong', async () => {
  const { code, stdout } = await run('destroy', '--stack', 'newcommer', '--yes');

  expect(stdout).toContain(
    'note: no resource in the org local belongs to the stack newcommer; if you expected one, check',
  );
  expect(stdout).toContain('No changes');
  expect(code).toBe(0);
});

test('a destroy does not call declared resources no longer declared', async () => {
  writeFileSync(join(folder, 'other.yaml'), 'kind: gvc\nname: newcomer-other\n');
  expect((await run('apply', 'other.yaml', '--yes')).code).toBe(0);

  const { stdout } = await run('destroy', '--no-input');

  expect(stdout).toContain('\n  - gvc/newcomer-other (version 1)  downtime\n      the whole stack is destroyed\n');
  expect(stdout).not.toContain('no longer declared');
  expect((await run('destroy', '--yes')).code).toBe(0);
  rmSync(join(folder, 'other.yaml'));
});

test('status needs no secret values, and says what is absent', async () => {
  const { code, stdout, stderr } = await run('status', '.');

  expect(stderr).not.toContain('NOT_SET_ANYWHERE');
  expect(stdout).toContain('✗ secret/newcomer-key  absent');
  expect(code).toBe(1);
});

describe('hints match the problem', () => {
  test('a missing value has no hint to run validate, which could not find it', async () => {
    const { stderr } = await run('plan', '.');
    expect(stderr).toContain('1 problem; nothing was written\n  hint: Correct it.');
  });

  test('two problems of manifests have a hint to run validate', async () => {
    writeFileSync(join(folder, 'wrong.yaml'), 'kind: gvc\nname: A\ndescription: [1]\n');
    const { stderr } = await run('plan', 'wrong.yaml');
    rmSync(join(folder, 'wrong.yaml'));
    expect(stderr).toContain('"A" is not a valid name for a GVC');
    expect(stderr).toContain(
      '2 problems; nothing was written\n  hint: Correct them. gantry validate checks manifests without a platform.',
    );
  });

  test.each([
    { args: ['schema'], hint: 'See gantry schema --help.' },
    { args: ['plan', '.', '--max-risk', 'high'], hint: 'See gantry plan --help.' },
    { args: ['plan', '.', '--patch', '--compact'], hint: 'See gantry plan --help.' },
  ])('$args: the hint is the help page of the command', async ({ args, hint }) => {
    const { code, stderr } = await run(...args);
    expect(stderr).toContain(`  hint: ${hint}`);
    expect(code).toBe(64);
  });
});

test('a compact plan says why it is refused, and which flag permits it', async () => {
  writeFileSync(join(folder, 'free.yaml'), 'kind: gvc\nname: free-gvc\n');
  await world.platform.call('POST', '/org/local/gvc', { name: 'free-gvc' });

  const { stdout } = await run('plan', 'free.yaml', '--compact');

  expect(stdout).toMatch(/^ {2}! gvc\/free-gvc .*\n {6}refused adopt\.not-asked: .*\n {8}To permit it: --adopt/m);
});
