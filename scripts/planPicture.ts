/**
 * The picture of a plan in the README, from the real output of the command line. `npm run picture` compares it with
 * `docs/images/plan.svg` and exits with 1 if it differs; `-- --write` writes it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { terminalSvg } from './site/terminalSvg.ts';

const root = new URL('..', import.meta.url).pathname;
const picture = join(root, 'docs/images/plan.svg');

/** The first stack of the README, with another image and firewall, and with one more resource. */
export function planPicture(): string {
  const [, first = ''] = /```ts[^\n]*\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  const changed = first
    .replace('hello:1', 'hello:2')
    .replace("'0.0.0.0/0'", "'203.0.113.0/24'")
    .replace('export default app;', "new Identity(gvc, 'backend', {});\n\nexport default app;")
    .replace('Gvc, Stack', 'Gvc, Identity, Stack');
  const folder = mkdtempSync(join(tmpdir(), 'gantry-picture-'));
  try {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules/gantry'));
    symlinkSync(join(root, 'node_modules/constructs'), join(folder, 'node_modules/constructs'));
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    mkdirSync(join(folder, 'hello'));
    const run = (stack: string, ...args: readonly string[]) => {
      writeFileSync(join(folder, 'hello/stack.ts'), stack);
      const environment = { PATH: process.env['PATH'], HOME: folder, COLUMNS: '100' };
      const line = [join(root, 'dist/cli.js'), ...args, '--embedded'];
      return execFileSync(process.execPath, line, { cwd: folder, env: environment, encoding: 'utf8', stdio: 'pipe' });
    };
    run(first, 'apply', 'hello', '--yes');
    return terminalSvg('npx gantry plan hello --embedded', run(changed, 'plan', 'hello', '--color'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const svg = planPicture();
  if (process.argv.includes('--write')) writeFileSync(picture, svg);
  else if (!existsSync(picture) || readFileSync(picture, 'utf8') !== svg) {
    process.stderr.write('FAIL docs/images/plan.svg shows something else; npm run picture -- --write\n');
    process.exitCode = 1;
  }
}
