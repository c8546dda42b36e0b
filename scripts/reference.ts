import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { version } from '../src/terminal/version.ts';
import { withBlocks } from './reference/blocks.ts';
import { withClientReference } from './reference/clientReference.ts';
import { terraformPages } from './reference/pages.ts';

/**
 * Compares the generated tables of ARCHITECTURE.md and docs/ with their sources in the code (`reference/blocks.ts`),
 * and the pages of docs/terraform with the schema of the provider: exits with 1 if a file differs. `--write` writes
 * them.
 */
const root = new URL('..', import.meta.url).pathname;
const write = process.argv.includes('--write');

const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.md') && !name.startsWith('terraform/'),
);
for (const file of ['ARCHITECTURE.md', ...inDocs.map((name) => `docs/${name}`)]) {
  const path = join(root, file);
  const before = readFileSync(path, 'utf8');
  const blocks = withBlocks(before);
  const after = file === 'docs/client.md' ? await withClientReference(blocks) : blocks;
  if (after === before) continue;
  report(`${file} says something else`, () => writeFileSync(path, after));
}

const terraform = new URL('../docs/terraform', import.meta.url).pathname;
const pages = terraformPages(version);
for (const [file, text] of pages) {
  const path = join(terraform, file);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  report(`docs/terraform/${file} says something else`, () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  });
}
for (const file of existsSync(terraform) ? readdirSync(terraform, { recursive: true, encoding: 'utf8' }) : []) {
  if (!file.endsWith('.md') || pages.has(file)) continue;
  report(`docs/terraform/${file} is of nothing that the provider has`, () => rmSync(join(terraform, file)));
}

function report(what: string, repair: () => void): void {
  if (write) repair();
  else {
    process.stderr.write(`FAIL ${what}; npm run reference -- --write\n`);
    process.exitCode = 1;
  }
}
