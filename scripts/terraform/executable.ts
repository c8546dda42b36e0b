import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { providerType } from '../../src/hcl/provider.ts';
import type { ZipEntry } from './zip.ts';

const root = new URL('../..', import.meta.url).pathname;

/** Node looks for this text in itself, to see that a program was put in. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/**
 * The provider and Node in one file. `node`: the executable of Node for that platform, of the version that runs this,
 * because the program is prepared here. `postject`, which puts it in, is fetched by npm. Executables for macOS have to be
 * signed there (`codesign --sign -`).
 */
export function executableFor(platform: string, node: string, version: string): ZipEntry {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-executable-'));
  try {
    const inFolder = (name: string): string => join(folder, name);
    const [program, blob, settings] = [inFolder('main.cjs'), inFolder('main.blob'), inFolder('sea.json')];
    bundle(program);
    const sea = { main: program, output: blob, disableExperimentalSEAWarning: true };
    writeFileSync(settings, JSON.stringify(sea));
    execFileSync(process.execPath, ['--experimental-sea-config', settings], { stdio: ['ignore', 'ignore', 'inherit'] });
    const extension = platform.startsWith('windows_') ? '.exe' : '';
    const name = `terraform-provider-${providerType}_v${version}${extension}`;
    const file = inFolder(name);
    copyFileSync(node, file);
    const segment = platform.startsWith('darwin_') ? ['--macho-segment-name', 'NODE_SEA'] : [];
    const postject = [
      '--yes',
      'postject@1.0.0-alpha.6',
      file,
      'NODE_SEA_BLOB',
      blob,
      '--sentinel-fuse',
      fuse,
      ...segment,
    ];
    execFileSync('npx', postject, { stdio: ['ignore', 'ignore', 'inherit'] });
    return { name, content: readFileSync(file), isExecutable: true };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One file of CommonJS, as a program inside of Node has to be. */
function bundle(outfile: string): void {
  buildSync({
    absWorkingDir: root,
    entryPoints: ['src/provider/main.ts'],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    external: ['constructs', 'pg', 'pg-boss', '@electric-sql/pglite'],
    minifyWhitespace: true,
    minifySyntax: true,
    define: { 'import.meta': '__module' },
    banner: { js: "const __module = { url: require('node:url').pathToFileURL(__filename).href };" },
    logLevel: 'error',
  });
}
