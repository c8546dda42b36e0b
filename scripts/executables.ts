import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { scriptedPlatforms, writeMirror } from '../src/gantry/terraform/installProvider.ts';
import { checksums, zip } from '../src/gantry/terraform/packedMirror.ts';
import { version } from '../src/terminal/version.ts';
import { gantryFile, nodeFor, platforms, providerEntries, scriptedEntries } from './executableContents.ts';

/**
 * `npm run executables -- FOLDER [--platform PLATFORM[=NODE]]… [--sign KEY]` writes the parts of a release for machines
 * without Node, from `dist/`: `gantry` as one file for each platform, and the mirror of the provider, which has only
 * the scripts for macOS unless a Node is given. NODE is the Node executable for that platform, in the version of this
 * process; by default npm's. KEY: gpg signs the checksums with it.
 */
const usage = 'usage: npm run executables -- FOLDER [--platform PLATFORM[=NODE]]… [--sign KEY]\n';
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { platform: { type: 'string', multiple: true, default: platforms }, sign: { type: 'string' } },
});
const [folder] = positionals;
if (folder === undefined || positionals.length > 1) {
  process.stderr.write(usage);
  process.exit(64);
}
const wanted = values.platform.map((each) => {
  const [platform = '', ...node] = each.split('=');
  return { platform, node: node.length === 0 ? nodeFor(platform) : node.join('=') };
});
const programs = wanted.map(
  (target) => [`gantry_${version}_${target.platform}.zip`, zip([gantryFile(target, version)])] as const,
);
const scripted = scriptedPlatforms.filter((each) => !wanted.some(({ platform }) => platform === each));
const packages = [
  ...wanted.map((target) => ({ platform: target.platform, entries: providerEntries(target, version) })),
  ...scripted.map((platform) => ({ platform, entries: scriptedEntries(version) })),
];
mkdirSync(folder, { recursive: true });
const own = [...programs, checksums(`gantry_${version}`, programs)].map(([name, content]) => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
});
const files = [...own, ...(await writeMirror(join(folder, 'mirror'), version, packages))];
for (const file of files.filter((each) => values.sign !== undefined && each.endsWith('_SHA256SUMS'))) {
  const gpg = ['--batch', '--yes', '--local-user', values.sign ?? '', '--detach-sign', '--output', `${file}.sig`, file];
  execFileSync('gpg', gpg, { stdio: ['ignore', 'inherit', 'inherit'] });
  files.push(`${file}.sig`);
}
process.stdout.write(`${files.join('\n')}\n`);
