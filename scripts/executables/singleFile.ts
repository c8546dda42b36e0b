import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const root = new URL('../..', import.meta.url).pathname;

/** Node looks for this text in itself, to see that a program was put in. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** The output is part of the error where it fails: `postject` warns of sections that do not matter. */
const quietly = { stdio: 'pipe' } as const;

export interface SingleFile {
  /** The program, below the root of the repository. It is bundled as CommonJS, as Node takes no modules there. */
  readonly program: string;
  /** As Terraform calls it: `linux_amd64`. */
  readonly platform: string;
  /** The executable of Node for that platform, of the version that runs this: the program is prepared here. */
  readonly node: string;
  /** Files that the program reads by `getAsset`. */
  readonly assets?: Readonly<Record<string, Uint8Array>>;
}

/**
 * A program and Node in one file. `postject`, which puts it in, is fetched by npm. What is made for macOS has to be signed
 * there (`codesign --sign -`).
 */
export function singleFile({ program, platform, node, assets = {} }: SingleFile): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-executable-'));
  try {
    const inFolder = (name: string): string => join(folder, name);
    const [main, blob, settings, file] = [
      inFolder('main.cjs'),
      inFolder('main.blob'),
      inFolder('sea.json'),
      inFolder('executable'),
    ];
    buildSync({
      absWorkingDir: root,
      entryPoints: [program],
      outfile: main,
      bundle: true,
      format: 'cjs',
      platform: 'node',
      target: 'node22',
      minifyWhitespace: true,
      minifySyntax: true,
      logLevel: 'error',
    });
    for (const [name, content] of Object.entries(assets)) writeFileSync(inFolder(name), content);
    const paths = Object.fromEntries(Object.keys(assets).map((name) => [name, inFolder(name)]));
    const sea = { main, output: blob, disableExperimentalSEAWarning: true, assets: paths };
    writeFileSync(settings, JSON.stringify(sea));
    execFileSync(process.execPath, ['--experimental-sea-config', settings], quietly);
    copyFileSync(node, file);
    const segment = platform.startsWith('darwin_') ? ['--macho-segment-name', 'NODE_SEA'] : [];
    const postject = ['--yes', 'postject@1.0.0-alpha.6', file, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse];
    execFileSync('npx', [...postject, ...segment], quietly);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
