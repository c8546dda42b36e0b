import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '../../base/json/json.ts';
import { jsonIn } from '../../base/json/jsonText.ts';
import { ToolError } from '../../base/toolError.ts';
import { providerSource, providerType } from '../../hcl/provider.ts';
import { carriedNode } from '../../project/files/carriedNode.ts';
import { exists } from '../../project/files/exists.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { mirrorFiles, mirrorIndex, type Package, type ZipEntry } from './packedMirror.ts';

/** Terraform's name for this machine: `linux_amd64`. */
export function terraformPlatform(platform: string, arch: string): string {
  const names: Readonly<Record<string, string>> = { win32: 'windows', x64: 'amd64', ia32: '386' };
  return `${names[platform] ?? platform}_${names[arch] ?? arch}`;
}

/** The folder of one version in a mirror, unpacked: what `terraform init` looks for. */
function mirrorFolder(mirror: string, version: string, platform: string): string {
  return join(mirror, ...providerSource.split('/'), version, platform);
}

export interface Installation {
  /** The mirror. */
  readonly folder: string;
  readonly version: string;
  /** As `terraformPlatform` says it. */
  readonly platform: string;
}

/**
 * Puts the provider into a mirror, unpacked, in the place of the same version where there is one. The answer is its
 * file. Errors: `terraform.install`, `terraform.platform`.
 */
export async function installProvider({ folder, version, platform }: Installation): Promise<string> {
  if (platform.startsWith('windows_')) throw needsExecutable();
  const entries = providerEntries(await providerBundle(), version, platform);
  const inMirror = mirrorFolder(folder, version, platform);
  const [unfinished, replaced] = [`${inMirror}.${process.pid}`, `${inMirror}.${process.pid}-old`];
  try {
    for (const { name, content, isExecutable } of entries) {
      await write(join(unfinished, name), content, isExecutable ? 0o755 : 0o644);
    }
    await rename(inMirror, replaced).catch(() => {}); // nothing was there
    await rename(unfinished, inMirror);
    await rm(replaced, { recursive: true, force: true });
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => {});
    throw cannotWrite(inMirror, error);
  }
  return join(inMirror, executableName(version));
}

/** Those that start scripts. */
export const scriptedPlatforms = ['linux_amd64', 'linux_arm64', 'darwin_amd64', 'darwin_arm64'];

/** Writes the packed mirror of what this installation has, for each of these. Errors: `terraform.install`. */
export async function makeMirror(folder: string, version: string): Promise<readonly string[]> {
  const bundle = await providerBundle();
  const packages = scriptedPlatforms.map((platform) => ({
    platform,
    entries: providerEntries(bundle, version, platform),
  }));
  return writeMirror(folder, version, packages);
}

/** Writes a packed mirror; other versions that are there stay. The answer are its files. Errors: `terraform.install`. */
export async function writeMirror(
  folder: string,
  version: string,
  packages: readonly Package[],
): Promise<readonly string[]> {
  try {
    const others = await versionsIn(join(folder, providerSource, mirrorIndex));
    const files = [...mirrorFiles(version, packages, others)];
    for (const [path, content] of files) await write(join(folder, path), content, 0o644);
    return files.map(([path]) => join(folder, path));
  } catch (error) {
    throw error instanceof ToolError ? error : cannotWrite(folder, error);
  }
}

async function versionsIn(index: string): Promise<readonly string[]> {
  if (!(await exists(index))) return [];
  const value = jsonIn(await readFile(index, 'utf8'));
  if (isObject(value) && isObject(value['versions'])) return Object.keys(value['versions']);
  throw new ToolError({
    code: 'terraform.install',
    message: `${index} is no index of a mirror, so the versions that are there are not known`,
    hint: 'Remove it to begin anew, or choose another folder.',
  });
}

async function write(file: string, content: Uint8Array, mode: number): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content, { mode });
}

function executableName(version: string): string {
  return `terraform-provider-${providerType}_v${version}`;
}

/** The provider as it is built in a folder, with the version in the name of what Terraform starts. */
export function builtProvider(folder: string, version: string): readonly ZipEntry[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const isExecutable = dirname(path) === resolve(folder);
      const name = isExecutable ? executableName(version) : relative(folder, path).replaceAll('\\', '/');
      return { name, content: readFileSync(path), isExecutable };
    });
}

/** Its name among the files of the provider, which starts it rather than one on the PATH. */
export const nodeOfProvider = 'parts/node';

/** With Node, where this is the executable of Gantry: then there may be no other one. */
function providerEntries(bundle: string, version: string, platform: string): readonly ZipEntry[] {
  const entries = builtProvider(dirname(bundle), version);
  const node = platform === terraformPlatform(process.platform, process.arch) ? carriedNode() : undefined;
  return node === undefined
    ? entries
    : [...entries, { name: nodeOfProvider, content: readFileSync(node), isExecutable: true }];
}

function cannotWrite(place: string, error: unknown): ToolError {
  return new ToolError({
    code: 'terraform.install',
    message: `the provider cannot be written to ${place}: ${systemReason(error)}`,
    hint: 'Choose another folder, or correct its permissions.',
    cause: error,
  });
}

/**
 * The executable of this installation, in a folder with the parts that it loads; beside the bundles, and in the source
 * tree where it is built.
 */
export async function providerBundle(): Promise<string> {
  for (const folder of ['../', './', '../../../dist/']) {
    const path = fileURLToPath(
      new URL(`${folder}terraform-provider/terraform-provider-${providerType}`, import.meta.url),
    );
    if (await exists(path)) return path;
  }
  throw new Error('the Terraform provider is missing from this installation');
}

/** Windows starts no script by its first line. */
function needsExecutable(): ToolError {
  return new ToolError({
    code: 'terraform.platform',
    message: 'on Windows the provider has to be an executable, and the package of Gantry has none',
    hint: 'Take terraform-provider-gantry_VERSION_windows_amd64.zip of the release, and see docs/terraform.md.',
  });
}
