import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { isObject, listAt, stringAt } from '../../../src/base/json/json.ts';
import { clientFormats } from '../../../src/commands/call/command.ts';
import { makeClientProgram } from '../../../src/commands/parseClientLine.ts';
import { allRows, rowsOf } from '../../../src/commands/table/rows.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { usePlatform } from '../harness/usePlatform.ts';
import { editor } from './matrix/life.ts';
import { hasFormat, wrongWith } from './matrix/shown.ts';
import type { Step } from './matrix/step.ts';
import { steps, userOf } from './matrix/steps.ts';

const rows = await allRows();
const cwd = temporaryFolder('client');
const platform = usePlatform(clientFormats.flatMap((format) => ['--user', userOf(format)]));

const nobody = { url: 'http://127.0.0.1:1' };

const others = clientFormats.filter((format) => format !== 'text');
/**
 * Each command runs with text output and in one other format, which changes from command to command, so that the verbs
 * that kinds share run in every format. GANTRY_FORMATS=all runs every command in every format.
 */
const rounds = process.env['GANTRY_FORMATS'] === 'all' ? others.length : 1;

/** Each round is one test, because each step needs the ones before it. */
describe.each(['text', ...others.slice(0, rounds)])('every command, its records marked %s', (mark) => {
  test('succeeds and prints its result in the format', async () => {
    const home = join(cwd, mark);
    mkdirSync(home);
    const wrong: string[] = [];
    const called = new Set<string>();
    for (const [index, planned] of steps(mark).entries()) {
      const step = typeof planned === 'function' ? await planned(platform.call) : planned;
      const complaint = await tried(step, index, home);
      called.add(`${step.noun} ${step.verb}`);
      if (complaint !== undefined) wrong.push(`gantry ${step.noun} ${step.verb} ${step.words.join(' ')}: ${complaint}`);
    }
    expect(wrong).toEqual([]);
    const all = [...rows].flatMap(([noun, ofNoun]) => ofNoun.map(({ verb }) => `${noun} ${verb}`));
    expect(all.filter((each) => !called.has(each))).toEqual([]);
  }, 240_000);

  /** The failure of a step; undefined if it is as expected. */
  async function tried(step: Step, index: number, home: string): Promise<string | undefined> {
    const { noun, verb, words, input = '', settled } = step;
    const row = rows.get(noun)?.find((each) => each.verb === verb);
    if (row === undefined) return 'it is not in the table';
    const args = [noun, ...verb.split(' '), ...words];
    const options = { cwd: home, input, env: { EDITOR: editor } };
    if (settled !== undefined) await ended(settled);
    // A format that the command does not have is refused before anything is sent.
    for (const lacking of mark === 'text' ? others.filter((each) => !hasFormat(row, each)) : []) {
      const { code, stderr } = await inProcess(nobody, [...args, '-o', lacking], options);
      if (code !== 64 || !stderr.includes(`has no -o ${lacking}`)) return `${code} ${stderr}`;
    }
    const known = others.filter((each) => hasFormat(row, each));
    const format =
      mark === 'text' ? mark : known[(index + clientFormats.findIndex((each) => each === mark)) % known.length];
    const outcome = await inProcess(platform, format === undefined ? args : [...args, '-o', format], options);
    const { code, stdout, stderr } = outcome;
    if (code !== 0) return `${code} ${stdout}${stderr}`;
    const complaint = wrongWith(step, format ?? 'text', outcome);
    return complaint === undefined ? undefined : `${complaint}\n${stdout}${stderr}`;
  }
});

/** Waits until no command on the record is pending or running. */
async function ended(path: string): Promise<void> {
  for (;;) {
    const commands = listAt((await platform.call('GET', `${path}/-command`)).body, 'items').filter(isObject);
    const stages = commands.map((command) => stringAt(command, 'lifecycleStage') ?? '');
    if (!stages.some((stage) => stage === 'pending' || stage === 'running')) return;
    await sleep(20);
  }
}

describe.each(['gvc', 'location', 'quota', 'user', 'auditctx'])('gantry %s get', (kind) => {
  const get = async (format: string) =>
    (await succeeded(inProcess(platform, [kind, 'get', '--max', '0', '-o', format], { cwd }))).stdout;

  test('json and yaml are the same document, and names lists its names', async () => {
    const document: unknown = JSON.parse(await get('json'));
    expect(document).toMatchObject({ kind: 'list', itemKind: kind, items: expect.any(Array) });
    expect(load(await get('yaml'))).toEqual(document);
    expect(load(await get('yaml-slim'))).toEqual(JSON.parse(await get('json-slim')));
    const names = listAt(isObject(document) ? document : {}, 'items').map((item) => isObject(item) && item['name']);
    expect((await get('names')).split('\n').slice(0, -1)).toEqual(names);
  });
});

