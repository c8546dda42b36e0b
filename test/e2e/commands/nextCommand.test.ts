import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { compileCache } from '../../compileCache.ts';
import { writeBelow } from '../../harness/writeBelow.ts';
import { type Outcome, succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { writeKeyPair } from '../../writeKeyPair.ts';

const main = new URL('../../../dist/cli.js', import.meta.url).pathname;
const root = temporaryFolder('next-command');
const bin = join(root, 'bin');
let folder = '';

/** Runs a line as in a user's shell, where `gantry` is on the PATH, directly or through `npx`. */
function shell(line: string, env: Readonly<Record<string, string>> = {}, cwd = folder): Promise<Outcome> {
  const PATH = `${bin}:${process.env['PATH'] ?? ''}`;
  return new Promise((resolve) => {
    execFile(
      '/bin/sh',
      ['-c', line],
      { cwd, env: { PATH, HOME: folder, ...compileCache, ...env } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

const write = (path: string, text: string) => writeBelow(folder, path, text);

const group = (name: string) => `kind: group\nname: ${name}\n`;
const nextOf = ({ stderr }: Outcome): string => /^Next: (.*)$/m.exec(stderr)?.[1] ?? stderr;

beforeEach(() => {
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'gantry'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, { mode: 0o755 });
  writeFileSync(join(bin, 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
  folder = mkdtempSync(join(root, 'p-'));
});

/** Runs the printed command, which creates the only resource. */
async function applied(planned: Outcome, cwd = folder): Promise<void> {
  const { stdout } = await succeeded(shell(`${nextOf(planned)} --yes`, {}, cwd));
  expect(stdout).toContain('1 created');
}

test('the next command repeats the flags of a plan on the embedded platform, quoted for the shell', async () => {
  write('gantry.yaml', 'stack: shop\norg: other\n');
  write('group.yaml', group('town'));
  const planned = await succeeded(
    shell(`gantry plan --embedded --org acme --data "my data" --stack market --out "it's.plan"`),
  );
  expect(nextOf(planned)).toBe(`gantry apply 'it'\\''s.plan' --org acme --stack market --embedded --data 'my data'`);
  await applied(planned);
});

test('a command started by npx prints a next command with npx', async () => {
  write('group.yaml', group('town'));
  const planned = await succeeded(shell('npx gantry plan --embedded --out it.plan', { npm_command: 'exec' }));
  expect(nextOf(planned)).toBe('npx gantry apply it.plan --embedded');
  await applied(planned);
});

test('the next command works for manifests from standard input', async () => {
  const planned = await succeeded(shell('echo "{kind: group, name: town}" | gantry plan - --embedded --out it.plan'));
  await applied(planned);
});

test('the next command changes to the folder of a nested project and keeps the data of the plan', async () => {
  write('gantry.yaml', 'stack: all\n');
  write('hello/gantry.yaml', 'stack: hello\n');
  write('hello/group.yaml', group('town'));
  const planned = await succeeded(shell('gantry plan hello --embedded --out it.plan'));
  expect(nextOf(planned)).toBe('cd hello && gantry apply ../it.plan --embedded');
  await applied(planned);

  write('hello/group.yaml', `${group('town')}---\n${group('village')}`);
  mkdirSync(join(folder, 'plans'));
  const elsewhere = await succeeded(shell('gantry plan hello --embedded --out plans/it.plan'));
  expect(nextOf(elsewhere)).toBe(`cd hello && gantry apply ../plans/it.plan --embedded --data ${folder}/.gantry`);
  await applied(elsewhere);
});

test('an undo from another folder is applied in the folder of its project', async () => {
  write('p/gantry.yaml', 'stack: shop\n');
  write('p/group.yaml', group('town'));
  const project = join(folder, 'p');
  await applied(await succeeded(shell('gantry plan group.yaml --embedded --out it.plan', {}, project)), project);
  const undo = await succeeded(shell('gantry undo p/it.plan --embedded --out back.plan'));
  expect(nextOf(undo)).toBe('cd p && gantry apply ../back.plan --embedded');
  expect((await succeeded(shell(`${nextOf(undo)} --yes`))).stdout).toContain('1 deleted');
});

test('if limits require an approval, both commands and their keys are printed', async () => {
  const { pub: planners } = writeKeyPair(folder, 'planner');
  const { pub: approvers } = writeKeyPair(folder, 'approver');
  const limits = 'environments:\n  prod:\n    limits: {signature: required, approvals: 1}\n';
  write('gantry.yaml', `stack: shop\n${limits}`);
  write('group.yaml', group('town'));
  const plan = 'gantry plan --embedded --env prod --sign planner --out it.plan';
  const { stderr } = await succeeded(shell(plan));
  const lines = stderr.trim().split('\n').slice(-2);
  expect(lines).toEqual([
    'Next, by somebody else: gantry approve it.plan --sign KEYFILE --embedded',
    'Then: gantry apply it.plan --embedded --signed-by KEYS --approved-by KEYS',
  ]);
  const [approve = '', apply = ''] = lines.map((line) => line.slice(line.indexOf(': ') + 2));
  await succeeded(shell(`${approve.replace('KEYFILE', 'approver')} --yes`));
  const keyed = apply
    .replace('--signed-by KEYS', `--signed-by ${planners}`)
    .replace('--approved-by KEYS', `--approved-by ${approvers}`);
  expect((await succeeded(shell(`${keyed} --yes`))).stdout).toContain('1 created');

  write('gantry.yaml', `stack: shop\nsigners: {plan: planner.pub, approval: approver.pub}\n${limits}`);
  write('group.yaml', `${group('town')}---\n${group('village')}`);
  const named = await succeeded(shell(plan));
  expect(named.stderr).toContain('Then: gantry apply it.plan --embedded\n');
});

test('a cron run of an image prints how to delete its workload, with the flags of this call', async () => {
  write('gvc.yaml', 'kind: gvc\nname: shop\nspec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}\n');
  await succeeded(shell('gantry apply --embedded --data d --yes'));
  const run = 'gantry workload cron run --image busybox:1 --name once --gvc shop --embedded --data d';
  const { stderr } = await succeeded(shell(run));
  const [, next = ''] = /^The workload once stays\. To delete it: (.*)$/m.exec(stderr) ?? [];
  expect(next).toBe('gantry workload delete once --gvc shop --embedded --data d');
  expect((await succeeded(shell(`${next} --yes`))).stdout).toContain('once');
});
