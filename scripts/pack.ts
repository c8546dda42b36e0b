/**
 * Makes the published tarball from the built `dist/`: `npm run pack [-- FOLDER]`. A missing folder is created; a
 * failure is reported in one line, with exit code 1. Its `package.json` has nothing that only this repository needs:
 * npm warns of scripts that an installed package could run.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { causeText } from '../src/base/thrown.ts';

const root = new URL('..', import.meta.url).pathname;
const target = resolve(process.argv[2] ?? '.');

/** Why there is no tarball; undefined on success. */
function pack(): string | undefined {
  if (!existsSync(join(root, 'dist'))) return 'dist/ is missing: npm run build';
  try {
    mkdirSync(target, { recursive: true });
  } catch (error) {
    return `${target} is no folder: ${causeText(error)}`;
  }
  const folder = mkdtempSync(join(tmpdir(), 'gantry-pack-'));
  try {
    for (const each of ['dist', 'README.md', 'CHANGELOG.md', 'LICENSE', 'docs'])
      cpSync(join(root, each), join(folder, each), { recursive: true });
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(), null, 2)}\n`);
    const args = ['pack', '--silent', '--pack-destination', target];
    const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit' });
    return status === 0 ? undefined : `npm ${args.join(' ')} failed`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function publishedManifest(): object {
  const ours = new Set(['scripts', 'devDependencies', 'allowScripts', 'imports']);
  const manifest: object = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.fromEntries(Object.entries(manifest).filter(([key]) => !ours.has(key)));
}

const why = pack();
if (why !== undefined) {
  process.stderr.write(`error: ${why}\n`);
  process.exitCode = 1;
}