test('the error about an unknown name suggests the nearest one', async () => {
  await succeeded(inProcess(platform, ['auditctx', 'create', '--name', 'ledger'], { cwd }));
  const { code, stderr } = await inProcess(platform, ['auditctx', 'get', 'legder'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toBe('error api.not-found: there is no auditctx "legder"\n  hint: Did you mean ledger?\n');
});

test('the error about an unknown GVC suggests the nearest one, for a list and for a record in it', async () => {
  await succeeded(inProcess(platform, ['gvc', 'create', '--name', 'bazaar', '--location', 'aws-us-west-2'], { cwd }));
  for (const args of [
    ['workload', 'get'],
    ['workload', 'get', 'web'],
    ['identity', 'delete', 'web', '--yes'],
  ]) {
    const { code, stderr } = await inProcess(platform, [...args, '--gvc', 'bazar'], { cwd });
    expect([args, code, stderr]).toEqual([
      args,
      1,
      'error api.not-found: there is no GVC "bazar"\n  hint: Did you mean --gvc bazaar?\n',
    ]);
  }
  const { stderr } = await inProcess(platform, ['workload', 'get', 'web', '--gvc', 'bazaar'], { cwd });
  expect(stderr).toContain('there is no workload "web" in the GVC bazaar');
  const far = await inProcess(platform, ['workload', 'get', '--gvc', 'another-one'], { cwd });
  expect(far.stderr).toContain('hint: gantry gvc get lists what is there.');
  await succeeded(inProcess(platform, ['gvc', 'delete', 'bazaar', '--yes'], { cwd }));
});

test('a truncated list says so, and how to see more', async () => {
  const cut = await succeeded(inProcess(platform, ['location', 'get', '--max', '2', '-o', 'names'], { cwd }));
  expect(cut.stdout.split('\n')).toHaveLength(3);
  expect(cut.stderr).toBe('There are more than 2: --max 4 shows more, --max 0 all.\n');
  const all = await succeeded(inProcess(platform, ['location', 'get', '--max', '0', '-o', 'names'], { cwd }));
  expect(all.stderr).toBe('');
});

test('starting a cron workload that is deployed to no location is an error', async () => {
  const job = { type: 'cron', containers: [{ name: 'main', image: 'job:1' }], job: { schedule: '* * * * *' } };
  for (const [path, body] of [
    ['gvc', { name: 'void' }],
    ['gvc/void/workload', { name: 'job', spec: job }],
  ] as const) {
    expect((await platform.call('POST', `/org/local/${path}`, body)).status).toBe(201);
  }
  const { code, stdout, stderr } = await inProcess(platform, ['workload', 'cron', 'start', 'job', '--gvc', 'void'], {
    cwd,
  });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/api\.not-found: job is deployed to no location, so nothing was run\n.*gvc add-location/);
  await succeeded(inProcess(platform, ['gvc', 'delete', 'void', '--yes'], { cwd }));
});

test('delete lists the first records that it deletes with a GVC, and counts the rest by kind', async () => {
  const location = ['--location', 'aws-us-west-2'];
  await succeeded(inProcess(platform, ['gvc', 'create', '--name', 'crowd', ...location], { cwd }));
  for (let index = 0; index < 23; index += 1) {
    const { status } = await platform.call('POST', '/org/local/gvc/crowd/identity', { name: `id-${index}` });
    expect(status).toBe(201);
  }
  const data = { initialCapacity: 10, fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd' };
  await platform.call('POST', '/org/local/gvc/crowd/volumeset', { name: 'data', spec: data });
  const { code, stderr } = await inProcess(platform, ['gvc', 'delete', 'crowd'], { cwd });
  expect(code).toBe(1);
  const lines = stderr.split('\n');
  expect(lines.filter((line) => line.startsWith('  with identity '))).toHaveLength(20);
  expect(lines).toContain('  with 3 more identities');
  expect(lines).toContain('  with volumeset data');
  await succeeded(inProcess(platform, ['gvc', 'delete', 'crowd', '--yes'], { cwd }));
});

test("makeClientProgram declares only the command's noun", async () => {
  const program = makeClientProgram({
    noun: 'gvc',
    rows: await rowsOf('gvc'),
    launch: async () => {},
    writeHelp: () => {},
  });
  expect(program.commands.map((command) => command.name())).toEqual(['gvc']);
});
