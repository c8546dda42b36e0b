import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { reportForms } from '../../../src/report/forms.ts';
import { lawFigures } from '../../laws/figures.ts';
import { type Outcome, succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { gantry } from '../harness/gantry.ts';
import { inProcess } from '../harness/inProcess.ts';
import { type ServedPlatform, startPlatform } from '../harness/platform.ts';
import { startProxy } from '../harness/proxy.ts';
import { startGantry } from '../harness/running.ts';
import { Canaries, secretManifests } from './canaries.ts';
import { applyThrough, mishaps } from './mishaps.ts';
import { formsOf, Search } from './search.ts';

/** Manifests contain the secrets; no other file may. */
const manifestFile = 'stack.yaml';
function round(name: string) {
  const canaries = new Canaries(name);
  const data = canaries.data();
  return { data, manifests: secretManifests(data), values: canaries.values };
}
const first = round('first');
const second = round('second');
const third = round('third');
const rounds = [first, second, third];
const secretKey = new Canaries('key').text(40);
const search = new Search([...rounds.flatMap(({ values }) => values), secretKey]);

const root = temporaryFolder('secrets');
const outputs: string[] = [];
/** The number of log lines that were already searched. */
let heardOf = 0;

function folderFor(name: string): string {
  const folder = join(root, name);
  for (const name of ['tmp', '.reports']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'gantry.yaml'), 'stack: canaries\n');
  return folder;
}

function write(folder: string, manifests = ''): void {
  writeFileSync(join(folder, manifestFile), manifests);
}

/** Searches every file below the folder except the manifests, and all output since the last call. */
function expectNothingFound(folder: string, log: readonly string[] = []): void {
  const texts = [...outputs.splice(0), ...log.slice(heardOf)];
  heardOf = log.length;
  expect(texts.flatMap((text) => search.in(text))).toEqual([]);
  expect(search.below(folder, new Set([manifestFile]))).toEqual([]);
}

describe('the search for secrets', () => {
  test('finds a secret in each form, and any 12 characters of it', () => {
    for (const { values } of rounds) {
      const long = values.filter((value) => value.length >= 20);
      expect(long.length).toBeGreaterThan(40);
      for (const value of long) {
        for (const [form, text] of formsOf(value)) expect(search.in(`x${text}x`), form).not.toEqual([]);
        expect(search.in(`"${value.slice(4, 16)}"`)).toHaveLength(1);
        expect(search.in(Buffer.from(`a note about ${value}, and more`).toString('base64'))).not.toEqual([]);
      }
    }
    expect(search.in('nothing of it, as far as anybody could say')).toEqual([]);
  });
});

const reported: ReadonlySet<string> = new Set([
  'plan',
  'show',
  'apply',
  'destroy',
  'explain',
  'drift',
  'undo',
  'validate',
]);
let reports = 0;

/** Separate files, so that none is overwritten before it is searched. */
function reportsOf([command = '']: readonly string[]): readonly string[] {
  if (!reported.has(command)) return [];
  reports += 1;
  return reportForms.flatMap(({ name }) => ['--report', `${name}:.reports/${reports}-${command}.${name}`]);
}

