import { describe, expect, test } from 'vitest';
import { flagOf, permitNames, permits as permitTable } from '../../src/plan/model/permits.ts';
import { commandNamed, commandNames, groupNames, helpPage, pageName } from './helpPages.ts';
import { runCli } from './process.ts';

/** `npx vitest run test/cli/help.test.ts -u` writes the pages; review what it wrote. */
const pages = [
  { name: 'gantry', args: ['--help'] },
  { name: 'options', args: ['help', 'options'] },
  ...[...commandNames, ...groupNames].map((name) => ({ name: pageName(name), args: [...name.split(' '), '--help'] })),
];

/** Pages that have every part of the layout; another width changes no word of the others. */
const wide = ['gantry', 'options', 'plan'];

describe.each([80, 120])('help in %i columns', (width) => {
  const read = pages.filter(({ name }) => width === 80 || wide.includes(name));
  test.each(read)('$name is as it was read', async ({ name, args }) => {
    await expect(await helpPage(args, width)).toMatchFileSnapshot(`help/${name}.${width}.txt`);
  });

  test.each(pages)('$name has no longer line, and splits no word', async ({ args }) => {
    const page = await helpPage(args, width);
    expect(page.split('\n').filter((line) => line.length > width)).toEqual([]);
    expect(words(page)).toEqual(words(await helpPage(args, 1000)));
  });
});

/** The words in alphabetical order, because the place of an example depends on the width. */
function words(page: string): readonly string[] {
  return page
    .split(/\s+/)
    .filter((word) => word !== '')
    .sort();
}

const platform = [
  ...['--org', '--gvc', '--endpoint', '--token', '--token-file', '--profile', '--insecure'],
  ...['--stack', '--env', '--embedded', '--data', '--dialect'],
];
const selection = ['--target', '--exclude'];
const permits = [...permitNames.map((name) => flagOf(name)), ...selection];
const deletion = [
  ...permitNames.filter((name) => permitTable[name].forDeletion).map((name) => flagOf(name)),
  ...selection,
];
const shown = ['--patch', '--compact', '--full'];
const signing = ['--sign', '--valid-for'];
const trust = ['--signed-by', '--approved-by'];
/** Options that matter only if a platform is queried or manifests are read. */
const unasked = ['--gvc', '--token', '--token-file', '--insecure', '--data', '--dialect'];
const asking = ['--yes'];
const store = ['--data', '--store'];
const worker = [
  '--notify',
  ...platform.filter((flag) => !['--gvc', '--stack', '--env', '--data'].includes(flag)),
  ...[...store, '--config', '--take-over', '--parallelism', '--run-timeout'],
  ...signing,
];

