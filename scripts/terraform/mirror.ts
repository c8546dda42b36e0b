import { createHash } from 'node:crypto';
import { providerSource, providerType } from '../../src/hcl/provider.ts';
import { type ZipEntry, zip } from './zip.ts';

/** The provider for one platform: the files of its archive. */
export interface Package {
  /** As Terraform calls it: `linux_amd64`. */
  readonly platform: string;
  readonly entries: readonly ZipEntry[];
}

/**
 * A packed mirror, by path: an archive for each platform, their checksums for people, and the two documents with which
 * the folder is a network mirror once it is served by HTTPS.
 */
export function mirrorFiles(version: string, packages: readonly Package[]): ReadonlyMap<string, Buffer> {
  const made = packages.map(({ platform, entries }) => {
    const content = zip(entries);
    const name = `terraform-provider-${providerType}_${version}_${platform}.zip`;
    return { platform, name, content, sum: createHash('sha256').update(content).digest('hex') };
  });
  const sums = made.map(({ name, sum }) => `${sum}  ${name}\n`).join('');
  const archives = Object.fromEntries(
    made.map(({ platform, name, sum }) => [platform, { url: name, hashes: [`zh:${sum}`] }]),
  );
  const files: readonly (readonly [string, Buffer])[] = [
    ...made.map(({ name, content }) => [name, content] as const),
    [`terraform-provider-${providerType}_${version}_SHA256SUMS`, Buffer.from(sums)],
    ['index.json', document({ versions: { [version]: {} } })],
    [`${version}.json`, document({ archives })],
  ];
  return new Map(files.map(([name, content]) => [`${providerSource}/${name}`, content]));
}

function document(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
