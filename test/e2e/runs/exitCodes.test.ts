import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { inProcess } from '../harness/inProcess.ts';
import { type Passing, startProxy, type Verdict } from '../harness/proxy.ts';
import { interruptTwice, startGantry } from '../harness/running.ts';
import { usePlatform } from '../harness/usePlatform.ts';
import { useProjects } from '../harness/useProjects.ts';

const schemaOf = (name: string): object =>
  JSON.parse(readFileSync(new URL(`../../../dist/schemas/${name}.json`, import.meta.url), 'utf8'));
const ajv = new Ajv2020({ strict: false });
const validPlan = ajv.compile(schemaOf('plan'));
const validError = ajv.compile(schemaOf('error'));
const platform = usePlatform();
const project = useProjects(platform, 'codes');

const two = (name: string) => `kind: group\nname: ${name}-a\n---\nkind: group\nname: ${name}-b\n`;
const write = (index: number, verdict: Verdict) => (passing: Passing) =>
  passing.isWrite && passing.write === index ? verdict : 'pass';
const wrong: Verdict = { status: 400, body: { status: 400, message: 'the moon is wrong' } };
/** Demands a longer wait than the client accepts. */
const away: Verdict = { status: 503, headers: { 'retry-after': '99999' } };

interface Case {
  readonly it: string;
  readonly judge: (passing: Passing) => Verdict;
  readonly code: number;
  readonly error: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
}

// biome-ignore format: a row is a case
const cases: readonly Case[] = [
  {
    it: '1: every change was refused, and nothing was written',
    judge: ({ isWrite }) => (isWrite ? wrong : 'pass'),
    code: 1,
    error: {
      code: 'apply.failed',
      retry: 'no',
      message: 'not finished: 2 failed',
      causes: [
        { code: 'api.invalid', resource: expect.stringMatching(/^group\//) },
        { code: 'api.invalid', resource: expect.stringMatching(/^group\//) },
      ],
    },
  },
  {
    it: '5: one change was written, and one failed',
    judge: write(1, wrong),
    code: 5,
    error: {
      code: 'apply.partly',
      retry: 'run-again',
      message: 'not finished: 1 done, 1 failed',
      causes: [{ code: 'api.invalid', message: expect.stringContaining('the moon is wrong') }],
    },
    result: {
      failed: [{ code: 'api.invalid', message: expect.stringContaining('the moon is wrong') }],
      done: [expect.stringMatching(/^group\/codes-\d+-[ab]$/)],
      verified: null,
    },
  },
  { it: '6: the platform became unavailable before anything was written',
    judge: ({ isWrite }) => (isWrite ? away : 'pass'), code: 6, error: { code: 'api.unavailable', retry: 'later' } },
];

describe('how an apply ends', () => {
  test.each(cases)('$it', async ({ judge, code, error, result }) => {
    const { folder } = project(two);
    const proxy = await startProxy(platform.url, judge);
    const outcome = await inProcess(proxy, ['apply', '.', '--yes', '-o', 'json'], { cwd: folder });
    await proxy.close();
    expect(outcome.code, outcome.stdout + outcome.stderr).toBe(code);
    const document: unknown = JSON.parse(outcome.stdout);
    expect(validPlan(document), JSON.stringify(validPlan.errors)).toBe(true);
    expect(validError(document), JSON.stringify(validError.errors)).toBe(true);
    expect(document).toMatchObject({ refused: false, result: { interrupted: false, ...result }, error });
  });

  test('4: another client wrote the same field, and nothing is written', async () => {
    const it = project((each) => `kind: group\nname: ${each}\ndescription: one\n`);
    expect((await it.run('apply', '.', '--yes')).code).toBe(0);
    it.write(`kind: group\nname: ${it.name}\ndescription: two\n`);
    const proxy = await startProxy(platform.url, async ({ method }): Promise<Verdict> => {
      if (method === 'PATCH') await platform.call('PATCH', `/org/local/group/${it.name}`, { description: 'theirs' });
      return 'pass';
    });
    const outcome = await inProcess(proxy, ['apply', '.', '--yes', '-o', 'json'], { cwd: it.folder });
    await proxy.close();
    expect(outcome.code, outcome.stdout).toBe(4);
    expect(JSON.parse(outcome.stdout)).toMatchObject({
      error: {
        code: 'plan.stale',
        retry: 'plan-again',
        causes: [{ code: 'plan.stale', resource: `group/${it.name}` }],
      },
    });
  });

  test('130: after a second Ctrl-C the plan and the error are one document', async () => {
    const { folder } = project(two);
    const never = Promise.withResolvers<Verdict>();
    const reached = Promise.withResolvers<void>();
    const proxy = await startProxy(platform.url, async ({ isWrite }): Promise<Verdict> => {
      if (!isWrite) return 'pass';
      reached.resolve();
      return never.promise;
    });
    const running = startGantry(proxy.url, ['apply', '.', '--yes', '-o', 'json'], folder);
    await reached.promise;
    await interruptTwice(running);
    const { code, stdout } = await running.ended;
    never.resolve('cut-before');
    await proxy.close();
    expect(code).toBe(130);
    const document: unknown = JSON.parse(stdout);
    expect(validPlan(document), JSON.stringify(validPlan.errors)).toBe(true);
    expect(document).toMatchObject({
      changes: [{ action: 'create' }, { action: 'create' }],
      error: { code: 'cli.interrupted', retry: 'run-again' },
    });
  });
});

describe('a command that only reads', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      { it: '6: the platform does not answer', verdict: away, code: 6,
        error: { code: 'api.unavailable', retry: 'later' } },
      { it: '1: the token is refused', verdict: { status: 401, body: { status: 401, message: 'who are you' } }, code: 1,
        error: { code: 'api.unauthorized', hint: expect.stringContaining('token'), retry: 'no' } },
    ],
  )('$it', async ({ verdict, code, error }) => {
    const { folder } = project(two);
    const proxy = await startProxy(platform.url, () => verdict);
    for (const command of ['plan', 'apply', 'drift']) {
      const outcome = await inProcess(proxy, [command, '.', '-o', 'json'], { cwd: folder });
      expect(outcome.code, outcome.stderr).toBe(code);
      expect(JSON.parse(outcome.stdout)).toMatchObject({ error });
      expect(outcome.stderr).toContain(`error ${error.code}: `);
    }
    await proxy.close();
  });

  test('1: the org does not exist', async () => {
    const { folder } = project(two);
    const outcome = await inProcess(platform, ['plan', '.', '--org', 'nowhere', '-o', 'json'], { cwd: folder });
    expect(outcome.code).toBe(1);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ error: { code: expect.stringMatching(/^api\./), retry: 'no' } });
  });
});
