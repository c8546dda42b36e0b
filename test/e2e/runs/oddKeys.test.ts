import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { objectAt } from '../../../src/base/json/json.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const platform = usePlatform();
const root = temporaryFolder('odd-keys');

/** What means something in a path, in YAML, in JavaScript, in a URL or in a terminal; and other scripts. */
const keys = [
  ...[
    'a.b',
    'a/b',
    'a"b',
    "a'b",
    'a\\b',
    'a*b',
    'a~1b',
    'a[0]',
    'a:b',
    'a#b',
    'a b',
    ' a',
    'a%2Fb',
    'a?b=c',
    '-',
    '*',
    '.',
  ],
  ...['yes', 'null', '~', '1', '01', '1.5', '0x10', '<<', '@a', '`a', '{a}', '&a', '!a', '|', '>', '%a'],
  ...['constructor', 'toString', 'length', 'spec', 'tags', 'name', '店-ü', '🚢', 'x'.repeat(120)],
];

test.each([
  ['tags', 'group', (map: object) => ({ tags: map })],
  ['dictionary secrets', 'secret', (map: object) => ({ type: 'dictionary', data: map })],
] as const)('odd keys of %s are written, changed and removed each by itself', async (_, kind, bodyOf) => {
  const cwd = join(root, kind);
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'gantry.yaml'), `stack: odd-${kind}\nproject: oddkeys1\n`);
  const run = (...args: readonly string[]) => inProcess(platform, args, { cwd });
  const path = `/org/local/${kind}/odd${kind === 'secret' ? '/-reveal' : ''}`;
  const apply = async (entries: readonly (readonly [string, string])[]) => {
    const manifest = { kind, name: 'odd', ...bodyOf(Object.fromEntries(entries)) };
    writeFileSync(join(cwd, 'it.json'), JSON.stringify(manifest));
    await succeeded(run('apply', '.', '--yes'));
    expect((await run('plan', '.', '--detailed-exitcode')).code).toBe(0);
    const { body } = await platform.call('GET', path);
    const stored = objectAt(Object(body), kind === 'secret' ? 'data' : 'tags');
    const own = Object.entries(stored).filter(([key]) => !key.startsWith('gantry/'));
    expect(new Map(own)).toEqual(new Map(entries));
  };

  // Those of secrets have a form (platform/secret.data).
  const odd = kind === 'secret' ? keys.filter((key) => /^[-._a-zA-Z0-9]+$/.test(key)) : keys;
  await apply(odd.map((key) => [key, 'first']));
  await apply(odd.map((key, index) => [key, index % 2 === 0 ? 'first' : 'second']));
  await apply(odd.filter((_key, index) => index % 3 !== 0).map((key) => [key, 'second']));
  await apply(odd.map((key) => [key, 'first']));
});
