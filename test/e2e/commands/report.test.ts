import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { reportForms } from '../../../src/report/forms.ts';
import { type Outcome, succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { startProxy, type Verdict } from '../harness/proxy.ts';
import { interruptTwice, type Running, startGantry } from '../harness/running.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const platform = usePlatform();
const root = temporaryFolder('report');

/** A workload with a description that tries to break out of every output format. */
const manifests = (gvc: string, image = 'nginx:1') => `kind: gvc
name: ${gvc}
spec: {staticPlacement: {locationLinks: [//location/aws-eu-central-1]}}
---
kind: workload
name: web
gvc: ${gvc}
description: "\`\`\` </details> <img src=x> @everyone https://evil.example \\u202e ]]>"
spec:
  type: standard
  containers: [{name: main, image: '${image}', cpu: 50m, memory: 128Mi, ports: [{number: 80, protocol: http}]}]
`;

function project(name: string): string {
  const cwd = join(root, name);
  mkdirSync(join(cwd, '.reports'), { recursive: true });
  writeFileSync(join(cwd, 'gantry.yaml'), `stack: ${name}\n`);
  writeFileSync(join(cwd, 'shop.yaml'), manifests(name));
  return cwd;
}

const everyForm = (name: string): readonly string[] =>
  reportForms.flatMap((form) => ['--report', `${form.name}:.reports/${name}.${form.name}`]);

describe('a command writes reports in every form, and the JSON report equals -o json', () => {
  let cwd: string;
  beforeAll(() => {
    cwd = project('all');
  });

  async function reported(name: string, args: readonly string[], url = platform.url): Promise<Outcome> {
    const outcome = await inProcess({ url }, [...args, '-o', 'json', ...everyForm(name)], { cwd });
    for (const form of reportForms) expect(read(cwd, `${name}.${form.name}`), form.name).not.toBe('');
    expect(read(cwd, `${name}.json`)).toBe(outcome.stdout);
    return outcome;
  }

  test('validate', async () => {
    await reported('validate', ['validate', '.']);
    expect(read(cwd, 'validate.markdown')).toContain('### Gantry validation');
  });

  test('plan, also if refused', async () => {
    expect(await reported('refused', ['plan', '.', '--max-changes', '1'])).toMatchObject({ code: 3 });
    expect(read(cwd, 'refused.markdown')).toMatch(/\*\*Refused:[\s\S]*#### Refusals\n\n- `plan\.too-many-changes`: /);
    expect(read(cwd, 'refused.junit')).toContain('<failure ');
    expect(await reported('plan', ['plan', '.', '--out', 'kept.plan', '--rehearse'])).toMatchObject({ code: 0 });
    expect(read(cwd, 'plan.markdown')).toContain('**Rehearsal:** consistent in rehearsal: ');
  });

  test('show, without a platform, with the changes that plan wrote', async () => {
    expect(await reported('show', ['show', 'kept.plan'], 'http://127.0.0.1:1')).toMatchObject({ code: 0 });
    const changes = (text: string) => text.slice(text.indexOf('<details>'), text.indexOf('<sub>'));
    expect(changes(read(cwd, 'show.markdown'))).toBe(changes(read(cwd, 'plan.markdown')));
  });

  test('apply, of a saved plan and of manifests', async () => {
    expect(await reported('apply', ['apply', 'kept.plan', '--yes'])).toMatchObject({ code: 0 });
    expect(read(cwd, 'apply.markdown')).toContain('**Done: everything that was planned is written.**');
    expect(read(cwd, 'apply.markdown')).toMatch(/<summary>\d+ requests in \d/);
    writeFileSync(join(cwd, 'shop.yaml'), manifests('all', 'nginx:2'));
    expect(await reported('change', ['apply', '.', '--yes'])).toMatchObject({ code: 0 });
    expect(read(cwd, 'change.markdown')).toMatch(/proven: \d+ managed fields as declared/);
  });

  test('explain, drift and undo', async () => {
    writeFileSync(join(cwd, 'shop.yaml'), manifests('all', 'nginx:3'));
    await reported('explain', ['explain', '.', 'workload/all/web']);
    expect(read(cwd, 'explain.markdown')).toContain('spec.containers.main.image');
    await platform.call('PATCH', '/org/local/gvc/all/workload/web', { description: 'theirs' });
    expect(await reported('drift', ['drift', '.', '--detailed-exitcode'])).toMatchObject({ code: 2 });
    expect(read(cwd, 'drift.markdown')).toContain(
      '<summary><code>~</code> <code>workload/all/web</code>: written by others',
    );
    expect(read(cwd, 'drift.junit')).toContain('type="drift.touched"');
    expect(await reported('undo', ['undo', 'kept.plan'])).toMatchObject({ code: 4 });
    expect(read(cwd, 'undo.markdown')).toContain('**Stale:');
  });
});

describe('a destroy is reported in every form', () => {
  let cwd: string;
  beforeAll(async () => {
    cwd = project('gone');
    await succeeded(inProcess(platform, ['apply', '.', '--yes'], { cwd }));
    const theirs = { name: 'theirs', spec: { type: 'standard', containers: [{ name: 'main', image: 'nginx:1' }] } };
    expect((await platform.call('POST', '/org/local/gvc/gone/workload', theirs)).status).toBe(201);
  });

  async function destroyed(name: string, ...flags: readonly string[]) {
    const outcome = await inProcess(platform, ['destroy', ...flags, '-o', 'json', ...everyForm(name)], { cwd });
    for (const form of reportForms) expect(read(cwd, `${name}.${form.name}`), form.name).not.toBe('');
    expect(read(cwd, `${name}.json`)).toBe(outcome.stdout);
    return { code: outcome.code, as: (form: string) => read(cwd, `${name}.${form}`) };
  }

  test('if refused: with the deletions, the resources of others, and what permits it', async () => {
    const { code, as } = await destroyed('refused', '--yes');
    expect(code).toBe(3);
    expect(as('markdown')).toContain(
      '<!-- gantry report stack=gone env=* -->\n\n### Gantry destroy: `gone` in `local`',
    );
    expect(as('markdown')).toMatch(/#### Refusals\n\n- `delete\.bystander` `gvc\/gone`: .*workload\/gone\/theirs/);
    expect(as('markdown')).toContain('- also deletes `workload/gone/theirs`, `workload/gone/web`');
    expect(as('html')).toContain('<title>Destroy of gone</title>');
    expect(as('junit')).toContain('type="delete.bystander"');
    expect(JSON.parse(as('sarif'))).toMatchObject({ runs: [{ results: [{ ruleId: 'delete.bystander' }] }] });
    expect(JSON.parse(as('codequality'))).toMatchObject([{ check_name: 'delete.bystander' }]);
  });

  test('if not confirmed: with the plan, and that nothing was written', async () => {
    const { code, as } = await destroyed('asked', '--allow-collateral=1');
    expect(code).toBe(1);
    expect(as('markdown')).toContain('`apply.not-confirmed`');
    expect(as('markdown')).toContain('- 2 to delete. Worst risk: **downtime**');
    expect(as('junit')).toContain('<error ');
  });

  test('if done: with its requests in order', async () => {
    const { code, as } = await destroyed('done', '--allow-collateral=1', '--yes');
    expect(code).toBe(0);
    expect(as('markdown')).toContain('**Done: everything that was planned is written.**');
    expect(as('markdown')).toMatch(/- `gvc\/gone` done from \d\d:\d\d:\d\d\.\d{3}, \d/);
    expect(JSON.parse(as('json'))).toMatchObject({ result: { outcome: 'done', changes: expect.any(Array) } });
    expect(as('junit')).toMatch(/<testcase name="delete gvc\/gone" classname="gantry\.destroy\.gone" time="/);
    expect(JSON.parse(as('codequality'))).toEqual([]);
  });
});

/** Two stacks in code, each with a GVC named after it. */
function codeProject(name: string): string {
  const cwd = project(name);
  writeFileSync(
    join(cwd, 'stack.ts'),
    `import { App, Gvc, Stack } from 'gantry';
const app = new App();
for (const name of ['network', 'service']) new Gvc(new Stack(app, name), '${name}-' + name, {});
`,
  );
  rmSync(join(cwd, 'shop.yaml'));
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(join(import.meta.dirname, '../../..'), join(cwd, 'node_modules/gantry'));
  writeFileSync(join(cwd, 'gantry.yaml'), '');
  return cwd;
}

test('a plan of several stacks is one report', async () => {
  const cwd = codeProject('several');
  const { code, stdout, stderr } = await inProcess(
    platform,
    ['plan', 'stack.ts', '--all', '-o', 'json', ...everyForm('all')],
    { cwd },
  );
  expect(code, stderr).toBe(0);
  expect(read(cwd, 'all.json')).toBe(stdout);
  expect(read(cwd, 'all.markdown')).toContain('<!-- gantry report stack=network%2Bservice env=* -->');
  for (const name of ['network', 'service']) expect(read(cwd, 'all.markdown')).toContain(`gvc/several-${name}`);
  expect(read(cwd, 'all.markdown').match(/^#### Stack `\w+`$/gm)).toEqual([
    '#### Stack `network`',
    '#### Stack `service`',
  ]);
});

describe('the marker names the stack and the environment', () => {
  const marker = (cwd: string, name: string) => read(cwd, name).split('\n')[0];

  test('for a plan, for the same plan shown and applied, and for its undo', async () => {
    const cwd = project('marked');
    writeFileSync(join(cwd, 'gantry.yaml'), `environments: {prod: {stack: marked}}\n`);
    const run = (url: string, ...args: readonly string[]) => succeeded(inProcess({ url }, args, { cwd }));
    const reporting = (name: string) => ['--report', `.reports/${name}.md`];
    await run(platform.url, 'plan', '.', '--env', 'prod', '--out', 'it.plan', ...reporting('plan'));
    await run('http://127.0.0.1:1', 'show', 'it.plan', ...reporting('show'));
    await run(platform.url, 'apply', 'it.plan', '--yes', ...reporting('apply'));
    await run(platform.url, 'undo', 'it.plan', '--allow-data-loss=0', ...reporting('undo'));
    for (const name of ['plan', 'show', 'apply', 'undo']) {
      expect(marker(cwd, `${name}.md`), name).toBe('<!-- gantry report stack=marked env=prod -->');
    }
  });

  test('for stacks that the run did not reach', async () => {
    const cwd = codeProject('unreached');
    const flags = ['stack.ts', '--all', '--max-changes=0', '--report', 'md:.reports/apply'];
    expect(await inProcess(platform, ['apply', '--yes', ...flags], { cwd })).toMatchObject({ code: 3 });
    expect(marker(cwd, 'apply')).toBe('<!-- gantry report stack=network%2Bservice env=* -->');
    expect(read(cwd, 'apply')).not.toContain('#### Stack `service`');
  });

  test('for code without a name in settings, if no platform answers', async () => {
    const cwd = codeProject('unplanned');
    const flags = ['stack.ts/network', '--report', 'md:.reports/plan'];
    expect(await inProcess({ url: 'http://127.0.0.1:1' }, ['plan', ...flags], { cwd })).toMatchObject({ code: 6 });
    expect(marker(cwd, 'plan')).toBe('<!-- gantry report stack=network env=* -->');
  });
});

describe('a report that can no longer be written after an apply', () => {
  /** Applies while the folder of the reports is deleted at the first write. */
  async function applyWithout(name: string, fails: boolean): Promise<Outcome> {
    const cwd = project(name);
    const proxy = await startProxy(platform.url, ({ isWrite, write, method }) => {
      if (isWrite) rmSync(join(cwd, '.reports'), { recursive: true, force: true });
      return fails && method !== 'GET' && write > 1 ? { status: 400, body: { message: 'no' } } : 'pass';
    });
    try {
      return await inProcess(proxy, ['apply', '.', '--yes', '-o', 'json', '--report', 'md:.reports/a'], { cwd });
    } finally {
      await proxy.close();
    }
  }

  test('turns a success into a failure, and the result is still printed', async () => {
    const { code, stdout, stderr } = await applyWithout('lost', false);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ result: { outcome: 'done' }, error: { code: 'report.unwritten' } });
    expect(stderr).toContain(
      'error report.unwritable: the report .reports/a cannot be written: its folder does not exist',
    );
  });

  test('because the disk is full ends a completed apply with exit code 1 and a hint', async () => {
    const cwd = project('full');
    const flags = ['--report', 'md:/dev/full', '--report', '.reports/a.json'];
    const { code, stdout, stderr } = await inProcess(platform, ['apply', '.', '--yes', '-o', 'json', ...flags], {
      cwd,
    });
    expect(code).toBe(1);
    expect(stderr).toContain(
      'error report.unwritable: the report /dev/full cannot be written: no space is left on its disk',
    );
    expect(stderr).toContain('Free some space, or give --report a file on another disk.');
    expect(JSON.parse(stdout)).toMatchObject({
      result: { outcome: 'done' },
      error: {
        code: 'report.unwritten',
        message: 'the command succeeded, but not every report could be written: /dev/full',
      },
    });
    expect(JSON.parse(read(cwd, 'a.json'))).toMatchObject({ result: { outcome: 'done' } });
    expect((await platform.call('GET', '/org/local/gvc/full')).status).toBe(200);
  });

  test('is only reported on standard error if the apply failed, which keeps its exit code', async () => {
    const { code, stdout, stderr } = await applyWithout('partly', true);
    expect(code).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({ result: { outcome: 'partly' }, error: { code: 'apply.partly' } });
    expect(stderr).toContain('error report.unwritable');
  });
});

describe('a process that ends before its command', () => {
  const earlierReport = '<!-- gantry report stack=shop env=* -->\n\nof an earlier run\n';

  /** `end` is called at its first write, which is never answered. */
  async function endedBy(name: string, end: (running: Running) => Promise<void>) {
    const cwd = project(name);
    writeFileSync(join(cwd, '.reports/a.md'), earlierReport);
    let running: Running;
    const proxy = await startProxy(platform.url, async ({ isWrite, write }): Promise<Verdict> => {
      if (!isWrite || write > 1) return 'pass';
      await end(running);
      return 'silent';
    });
    running = startGantry(
      proxy.url,
      ['apply', '.', '--yes', '--report', '.reports/a.md', '--report', '.reports/a.json'],
      cwd,
    );
    const ended = await running.ended;
    await proxy.close();
    return { cwd, ...ended };
  }

  test('by a second interrupt writes the results so far', async () => {
    const { cwd, code, stderr } = await endedBy('interrupted', interruptTwice);
    expect(code, stderr).toBe(130);
    expect(read(cwd, 'a.md')).toContain('**Interrupted.** `cli.interrupted`');
    expect(JSON.parse(read(cwd, 'a.json'))).toMatchObject({
      changes: expect.any(Array),
      error: { code: 'cli.interrupted' },
    });
  });

  test('by SIGKILL leaves the files unchanged', async () => {
    const { cwd, signal } = await endedBy('killed', async ({ child }) => void child.kill('SIGKILL'));
    expect(signal).toBe('SIGKILL');
    expect(readdirSync(join(cwd, '.reports'))).toEqual(['a.md']);
    expect(read(cwd, 'a.md')).toBe(earlierReport);
  });
});

test('in a GitHub workflow, findings are annotations on standard error, and standard output stays valid JSON', async () => {
  const cwd = project('annotated');
  writeFileSync(join(cwd, 'shop.yaml'), manifests('annotated').replace('type: standard', 'type: none'));
  const env = { GITHUB_ACTIONS: 'true' };
  const { code, stdout, stderr } = await inProcess(platform, ['plan', '.', '-o', 'json'], { cwd, env });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'input.invalid' } });
  expect(stderr).toMatch(
    /^::error file=shop\.yaml,line=10,col=\d+,title=gantry%3A \S+::workload\/annotated\/web spec\.type: /m,
  );
});

function read(cwd: string, file: string): string {
  return readFileSync(join(cwd, '.reports', file), 'utf8');
}
