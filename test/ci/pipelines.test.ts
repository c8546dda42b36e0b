import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { inProcess } from '../e2e/harness/inProcess.ts';
import type { Outcome } from '../outcome.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { git } from './runner/steps.ts';
import { type WorkflowParser, workflowParser } from './workflowParser.ts';

const folder = temporaryFolder('ci-init');
let count = 0;
let parser: WorkflowParser;
beforeAll(async () => {
  parser = await workflowParser(folder);
});

async function initialise(...args: string[]): Promise<Outcome & { readonly dir: string }> {
  count += 1;
  const dir = join(folder, String(count));
  return { ...(await inProcess(undefined, ['ci', 'init', ...args, '--dir', dir], { cwd: folder })), dir };
}

const environments = [
  { title: 'no environment', args: [], suffixes: [''] },
  { title: 'one environment', args: ['--env', 'prod'], suffixes: ['-prod'] },
  {
    title: 'three environments',
    args: ['--env', 'dev', '--env', 'eu-1', '--env', 'prod'],
    suffixes: ['-dev', '-eu-1', '-prod'],
  },
];

describe.each(environments)('$title', ({ args, suffixes }) => {
  test("is a valid workflow by GitHub's own parser, with a job for each step", async () => {
    const { dir } = await initialise('github', ...args);
    const { errors, jobs } = await parsedWorkflow(readFileSync(join(dir, '.github/workflows/gantry.yml'), 'utf8'));
    expect(errors).toEqual([]);
    expect(jobs).toEqual(
      suffixes.flatMap((suffix) => ['plan', 'fetch', 'approve', 'apply', 'drift'].map((step) => step + suffix)),
    );
  });

  test('is a valid pipeline by the schema of GitLab, with a job for each step', async () => {
    const { dir } = await initialise('gitlab', ...args);
    const { code, stdout } = await gitLabLint(dir);
    expect(code).toBe(0);
    expect(JSON.parse(stdout.slice(stdout.indexOf('[\n'))).map(({ name }: { name: string }) => name)).toEqual(
      suffixes.flatMap((suffix) => [
        `gantry-plan${suffix}`,
        `fetch${suffix}`,
        `approve${suffix}`,
        `apply${suffix}`,
        `drift${suffix}`,
      ]),
    );
  });

  test('has no placeholder left', async () => {
    for (const forge of ['github', 'gitlab', 'shell']) {
      const { dir } = await initialise(forge, ...args);
      for (const file of ['ci/gantry.sh', '.gitlab-ci.yml', '.github/workflows/gantry.yml']) {
        if (existsSync(join(dir, file))) expect(readFileSync(join(dir, file), 'utf8')).not.toMatch(/__|undefined/);
      }
    }
  });
});

