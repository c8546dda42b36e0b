import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { compact } from '../src/base/json/present.ts';

/** A package that is partly in one of the bundles. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** The SPDX identifier. */
  readonly license: string;
  /** The licence text. */
  readonly text: string;
}

/**
 * The packages that are partly in one of the bundles, or that are `copied` beside them. Errors: a package without a
 * licence file, whose terms are unknown.
 */
export function bundledPackages(
  bundles: readonly Metafile[],
  copied: readonly string[],
  root: string,
): readonly BundledPackage[] {
  const inputs = bundles.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = new Set([...inputs.flatMap(packageFolder), ...copied.map((name) => `node_modules/${name}`)]);
  return [...folders].sort().map((folder) => packageIn(join(root, folder)));
}

export function licencesText(packages: readonly BundledPackage[]): string {
  return packages
    .map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * The same as CycloneDX 1.6, for scanners, which cannot see bundled dependencies. It has no time and no serial number,
 * so that equal sources make equal packages.
 */
export function billOfMaterials(
  packages: readonly BundledPackage[],
  self: { readonly name: string; readonly version: string },
) {
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': purlOf(self), ...self, purl: purlOf(self) } },
    components: packages.map(({ name, version, license }) => {
      const purl = purlOf({ name, version });
      const licence = / /.test(license) ? { expression: license } : { license: { id: license } };
      return { type: 'library', 'bom-ref': purl, name, version, licenses: [licence], purl };
    }),
  };
}

function purlOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** `node_modules/a/node_modules/@b/c/lib/d.js` is in `node_modules/a/node_modules/@b/c`. */
function packageFolder(input: string): readonly string[] {
  const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
  return compact([folder]);
}

function packageIn(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${folder} has no licence file, so it cannot be bundled`);
  return { name, version, license, text: readFileSync(join(folder, file), 'utf8').trim() };
}
