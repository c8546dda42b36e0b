import { createHash } from 'node:crypto';
import { providerSource, providerType } from '../../hcl/provider.ts';
import { sha256 } from '../../project/files/sha256.ts';
import { type ZipEntry, zip } from './zip.ts';

/** The provider for one platform: the files of its archive. */
export interface Package {
  /** As Terraform calls it: `linux_amd64`. */
  readonly platform: string;
  readonly entries: readonly ZipEntry[];
}

/** Which versions a network mirror has. */
export const mirrorIndex = 'index.json';

/**
 * A packed mirror, by path: an archive for each platform, their checksums, what a registry wants to know beside them, and
 * the two documents with which the folder is a network mirror once it is served by HTTPS. `others`: versions that are there.
 */
export function mirrorFiles(
  version: string,
  packages: readonly Package[],
  others: readonly string[],
): ReadonlyMap<string, Buffer> {
  const prefix = `terraform-provider-${providerType}_${version}`;
  const manifest: NamedFile = [
    `${prefix}_manifest.json`,
    document({ version: 1, metadata: { protocol_versions: ['6.0'] } }),
  ];
  const made = packages.map(({ platform, entries }) => {
    const archive: NamedFile = [`${prefix}_${platform}.zip`, zip(entries)];
    return { platform, archive, hashes: [contentHash(entries), `zh:${sha256(archive[1])}`] };
  });
  const named = [...made.map(({ archive }) => archive), manifest];
  const archives = Object.fromEntries(made.map(({ platform, archive: [url], hashes }) => [platform, { url, hashes }]));
  const files = [
    ...named,
    checksums(prefix, named),
    [mirrorIndex, document({ versions: Object.fromEntries([...others, version].map((each) => [each, {}])) })] as const,
    [`${version}.json`, document({ archives })] as const,
  ];
  return new Map(files.map(([name, content]) => [`${providerSource}/${name}`, content]));
}

type NamedFile = readonly [name: string, content: Buffer];

/** The file that `sha256sum --check` reads. */
export function checksums(prefix: string, files: readonly NamedFile[]): NamedFile {
  return [
    `${prefix}_SHA256SUMS`,
    Buffer.from(files.map(([name, content]) => `${sha256(content)}  ${name}\n`).join('')),
  ];
}

/** `h1:` of a lock file: of what is in an archive, whether it is packed or not. */
function contentHash(entries: readonly ZipEntry[]): string {
  const lines = [...entries]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, content }) => `${sha256(content)}  ${name}\n`);
  return `h1:${createHash('sha256').update(lines.join('')).digest('base64')}`;
}

function document(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
