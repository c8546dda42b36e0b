import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { version } from '../src/terminal/process/version.ts';
import { executableFor } from './terraform/executable.ts';
import { mirrorFiles, type Package } from './terraform/mirror.ts';
import { nodeFor } from './terraform/nodeFor.ts';
import type { ZipEntry } from './terraform/zip.ts';

/**
 * `npm run mirror -- FOLDER [--executable PLATFORM[=NODE]]…` writes the packed mirror of a release, from `dist/`. Its
 * archives hold the provider as it is built, which needs `node` on the PATH; for the platforms that are named, one file
 * that needs nothing, made of the Node executable NODE (of the version that runs this; by default npm's). Windows always
 * has that, as Terraform starts no script there.
 */
const usage = 'usage: npm run mirror -- FOLDER [--executable PLATFORM[=NODE]]…\n';
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { executable: { type: 'string', multiple: true, default: [] } },
});
const [folder] = positionals;
if (folder === undefined || positionals.length > 1) {
  process.stderr.write(usage);
  process.exit(64);
}
const executables = new Map(
  ['windows_amd64', ...values.executable].map((each): [string, string | undefined] => {
    const [platform = '', ...node] = each.split('=');
    return [platform, node.length === 0 ? undefined : node.join('=')];
  }),
);
const scripted = ['linux_amd64', 'linux_arm64', 'darwin_amd64', 'darwin_arm64'];
const packages = [...new Set([...scripted, ...executables.keys()])].toSorted().map((platform): Package => {
  if (!executables.has(platform)) return { platform, entries: builtProvider() };
  const node = executables.get(platform) ?? nodeFor(platform);
  return { platform, entries: [executableFor(platform, node, version)] };
});
for (const [path, content] of mirrorFiles(version, packages)) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  process.stdout.write(`${path} (${content.length} bytes)\n`);
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