describe('no byte of a secret in any output or file (design, law 8)', () => {
  let platform: ServedPlatform;
  const folder = folderFor('served');
  // With a key, a saved plan hashes secrets quickly; the embedded tests below run without one.
  const env = {
    TMPDIR: join(folder, 'tmp'),
    XDG_CACHE_HOME: join(folder, 'tmp'),
    GANTRY_SECRET_KEY: secretKey,
    GITHUB_ACTIONS: 'true',
  };

  /**
   * Runs in this process with reports in every form; other processes are used for planning, kills and the embedded
   * platform.
   */
  async function run(args: readonly string[], url = platform.url, command = inProcess): Promise<Outcome> {
    const outcome = await command({ ...platform, url }, [...args, ...reportsOf(args)], { cwd: folder, env });
    outputs.push(outcome.stdout, outcome.stderr);
    return outcome;
  }
  async function runWell(...args: readonly string[]): Promise<void> {
    const { code, stdout, stderr } = await run(args);
    expect(code, args.join(' ') + stderr.slice(0, 2_000) + stdout.slice(-2_000)).toBe(0);
  }

  beforeAll(async () => {
    platform = await startPlatform([], { TMPDIR: env.TMPDIR });
  });
  afterAll(() => platform.stop());

  test('of refused manifests with a problem in each type', async () => {
    const wrong = (data: JsonObject) =>
      Object.fromEntries(Object.entries(data).map(([key, value]) => [`${key}-x`, value]));
    const broken = Object.entries(first.data).flatMap(([type, all]) =>
      all.flatMap((value, index) => [
        {
          kind: 'secret',
          name: `${type}-${index}-a`,
          type,
          data: typeof value === 'string' ? `${value}}` : wrong(Object(value)),
        },
        { kind: 'secret', name: `${type}-${index}-b`, type, data: [value] },
        { kind: 'secret', name: `${type}-${index}-c`, type: type === 'opaque' ? 'tls' : 'opaque', data: value },
        {
          kind: 'secret',
          name: `${type}-${index}-d`,
          type,
          tags: { it: JSON.stringify(value).length },
          data: { deep: value },
        },
      ]),
    );
    write(folder, broken.map((manifest) => JSON.stringify(manifest)).join('\n---\n'));
    for (const command of ['validate', 'plan']) {
      const { code, stdout, stderr } = await run([command, '.']);
      expect(code).toBe(1);
      expect(stdout + stderr).toContain('payload is missing');
    }
    expectNothingFound(folder, platform.log);
  });

  test('of plans that are shown, saved or rehearsed', async () => {
    write(folder, first.manifests);
    await runWell('validate', '.');
    await runWell('graph', '.');
    for (const output of ['text', 'json', 'yaml']) await runWell('synth', '.', '-o', output);
    for (const output of ['json', 'yaml']) await runWell('plan', '.', '--patch', '-o', output);
    expect((await run(['plan', '.', '--patch', '--out', 'create.plan'], platform.url, gantry)).code).toBe(0);
    await runWell('plan', '.', '--rehearse=crash', '-o', 'json');
    await runWell('plan', '.', '--rehearse');
    expectNothingFound(folder, platform.log);
  });

  test.each(mishaps)('of an apply that encounters $it', async ({ judge }) => {
    for (const { stdout, stderr } of await applyThrough(platform.url, judge, folder)) outputs.push(stdout, stderr);
    expectNothingFound(folder, platform.log);
  });

  test('of an apply with lost answers, of one that is killed, and of one that completes', async () => {
    let running: ReturnType<typeof startGantry> | undefined;
    const proxy = await startProxy(platform.url, ({ isWrite, write: number }) => {
      if (isWrite && number === 4) running?.child.kill('SIGKILL');
      return isWrite && number % 3 === 0 ? 'cut-after' : 'pass';
    });
    for (const expected of ['SIGKILL', null]) {
      running = startGantry(proxy.url, ['apply', '.', '--yes', '--patch'], folder);
      const { stdout, stderr, signal } = await running.ended;
      expect(signal, stdout + stderr).toBe(expected);
      outputs.push(stdout, stderr);
    }
    await proxy.close();
    await runWell('apply', '.', '--yes', '-o', 'json');
    await runWell('plan', '.', '-o', 'json', '--detailed-exitcode');
    expectNothingFound(folder, platform.log);
  });

  test.each(['text', 'json', 'yaml'])(
    'of synth as %s: masked values are refused, and --reveal prints the live ones',
    async (output) => {
      const piped = async (...flags: readonly string[]) => {
        const { code, stdout } = await inProcess(platform, ['synth', '.', '-o', output, ...flags], {
          cwd: folder,
          env,
        });
        expect(code).toBe(0);
        return inProcess(platform, ['plan', '-', '--detailed-exitcode'], { cwd: folder, env, input: stdout });
      };
      const masked = await piped();
      outputs.push(masked.stdout, masked.stderr);
      expect(masked.code).toBe(1);
      const others = Object.values(first.data).flat().length - 1; // one problem, reported once with its count
      expect(masked.stderr).toMatch(new RegExp(`value\\.masked .* and ${others} more like it`));
      expect(masked.stderr).toContain('gantry synth --reveal prints it');
      await succeeded(piped('--reveal'));
      expectNothingFound(folder, platform.log);
    },
  );

  test('of a plan whose reads are refused with an answer that has secret values', async () => {
    const proxy = await startProxy(platform.url, ({ path }) => {
      const message = `not now: ${first.values[0]?.slice(0, 8)}`;
      return path.includes('-reveal') ? { status: 400, body: { message } } : 'pass';
    });
    await run(['plan', '.'], proxy.url);
    await run(['plan', '.', '-o', 'json'], proxy.url);
    await proxy.close();
    expectNothingFound(folder, platform.log);
  });

  test('of changed values: plans, explanations, saved plans, and undo', async () => {
    write(folder, second.manifests);
    for (const output of ['text', 'json']) await runWell('plan', '.', '--patch', '-o', output);
    for (const name of ['opaque-1', 'docker-0']) {
      await runWell('explain', '.', `secret/${name}`);
      await runWell('explain', '.', `secret/${name}`, '-o', 'json');
    }
    await runWell('explain', '.', 'secret/opaque-0', 'data.payload');
    await runWell('plan', '.', '--out', 'change.plan');
    await runWell('show', 'change.plan', '--patch');
    await runWell('explain', 'change.plan', 'secret/opaque-1');
    expectNothingFound(folder, platform.log);
    await runWell('apply', 'change.plan', '--yes');
    await run(['apply', 'change.plan', '--yes']);
    await run(['undo', 'change.plan']);
    await run(['undo', 'change.plan', '--out', 'back.plan', '-o', 'json']);
    expectNothingFound(folder, platform.log);
  });

  test('of changes by others: drift, stale plans, and code for live records', async () => {
    write(folder, third.manifests);
    await runWell('plan', '.', '--out', 'stale.plan');
    const theirs = first.values[1] ?? '';
    await platform.call('PATCH', '/org/local/secret/opaque-0', { data: { payload: theirs } });
    await platform.call('POST', '/org/local/secret', { name: 'unowned', type: 'opaque', data: { payload: theirs } });
    await runWell('drift', '.');
    await runWell('drift', '.', '-o', 'json');
    await run(['status', '.']);
    await run(['status', '.', '-o', 'json']);
    await run(['apply', 'stale.plan', '--yes']);
    await run(['apply', 'stale.plan', '--yes', '-o', 'json']);
    await run(['adopt', '--all']);
    await run(['adopt', '--all', '--format', 'ts', '--out', 'adopted.ts']);
    await run(['adopt', 'secret/unowned', '--out', 'adopted', '-o', 'json']);
    await runWell('apply', '.', '--yes', '--adopt', '--verify=full');
    expectNothingFound(folder, platform.log);
  });

  test('of the platform: its files, its log, its audit trail, and its answers without -reveal', async () => {
    await platform.call('POST', '/org/local/secret', { name: 'x', data: { payload: first.values[0] ?? '' } });
    for (const path of ['/audit/org/local?limit=1000', '/org/local/secret', '/-snapshot', '/-faults']) {
      outputs.push(JSON.stringify((await platform.call('GET', path)).body));
    }
    expectNothingFound(platform.data, platform.log);
    lawFigures({ pieces: search.size });
    await runWell('destroy', '--yes');
    const written = readdirSync(join(folder, '.reports'));
    for (const command of ['plan', 'apply', 'explain', 'drift', 'undo', 'validate', 'show']) {
      for (const { name } of reportForms) {
        expect(
          written.some((file) => file.endsWith(`-${command}.${name}`)),
          `${command} ${name}`,
        ).toBe(true);
      }
    }
    expectNothingFound(folder, platform.log);
    expectNothingFound(platform.data, platform.log);
  });
});

