import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/**
 * The licences of every package of which a part is in one of the bundles, or that is `copied` beside them, as one
 * text. Errors: a package without a licence file, whose terms would not be known.
 */
export function licencesOf(bundles: readonly Metafile[], copied: readonly string[], root: string): string {
  const inputs = bundles.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = new Set([...inputs.flatMap(packageFolder), ...copied.map((name) => `node_modules/${name}`)]);
  return [...folders]
    .sort()
    .map((folder) => licenceOf(join(root, folder)))
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** `node_modules/a/node_modules/@b/c/lib/d.js`: `node_modules/a/node_modules/@b/c`. */
function packageFolder(input: string): readonly string[] {
  const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
  return folder === undefined ? [] : [folder];
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${folder} has no licence file, so it cannot be bundled`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
