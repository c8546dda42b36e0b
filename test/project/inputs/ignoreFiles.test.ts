import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkIgnored, noRules, parseIgnoreFile, withFiles } from '../../../src/project/inputs/readIgnoreFiles.ts';

// biome-ignore format: a table
const paths = [
  'a', 'b', 'ab', 'abc', 'a.yaml', 'b.yaml', 'x.local.yaml', 'a b', 'a ', 'foo', 'foo.yaml', 'fooo', 'bar', '[a]', 'a]b', 'a-b', 'a\\b', '#a', '!a', 'Z', '1', 'é.yaml',
  'a/b', 'a/b/c', 'a/b/c/d.yaml', 'x/a', 'x/foo', 'x/y/foo', 'x/y/z/foo.yaml', 'foo/bar', 'foo/x/bar', 'foo/x/y/bar', 'doc/frotz', 'x/doc/frotz', 'build/x', 'x/build/y', 'a+b', 'a.b', 'axb', '(a)', '{a,b}', '$a', '^a',
] as const;
// biome-ignore format: a table
const patterns = [
  'a', '/a', 'a/', '/a/', 'a/b', '/a/b', 'a/*', '*.yaml', '/*.yaml', '*', '/*', 'a*', '*a', 'a?c', '?', 'foo', 'foo/', 'foo/*', 'foo/**', '**/foo', '**/foo/bar', 'foo/**/bar', '/**', '**', 'a**b', 'x/**/foo', 'x/*/foo', '**/y/**',
  '[ab]', '[a-c]', '[!a]', '[^a]', '[]a]', '[a', '[\\]a]', '[[:alpha:]]', '[[:digit:]]*', '[a-]b', '\\[a\\]', '\\#a', '#a', '\\!a', '!a', 'a\\ ', 'a ', 'a\\', 'a+b', 'a.b', '(a)', '{a,b}', '$a', '^a', 'doc/frotz', 'doc/frotz/', '*.local.*',
  'a*b*c',
  '*a*b*',
  '*o*',
  'f*o*o',
  'x*/**/f*o*', 'é*', ' ', '/', '//', 'a//b', './a', 'a/./b', '*/b', '*/*/c', '[A-Z]', 'a[/]b', 'a?b', '\\a', 'build/', 'x/build',
] as const;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-ignore-'));
  spawnSync('git', ['init', '-q', folder], { env: environment() });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Without git settings of this machine, or of a repository around the folder. */
function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
}

/** The paths that git ignores. */
function gitSays(lines: string): readonly string[] {
  writeFileSync(join(folder, '.gitignore'), lines);
  const { stdout } = spawnSync('git', ['check-ignore', '--no-index', '-z', '--stdin'], {
    cwd: folder,
    input: paths.join('\0'),
    encoding: 'utf8',
    env: environment(),
  });
  return stdout.split('\0').filter((path) => path !== '');
}

/** The paths that we ignore, themselves or by a folder that contains them. */
async function weSay(lines: string): Promise<ReadonlySet<string>> {
  const git = await parseIgnoreFile(lines);
  const rules = withFiles(noRules, { below: '', above: '', git, gantry: undefined });
  return new Set(
    paths.filter((path) => {
      const steps = path.split('/');
      return steps.some((_, index) => {
        const { ignored } = checkIgnored(rules, steps.slice(0, index + 1).join('/'), index < steps.length - 1);
        return ignored === '.gitignore';
      });
    }),
  );
}

test.each(patterns)('the pattern %j means the same as in git', async (pattern) => {
  expect([...(await weSay(`${pattern}\n`))]).toEqual(gitSays(`${pattern}\n`));
});

test.each(
  // biome-ignore format: a row is a case
  [
    '*.yaml\n!a.yaml\n', '/*\n!/foo\n!/a\n', 'foo/*\n!foo/bar\n', 'a/\n!a/b\n', '# a\n\nfoo\r\nbar\r\n', '!foo\nfoo\n',
    '**\n!*/\n!*.yaml\n', '\uFEFFfoo\nbar\n',
  ],
)('the lines %j mean the same as in git', async (lines) => {
  expect([...(await weSay(lines))]).toEqual(gitSays(lines));
});

test('a pattern with many near matches is fast', async () => {
  const lines = await parseIgnoreFile(`${'*a'.repeat(40)}*b\n`);
  expect(lines.ignores('a'.repeat(250))).toBe(false);
});