describe('no byte of a secret in the files of the embedded platform (design, law 8)', () => {
  // The first row runs processes, to include what they print by themselves.
  test.each([
    { it: 'with a generated key', env: {}, command: gantry },
    { it: 'with GANTRY_SECRET_KEY', env: { GANTRY_SECRET_KEY: secretKey }, command: inProcess },
  ])('$it, and in plans saved with it', async ({ it, env, command }) => {
    const folder = folderFor(it.replaceAll(' ', '-'));
    // Without a key, each secret in a saved plan takes a while to hash.
    const few = first.manifests.split('\n---\n').slice(0, 2).join('\n---\n');
    const runs = [
      { manifests: few, args: ['plan', '.', '--out', 'kept.plan'] },
      { manifests: few, args: ['apply', 'kept.plan', '--yes'] },
      { manifests: first.manifests, args: ['apply', '.', '--yes'] },
      { manifests: second.manifests, args: ['apply', '.', '--yes'] },
    ];
    for (const { manifests, args } of runs) {
      write(folder, manifests);
      const options = { cwd: folder, env: { TMPDIR: join(folder, 'tmp'), ...env } };
      const { code, stdout, stderr } = await command(undefined, [...args, '--embedded'], options);
      outputs.push(stdout, stderr);
      expect(code, stdout + stderr).toBe(0);
    }
    expectNothingFound(folder);
    expect(readdirSync(join(folder, '.gantry'))).toContain('platform.db');
  });
});
