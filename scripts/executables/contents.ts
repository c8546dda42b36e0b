import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type PackedFile, pack } from '../../src/cli/executable/pack.ts';
import { builtProvider, nodeOfProvider } from '../../src/gantry/terraform/installProvider.ts';
import type { ZipEntry } from '../../src/gantry/terraform/zip.ts';
import { providerType } from '../../src/hcl/provider.ts';
import { singleFile } from './singleFile.ts';

const root = new URL('../..', import.meta.url).pathname;

/** A platform as Terraform calls it, and the executable of Node for it. */
export interface Target {
  readonly platform: string;
  readonly node: string;
}

/** `gantry` as one file: what `dist/` has, without types, and the `constructs` of stacks that lie beside no packages. */
export function gantryFile({ platform, node }: Target, version: string): ZipEntry {
  const packed = pack([
    { path: 'node_modules/gantry/package.json', content: readFileSync(join(root, 'package.json')) },
    ...filesBelow(join(root, 'dist'), 'node_modules/gantry/dist').filter(({ path }) => !isOfEditors(path)),
    ...filesBelow(join(root, 'node_modules/constructs'), 'node_modules/constructs').filter(({ path }) =>
      /(\.js|\/package\.json|\/LICENSE)$/.test(path),
    ),
  ]);
  const nodeBytes = readFileSync(node);
  const id = createHash('sha256').update(packed).update(nodeBytes).digest('hex').slice(0, 16);
  const assets = { name: Buffer.from(`${version}-${platform}-${id}`), files: packed };
  const content = singleFile({ program: 'src/cli/executable/main.ts', platform, node, assets });
  return { name: platform.startsWith('windows_') ? 'gantry.exe' : 'gantry', content, isExecutable: true };
}

function isOfEditors(path: string): boolean {
  return path.startsWith('node_modules/gantry/dist/types/');
}

/** The provider as it is built, which needs Node on the PATH. */
export function scriptedEntries(version: string): readonly ZipEntry[] {
  return builtProvider(join(root, 'dist/terraform-provider'), version);
}

/** The provider with Node: beside its parts, or on Windows, which starts no scripts, as the executable itself. */
export function providerEntries({ platform, node }: Target, version: string): readonly ZipEntry[] {
  const entries = scriptedEntries(version);
  if (!platform.startsWith('windows_')) {
    return [...entries, { name: nodeOfProvider, content: readFileSync(node), isExecutable: true }];
  }
  return [
    ...entries.filter(({ isExecutable }) => !isExecutable),
    {
      name: `terraform-provider-${providerType}_v${version}.exe`,
      content: singleFile({ program: 'src/cli/executable/provider.ts', platform, node }),
      isExecutable: true,
    },
  ];
}

function filesBelow(folder: string, place: string): readonly PackedFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return { path: `${place}/${relative(folder, file).replaceAll('\\', '/')}`, content: readFileSync(file) };
    });
}
