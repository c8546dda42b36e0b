import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { version } from '../src/cli/process/version.ts';
import { executableFor } from './terraform/executable.ts';
import { mirrorFiles, type Package } from './terraform/mirror.ts';
import type { ZipEntry } from './terraform/zip.ts';

/**
 * `npm run mirror -- FOLDER [--node PLATFORM=FILE]…` writes the packed mirror of a release, from `dist/`. Its archives
 * hold the provider as it is built, which needs `node` on the PATH; for a platform whose Node executable is given (of
 * the version that runs this), one file that needs nothing. Windows has only that: it starts no script.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { node: { type: 'string', multiple: true, default: [] } },
});
const [folder] = positionals;
if (folder === undefined || positionals.length > 1) {
  process.stderr.write('usage: npm run mirror -- FOLDER [--node PLATFORM=FILE]…\n');
  process.exit(64);
}
const nodes = new Map(
  values.node.map((pair): [string, string] => [pair.split('=')[0] ?? '', pair.replace(/^[^=]*=/, '')]),
);
const scripted = ['linux_amd64', 'linux_arm64', 'darwin_amd64', 'darwin_arm64'];
const packages = [...new Set([...scripted, ...nodes.keys()])].toSorted().map((platform): Package => {
  const node = nodes.get(platform);
  return { platform, entries: node === undefined ? builtProvider() : [executableFor(platform, node, version)] };
});
for (const [path, content] of mirrorFiles(version, packages)) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  process.stdout.write(`${path} (${content.length} bytes)\n`);
}
if (!nodes.has('windows_amd64')) {
  process.stdout.write('nothing for Windows: give --node windows_amd64=PATH/node.exe\n');
}

/** The files of `dist/terraform-provider`, with the version in the name of what Terraform starts. */
function builtProvider(): readonly ZipEntry[] {
  const built = new URL('../dist/terraform-provider', import.meta.url).pathname;
  return readdirSync(built, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const isExecutable = entry.name === 'terraform-provider-gantry';
      const name = isExecutable ? `${entry.name}_v${version}` : relative(built, path).replaceAll('\\', '/');
      return { name, content: readFileSync(path), isExecutable };
    });
}