/** The options of each command; `-o`, `--color`, `--no-color`, `--no-input` and `--no-pager` belong to all. */
const known: Readonly<Record<string, readonly string[]>> = {
  init: ['--dir', '--name'],
  add: ['--gvc', '--dir', '--format'],
  convert: ['--gvc', '--location'],
  validate: ['--org', '--gvc', '--env', '--embedded', '--dialect', '--report'],
  synth: ['--org', '--gvc', '--env', '--embedded', '--dialect', '--reveal', '--as', '--words'],
  graph: ['--org', '--gvc', '--env', '--embedded', '--format'],
  plan: [
    ...platform,
    ...permits,
    ...shown,
    '--all',
    '--detailed-exitcode',
    '--report',
    '--wait',
    '--out',
    '--rehearse',
    '--snapshot',
    ...signing,
    '--notify',
  ],
  show: [...shown, ...trust, '--report', '--open'],
  approve: [...platform.filter((flag) => !unasked.includes(flag)), ...shown, ...asking, ...signing, '--signed-by'],
  apply: [
    ...platform,
    ...permits,
    ...asking,
    ...shown,
    '--all',
    '--verify',
    '--parallelism',
    '--consistency-timeout',
    '--report',
    '--wait',
    '--wait-timeout',
    ...trust,
    '--notify',
  ],
  destroy: [
    ...platform,
    ...deletion,
    ...asking,
    ...shown,
    '--all',
    '--verify',
    '--parallelism',
    '--consistency-timeout',
    '--report',
    '--notify',
  ],
  dev: ['--org', '--gvc', '--stack', '--env', '--embedded', '--data', '--dialect', '--apply'],
  explain: [...platform, ...permits, '--report'],
  status: [...platform, '--all', '--watch', '--wait-timeout'],
  output: [...platform, '--all', '--reveal'],
  drift: [...platform, '--all', '--detailed-exitcode', '--report', '--notify'],
  adopt: [...platform, ...asking, '--all', '--format', '--out'],
  undo: [
    ...platform.filter((flag) => flag !== '--gvc' && flag !== '--env'),
    ...shown,
    '--rehearse',
    '--allow-collateral',
    '--allow-dangling',
    '--allow-data-loss',
    '--allow-unseen',
    '--out',
    ...signing,
    '--report',
    '--notify',
  ],
  'policy test': ['--org', '--env'],
  promote: ['--write', '--detailed-exitcode'],
  doctor: [...platform.filter((flag) => flag !== '--gvc' && flag !== '--stack'), ...asking, '--write', '--out'],
  'reconcile run': [...worker, '--name', '--http', '--tokens'],
  'reconcile once': worker,
  'reconcile status': store,
  'reconcile now': store,
  'reconcile approve': [...store, '--endpoint', '--embedded', '--plan', '--by', ...shown, ...asking, ...signing],
  'reconcile pause': [...store, '--reason', '--for'],
  'reconcile resume': store,
  rules: [],
  schema: [],
  'ci init': ['--dir', '--path', '--env', '--branch'],
  'ci comment': ['--change'],
  'ci fetch': ['--artifact'],
  'ci policy': ['--org', '--gvc', '--profile', '--stack', '--env', '--embedded', '--dialect', '--name'],
  'terraform install': ['--dir'],
  'terraform mirror': [],
  'terraform config': ['--dir', '--dev'],
  'terraform schema': [],
  'terraform export': [...platform, '--all', '--declared', '--no-import', '--no-requirements', '--format', '--out'],
  'terraform from-state': ['--format', '--out', '--reveal', '--from'],
  'terraform migrate': ['--names', '--prefix', '--write'],
  'terraform bindings': ['--out', '--for'],
};

test('this file lists the options of every command except serve and help, which have only their own pages', () => {
  expect([...Object.keys(known), 'serve', 'help'].toSorted()).toEqual(commandNames.toSorted());
});

test.each(Object.entries(known))('gantry %s has the options that it uses, and no other', (name, flags) => {
  const found = (commandNamed(name)?.options ?? []).map(({ long }) => long);
  expect(found.toSorted()).toEqual(
    [...flags, '--output', '--color', '--no-color', '--no-input', '--no-pager'].toSorted(),
  );
});

test.each(commandNames.filter((name) => name !== 'help'))(
  'gantry %s --help lists its own options, and names the shared ones in one line',
  async (name) => {
    const page = await helpPage([...name.split(' '), '--help'], 80);
    expect(page).toMatch(/^Shared options \(gantry help options\):\n {2}(?:--[a-z-]+\s+)*-o\s+--color\s+--no-input$/m);
    expect(page).toContain('Examples:');
    expect(page).not.toMatch(/^ {2}--org </m);
  },
);

test('help succeeds on standard output, with or without a topic; an unknown topic is a usage error', async () => {
  const cwd = import.meta.dirname;
  const [whole, topic, kind, ofKind, options, unknown, bare] = await Promise.all([
    runCli(['--help'], cwd),
    runCli(['help', 'plan'], cwd),
    runCli(['help', 'wl', 'get'], cwd),
    runCli(['workload', 'get', '--help'], cwd),
    runCli(['help', 'options'], cwd),
    runCli(['help', 'everything'], cwd),
    runCli([], cwd),
  ]);
  expect(whole).toMatchObject({ code: 0, stderr: '', stdout: await helpPage(['--help'], 80) });
  expect(topic).toMatchObject({ code: 0, stdout: await helpPage(['plan', '--help'], 80) });
  expect(kind).toEqual(ofKind);
  expect(kind).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: gantry workload get') });
  expect(options).toMatchObject({ code: 0, stdout: await helpPage(['help', 'options'], 80) });
  expect(unknown).toMatchObject({ code: 64, stdout: '', stderr: expect.stringContaining("no help for 'everything'") });
  expect(bare).toEqual(whole);
});
