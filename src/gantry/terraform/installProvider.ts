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

/** The unpacked folder of one version in a mirror, which `terraform init` searches for. */
function mirrorFolder(mirror: string, version: string, platform: string): string {
  return join(mirror, ...providerSource.split('/'), version, platform);
}

export interface Installation {
  /** The mirror. */
  readonly folder: string;
  readonly version: string;
  /** In the form of `terraformPlatform`. */
  readonly platform: string;
}

/**
 * Installs the provider unpacked into a mirror, replacing the same version. Returns the path of its executable. Errors:
 * `terraform.install`, `terraform.platform`.
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
    await rename(inMirror, replaced).catch(() => {}); // did not exist
    await rename(unfinished, inMirror);
    await rm(replaced, { recursive: true, force: true });
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => {});
    throw cannotWrite(inMirror, error);
  }
  return join(inMirror, executableName(version));
}

/** The platforms that can start scripts. */
export const scriptedPlatforms = ['linux_amd64', 'linux_arm64', 'darwin_amd64', 'darwin_arm64'];

/** Writes a packed mirror of this installation for each of these platforms. Errors: `terraform.install`. */
export async function makeMirror(folder: string, version: string): Promise<readonly string[]> {
  const bundle = await providerBundle();
  const packages = scriptedPlatforms.map((platform) => ({
    platform,
    entries: providerEntries(bundle, version, platform),
  }));
  return writeMirror(folder, version, packages);
}

/**
 * Writes a packed mirror, and keeps other versions there. Returns the paths of its files. Errors: `terraform.install`.
 */
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

/** The built provider in a folder, with the version in the name of its executable. */
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

/** The file of Node in the provider, which is started instead of one on the PATH. */
export const nodeOfProvider = 'parts/node';

/** Includes Node if this is Gantry's executable: the machine may have no other one. */
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
 * This installation's executable, in a folder with the parts that it loads: next to the bundles, or in the build folder
 * of the source tree.
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

/** Windows does not start scripts by their first line. */
function needsExecutable(): ToolError {
  return new ToolError({
    code: 'terraform.platform',
    message: 'on Windows the provider has to be an executable, and the package of Gantry has none',
    hint: 'Take terraform-provider-gantry_VERSION_windows_amd64.zip of the release, and see docs/terraform.md.',
  });
}
