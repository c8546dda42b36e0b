import { createHash } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { providerSource, providerType } from '../../hcl/provider.ts';
import { sha256 } from '../../project/files/sha256.ts';

/** The provider for one platform: the files of its archive. */
export interface Package {
  /** Terraform's name: `linux_amd64`. */
  readonly platform: string;
  readonly entries: readonly ZipEntry[];
}

/** The list of versions in a network mirror. */
export const mirrorIndex = 'index.json';

/**
 * A packed mirror, by path: an archive for each platform, checksums, further files for a registry, and the two
 * documents that make the folder a network mirror when served by HTTPS. `others`: existing versions.
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

/** A file for `sha256sum --check`. */
export function checksums(prefix: string, files: readonly NamedFile[]): NamedFile {
  return [
    `${prefix}_SHA256SUMS`,
    Buffer.from(files.map(([name, content]) => `${sha256(content)}  ${name}\n`).join('')),
  ];
}

/** `h1:` of a lock file: the hash of an archive's content, packed or not. */
function contentHash(entries: readonly ZipEntry[]): string {
  const lines = [...entries]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, content }) => `${sha256(content)}  ${name}\n`);
  return `h1:${createHash('sha256').update(lines.join('')).digest('base64')}`;
}

function document(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

export interface ZipEntry {
  /** With `/` between folders. */
  readonly name: string;
  readonly content: Uint8Array;
  readonly isExecutable: boolean;
}

const unixMade = 0x03_14; // by version 2.0 of the format, on Unix: so that file modes count
const regularFile = 0o100_000;
const [date, time] = [0x00_21, 0]; // 1980-01-01: equal files make equal archives

/** A ZIP archive; equal entries give equal bytes. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = Buffer.from(entry.name, 'utf8');
    const packed = deflateRawSync(entry.content, { level: 9 });
    const common = commonFields(entry.content, packed, name);
    const local = Buffer.concat([numbers([4, 0x04_03_4b_50], [2, 20]), common, numbers([2, 0]), name, packed]);
    files.push(local);
    const mode = regularFile | (entry.isExecutable ? 0o755 : 0o644);
    directory.push(
      Buffer.concat([
        numbers([4, 0x02_01_4b_50], [2, unixMade], [2, 20]),
        common,
        numbers([2, 0], [2, 0], [2, 0], [2, 0], [4, mode * 0x1_00_00], [4, offset]),
        name,
      ]),
    );
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const count = directory.length;
  const end = numbers(
    [4, 0x06_05_4b_50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, central.length],
    [4, offset],
    [2, 0],
  );
  return Buffer.concat([...files, central, end]);
}

/** Flags (names are UTF-8), method, time, sizes: equal in both headers. */
function commonFields(content: Uint8Array, packed: Uint8Array, name: Uint8Array): Buffer {
  return numbers(
    [2, 0x08_00],
    [2, 8],
    [2, time],
    [2, date],
    [4, crc32(content)],
    [4, packed.length],
    [4, content.length],
    [2, name.length],
  );
}

function numbers(...values: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer {
  const buffer = Buffer.alloc(values.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of values) at = buffer.writeUIntLE(value, at, bytes);
  return buffer;
}
