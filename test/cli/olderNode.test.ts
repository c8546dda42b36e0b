import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;
const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`;

function onNode20(...args: readonly string[]) {
  const before = ['--import', `data:text/javascript,${encodeURIComponent(older)}`];
  return spawnSync(process.execPath, [...before, `${root}dist/cli.js`, ...args], { encoding: 'utf8' });
}

test('on Node 20 an error names the command that adds a newer one', () => {
  const { status, stdout, stderr } = onNode20('plan');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toBe(
    'error cli.node: Gantry needs Node 22.19 or newer, this is 20.20.2\n' +
      '  hint: Add a newer one to your project: npm install -D node@24. Then run Gantry through npx or an npm script.\n',
  );
});

test('with -o json the error about an older Node is one document', () => {
  const { stdout } = onNode20('plan', '-o', 'json');
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'cli.node', retry: 'no' } });
});

test('the package, the error and the README name the same Node version', () => {
  const { engines } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  expect(engines).toEqual({ node: '>=22.19' });
  expect(readFileSync(`${root}README.md`, 'utf8')).toContain('Node 22.19 or newer');
});
