/**
 * Makes the tarball that is published, from `dist/` as it was built: `npm run pack [-- FOLDER]`. Its `package.json`
 * has nothing that only this repository needs: npm warns of scripts that an installed package could run.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const target = resolve(process.argv[2] ?? '.');
if (!existsSync(join(root, 'dist'))) throw new Error('dist/ is missing: npm run build');

const ours = new Set(['scripts', 'devDependencies', 'allowScripts', 'imports']);
const manifest: object = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const published = Object.fromEntries(Object.entries(manifest).filter(([key]) => !ours.has(key)));

const folder = mkdtempSync(join(tmpdir(), 'gantry-pack-'));
try {
  for (const each of ['dist', 'README.md', 'CHANGELOG.md', 'LICENSE', 'docs'])
    cpSync(join(root, each), join(folder, each), { recursive: true });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', target], { cwd: folder, stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