test("the parsers detect errors: GitHub's an unknown key, GitLab's an unknown stage", async () => {
  const { dir } = await initialise('github');
  const workflow = readFileSync(join(dir, '.github/workflows/gantry.yml'), 'utf8');
  const { errors } = await parsedWorkflow(workflow.replace('runs-on:', 'run-on:'));
  expect(errors.join()).toContain("Unexpected value 'run-on'");
  const gitLab = await initialise('gitlab');
  const file = join(gitLab.dir, '.gitlab-ci.yml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('stage: drift', 'stage: drft'));
  expect((await gitLabLint(gitLab.dir)).code).not.toBe(0);
});

describe('the action of this repository', () => {
  const root = new URL('../..', import.meta.url).pathname;
  const content = readFileSync(join(root, 'action.yml'), 'utf8');

  test("is valid by GitHub's own parser, which detects errors", () => {
    const errorsOf = (text: string) => {
      const { context } = parser.parseAction(
        { name: 'action.yml', content: text },
        new parser.NoOperationTraceWriter(),
      );
      return context.errors.getErrors().map(({ message }) => message);
    };
    expect(errorsOf(content)).toEqual([]);
    expect(errorsOf(content.replace('using:', 'use:'))).not.toEqual([]);
  });

  test('passes every input on, and runs the steps that it contains', () => {
    const inputs = [...content.matchAll(/^ {2}([a-z-]+):\n {4}description:/gm)].map(([, name]) => name);
    const used = [...content.matchAll(/\$\{\{ inputs\.([a-z-]+) \}\}/g)].map(([, name]) => name);
    expect(used).toEqual(inputs.filter((name) => name !== undefined));
    const [, script = ''] = /\$GITHUB_ACTION_PATH\/(\S+)"/.exec(content) ?? [];
    expect(statSync(join(root, script)).mode & 0o111).toBe(0o111);
  });

  test('is used in the guide with its real inputs', async () => {
    const [, block = ''] =
      /```yaml\n(on: pull_request\n[\s\S]*?)```/.exec(readFileSync(join(root, 'docs/pipelines.md'), 'utf8')) ?? [];
    expect(await parsedWorkflow(block)).toEqual({ errors: [], jobs: ['plan'] });
    for (const [, input = ''] of block.matchAll(/^ {10}([a-z-]+):/gm)) expect(content).toContain(`\n  ${input}:\n`);
  });
});

test('the steps are executable POSIX shell', async () => {
  const { dir } = await initialise('shell');
  const script = join(dir, 'ci/gantry.sh');
  expect(statSync(script).mode & 0o111).toBe(0o111);
  execFileSync('dash', ['-n', script]);
});

test('a cancelled step leaves no key behind', async () => {
  const { dir } = await initialise('shell');
  const [bin, temporary] = [join(dir, 'node_modules/.bin'), join(dir, 'tmp')];
  mkdirSync(bin, { recursive: true });
  mkdirSync(temporary);
  // A command that prints a line and runs until it is ended.
  writeFileSync(join(bin, 'gantry'), '#!/bin/sh\necho runs\nexec sleep 600\n', { mode: 0o755 });
  const env = { PATH: process.env['PATH'], TMPDIR: temporary, GANTRY_PLAN_KEY: 'secret' };
  const step = spawn('dash', ['ci/gantry.sh', 'plan'], { cwd: dir, env, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(step.stdout, 'data');
  expect(readdirSync(temporary)).toHaveLength(1);
  step.kill('SIGTERM');
  expect(await once(step, 'close')).toEqual([143, null]);
  expect(readdirSync(temporary)).toEqual([]);
});

test('a change passes through the environments in the order of --env', async () => {
  const { dir } = await initialise('github', '--env', 'dev', '--env', 'prod');
  const text = readFileSync(join(dir, '.github/workflows/gantry.yml'), 'utf8');
  expect(text.match(/needs: .*/g)).toEqual(
    ['fetch-dev', 'approve-dev', 'apply-dev', 'fetch-prod', 'approve-prod'].map((job) => `needs: [${job}]`),
  );
});

test('without --env the pipeline has the environments of gantry.yaml', async () => {
  const dir = join(folder, 'declared');
  mkdirSync(join(dir, 'infra'), { recursive: true });
  writeFileSync(join(dir, 'infra/gantry.yaml'), 'stack: shop\nenvironments: {test: {}, prod: {}}\n');
  const found = await inProcess(undefined, ['ci', 'init', 'shell', '--path', 'infra', '-o', 'json'], { cwd: dir });
  expect(JSON.parse(found.stdout)).toMatchObject({ environments: ['test', 'prod'] });
});

test('each job has only the secrets and permissions that it needs', async () => {
  const { dir } = await initialise('github', '--env', 'prod');
  const text = readFileSync(join(dir, '.github/workflows/gantry.yml'), 'utf8');
  const job = (name: string) => new RegExp(`\\n  ${name}:\\n(?:    .*\\n|\\n)+`).exec(text)?.[0] ?? '';
  expect(job('plan-prod')).toContain('environment: "prod-plan"\n');
  expect(job('plan-prod')).not.toContain('GANTRY_APPROVAL_KEY');
  expect(job('approve-prod')).toContain('environment: "prod-approval"\n');
  expect(job('approve-prod')).not.toMatch(/GANTRY_TOKEN|GANTRY_PLAN_KEY|GITHUB_TOKEN|: write/);
  expect(job('fetch-prod')).not.toMatch(/secrets|environment:|: write/);
  expect(job('apply-prod')).toContain('environment: "prod"\n');
  expect(job('apply-prod')).not.toMatch(/_KEY|GITHUB_TOKEN|: write/);
});

test('an existing file is not overwritten, and a repeated init changes nothing', async () => {
  const { dir } = await initialise('github');
  const again = (forge: string) => inProcess(undefined, ['ci', 'init', forge, '--dir', dir], { cwd: folder });
  expect((await again('github')).stdout).toMatch(/unchanged {2}ci\/gantry\.sh\n {2}unchanged {2}\.github/);
  writeFileSync(join(dir, 'ci/gantry.sh'), '#!/bin/sh\necho mine\n');
  const refused = await again('gitlab');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(
    'error init.exists: these files exist already; nothing was written:\n  ci/gantry.sh',
  );
  expect(refused.stderr).toContain(
    'hint: Commit them, remove them, and run it again: git diff shows what is different.',
  );
  expect(existsSync(join(dir, '.gitlab-ci.yml'))).toBe(false);
});

describe('in a project with environments', () => {
  const inProject = (...args: string[]) => {
    count += 1;
    const cwd = join(folder, String(count));
    mkdirSync(join(cwd, 'infra'), { recursive: true });
    writeFileSync(join(cwd, 'infra/gantry.yaml'), 'stack: shop\nenvironments: {test: {}, stage: {}, prod: {}}\n');
    const run = inProcess(undefined, ['ci', 'init', 'github', '--path', 'infra', ...args], { cwd });
    return run.then((outcome) => ({ ...outcome, cwd }));
  };

  test('--env chooses some of them', async () => {
    const args = ['--env', 'test', '--env', 'prod', '-o', 'json'];
    expect(JSON.parse((await inProject(...args)).stdout)).toMatchObject({ environments: ['test', 'prod'] });
  });

  test('an unknown --env is an error with the known names, and nothing is written', async () => {
    const { code, stderr, cwd } = await inProject('--env', 'test', '--env', 'pord');
    expect(code).toBe(1);
    expect(stderr).toContain('error settings.environment: gantry.yaml has no environment "pord"');
    expect(stderr).toContain('Did you mean prod? Available: test, stage, prod.');
    expect(readdirSync(cwd)).toEqual(['infra']);
  });
});

test.each([
  ['missing', () => {}, 'there is no such file'],
  ['a file', (path: string) => writeFileSync(path, ''), 'it is a file'],
])('a --path that is %s is an error, and nothing is written', async (_, make, why) => {
  count += 1;
  const dir = join(folder, String(count));
  mkdirSync(dir);
  make(join(dir, 'infra'));
  const before = readdirSync(dir);
  const args = ['ci', 'init', 'github', '--dir', dir, '--path', 'infra'];
  const { code, stderr } = await inProcess(undefined, args, { cwd: folder });
  expect(code).toBe(1);
  expect(stderr).toContain(`error init.files: --path: ${join(dir, 'infra')} is not the folder of a stack: ${why}`);
  expect(readdirSync(dir)).toEqual(before);
});

test.each([
  [['circleci'], 'there is no pipeline for "circleci"'],
  [['gitlb'], 'Did you mean gitlab?'],
  [['github', '--env', 'a b'], '--env: "a b" cannot be in the name of a job'],
  [['github', '--env', 'dev', '--env', 'dev'], '--env: dev is named twice'],
  [['github', '--branch', 'x" || true'], 'is not a valid branch name'],
  [['github', '--path', '../elsewhere'], '--path: "../elsewhere" is not below the root of the repository'],
  [['github', '--path', '/etc'], '--path: "/etc" is not below the root of the repository'],
])('gantry ci init %j is a usage error', async (args, message) => {
  const { code, stderr, dir } = await initialise(...args);
  expect(code).toBe(64);
  expect(stderr).toContain(message);
  expect(existsSync(dir)).toBe(false);
});

test('a path with spaces and quotes is quoted', async () => {
  const dir = join(folder, 'spaces');
  mkdirSync(join(dir, 'infra/my "shop" #1'), { recursive: true });
  const args = ['ci', 'init', 'github', '--path', 'infra/my "shop" #1'];
  expect((await inProcess(undefined, args, { cwd: dir })).code).toBe(0);
  const text = readFileSync(join(dir, '.github/workflows/gantry.yml'), 'utf8');
  expect(text).toContain('GANTRY_CI_PATH: "infra/my \\"shop\\" #1"\n');
  expect((await parsedWorkflow(text)).errors).toEqual([]);
});

test('-o json describes the written files', async () => {
  const { stdout, dir } = await initialise('gitlab', '--env', 'prod', '-o', 'json');
  expect(JSON.parse(stdout)).toMatchObject({
    forge: 'gitlab',
    folder: dir,
    environments: ['prod'],
    files: [
      { path: 'ci/gantry.sh', change: 'created' },
      { path: '.gitlab-ci.yml', change: 'created' },
    ],
  });
});

async function parsedWorkflow(
  content: string,
): Promise<{ readonly errors: readonly string[]; readonly jobs: readonly string[] }> {
  const { context, value } = parser.parseWorkflow({ name: 'gantry.yml', content }, new parser.NoOperationTraceWriter());
  const errors = context.errors.getErrors().map(({ message }) => message);
  if (value === undefined || errors.length > 0) return { errors, jobs: [] };
  const { jobs } = await parser.convertWorkflowTemplate(context, value);
  return {
    errors: context.errors.getErrors().map(({ message }) => message),
    jobs: jobs.map(({ id }) => id.value),
  };
}

/** gitlab-ci-local contains GitLab's schema, and resolves stages, `extends` and `needs`. */
function gitLabLint(dir: string): Promise<{ readonly code: unknown; readonly stdout: string }> {
  mkdirSync(dir, { recursive: true });
  git(dir, 'init', '-q', '--template=', '-b', 'main');
  git(dir, 'remote', 'add', 'origin', 'https://forge.invalid/acme/shop.git');
  git(dir, 'add', '-A');
  git(dir, 'commit', '-qm', 'pipeline');
  const program = new URL('../../node_modules/gitlab-ci-local/dist/index.js', import.meta.url).pathname;
  return new Promise((resolve) => {
    execFile(process.execPath, [program, '--list-json'], { cwd: dir }, (error, stdout) =>
      resolve({ code: error?.code ?? 0, stdout }),
    );
  });
}
