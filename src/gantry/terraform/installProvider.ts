import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ToolError } from '../../base/toolError.ts';
import { providerSource, providerType } from '../../hcl/provider.ts';
import { exists } from '../../project/files/exists.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';

/** What Terraform calls this machine: `linux_amd64`. */
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
  const bundle = await providerBundle();
  const inMirror = mirrorFolder(folder, version, platform);
  const file = `terraform-provider-${providerType}_v${version}`;
  const [unfinished, replaced] = [`${inMirror}.${process.pid}`, `${inMirror}.${process.pid}-old`];
  try {
    await mkdir(dirname(inMirror), { recursive: true });
    await cp(dirname(bundle), unfinished, { recursive: true });
    await rename(join(unfinished, basename(bundle)), join(unfinished, file));
    await rename(inMirror, replaced).catch(() => {}); // nothing was there
    await rename(unfinished, inMirror);
    await rm(replaced, { recursive: true, force: true });
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => {});
    throw new ToolError({
      code: 'terraform.install',
      message: `the provider cannot be written to ${inMirror}: ${systemReason(error)}`,
      hint: 'Choose another folder with --dir, or correct its permissions.',
      cause: error,
    });
  }
  return join(inMirror, file);
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
