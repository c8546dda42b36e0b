import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { builtIn } from '../../src/change/adopt.ts';
import { adoptionSchema } from '../../src/change/documents/adoptionDocument.ts';
import { type AdoptOptions, adoptionToJson, layoutOf, nextCommand } from '../../src/cli/commands/adopt.ts';
import { leftOutLines } from '../../src/cli/commands/adoptLeftOut.ts';
import { openProject } from '../../src/project/settings/project.ts';
import { OneDocument } from '../../src/terminal/answer.ts';
import type { CommandContext } from '../../src/terminal/context.ts';
import { writeBelow } from '../harness/writeBelow.ts';
import { quiet } from '../surroundings.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { silentTerminal } from './silentTerminal.ts';

const root = temporaryFolder('next');
let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(root, 'p-'));
});

const write = (path: string, text = '') => writeBelow(cwd, path, text);

function commandContext(
  given: Partial<AdoptOptions>,
  environment: Record<string, string>,
): CommandContext<AdoptOptions> {
  return {
    options: { embedded: false, output: 'text', yes: false, input: false, all: false, format: 'yaml', ...given },
    terminal: silentTerminal(),
    answer: new OneDocument('text', () => {}),
    ...quiet,
    environment,
    cwd,
  };
}

/** The command after `Next:` when the file is written. */
async function next(out: string, given: Partial<AdoptOptions> = {}, environment: Record<string, string> = {}) {
  const context = commandContext({ ...given, out }, environment);
  const { settings } = await openProject(context, []);
  return nextCommand(await layoutOf(context, 'x'), settings, context);
}

describe('the next command adopts for the same stack', () => {
  test('a file next to gantry.yaml', async () => {
    write('gantry.yaml', 'stack: shop\norg: local\n');
    expect(await next('web.yaml')).toBe('gantry apply web.yaml --adopt');
  });

  test('a folder below gantry.yaml, which the project reads', async () => {
    write('gantry.yaml', 'stack: shop\n');
    write('live/group.a.yaml', 'kind: group\nname: a\n');
    expect(await next('live')).toBe('gantry apply . --adopt');
  });

  test('code in a folder below, which the project does not run: its settings become flags', async () => {
    write('gantry.yaml', 'stack: shop\norg: local\ntoken: secret-token\n');
    const command = await next('code/stack.ts', { format: 'ts' });
    expect(command).toBe('gantry apply code/stack.ts --adopt --stack shop --org local --token TOKEN');
  });

  test('without a project: the given flags, and a placeholder for the stack name', async () => {
    expect(await next('live', { org: 'local', endpoint: 'http://user:word@127.0.0.1:1' }, { GANTRY_TOKEN: 't' })).toBe(
      'gantry apply live --adopt --stack NAME --org local --endpoint http://127.0.0.1:1',
    );
    expect(await next("it's", { stack: 'shop' })).toBe("gantry apply 'it'\\''s' --adopt --stack shop");
  });

  test('with the same profile, token file and environment; the token of a profile is not repeated', async () => {
    write('gantry.yaml', 'stack: shop\nenvironments: {dev: {org: d}, prod: {org: p}}\n');
    write('token', 'secret-token');
    expect(await next('web.yaml', { env: 'prod', tokenFile: 'token', insecure: true })).toBe(
      'gantry apply web.yaml --adopt --env prod --token-file token --insecure',
    );
    expect(await next('web.yaml', { env: 'prod', endpoint: 'http://127.0.0.1:1' }, { npm_command: 'exec' })).toBe(
      'npx gantry apply web.yaml --adopt --env prod --endpoint http://127.0.0.1:1',
    );
  });

  test('on the embedded platform', async () => {
    expect(await next('web.yaml', { embedded: true })).toBe('gantry apply web.yaml --adopt --embedded');
  });

  test('a project of another folder, whose name cannot be made unique by a flag', async () => {
    write('gantry.yaml', 'stack: shop\nproject: p\n');
    const command = await next('../outside/web.yaml', { format: 'yaml' });
    expect(command).toMatch(
      /^copy gantry\.yaml to \S+outside, then gantry apply \.\.\/outside\/web\.yaml --adopt --stack shop$/,
    );
  });

  test('code without a configured stack name uses the name of its folder', async () => {
    const flags = { format: 'ts', org: 'local', endpoint: 'http://127.0.0.1:1' } as const;
    expect(await next('Old shop/stack.ts', flags, { GANTRY_TOKEN: 't' })).toBe(
      "gantry apply 'Old shop/stack.ts' --adopt --org local --endpoint http://127.0.0.1:1",
    );
    const stackOf = async (out: string, named?: string) =>
      (await layoutOf(commandContext({ ...flags, out }, {}), named)).stack;
    expect(await stackOf('Old shop/stack.ts')).toBe('old-shop');
    expect(await stackOf('Old shop/')).toBe('old-shop');
    expect(await stackOf('Old shop/stack.ts', 'shop')).toBe('shop');
  });

  test('there is none if nothing was written', async () => {
    const context = commandContext({}, {});
    const { settings } = await openProject(context, []);
    expect(
      await nextCommand({ format: 'yaml', out: undefined, split: false, stack: 'x' }, settings, context),
    ).toBeUndefined();
  });
});

const left = [
  ...['a', 'b', 'c', 'd', 'e'].map((name) => ({ id: `group/${name}`, because: 'it belongs to the stack bank' })),
  { id: 'group/f', because: 'it belongs to the stack mint' },
  { id: 'location/x', because: builtIn },
];

test('with --all, resources that are skipped for the same reason share one line', () => {
  expect(leftOutLines(left, true)).toEqual([
    'left out: group/a, group/b, group/c and 2 more: it belongs to the stack bank',
    'left out: group/f: it belongs to the stack mint',
    'left out: 1 that are built in',
  ]);
});

test('each named resource gets its own line', () => {
  expect(leftOutLines(left, false)).toHaveLength(7);
});

test('the adoption as JSON follows its schema', () => {
  const manifests = [
    { id: 'secret/s', manifest: { kind: 'secret', name: 's' }, placeholders: ['data'], unknown: [] },
    { id: 'group/g', manifest: { kind: 'group', name: 'g' }, placeholders: [], unknown: [] },
  ];
  const json = adoptionToJson({ manifests, skipped: [{ id: 'group/a', because: 'x' }], files: [] });
  expect(json).toEqual({
    formatVersion: 1,
    manifests: [
      { kind: 'secret', name: 's' },
      { kind: 'group', name: 'g' },
    ],
    placeholders: { 'secret/s': ['data'] },
    skipped: [{ id: 'group/a', because: 'x' }],
    files: [],
  });
  expect(new Ajv2020({ strict: false }).compile(adoptionSchema)(json)).toBe(true);
});
