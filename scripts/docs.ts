/**
 * `npm run docs [-- FOLDER]`: the documents as a static site, with a search that asks nobody. Kinds and API come from
 * the schema and the declarations of `dist/`, the rest from Markdown. Without FOLDER: `generated/site`.
 */
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { layout } from './site/layout.ts';
import { searchIndexScript } from './site/searchIndex.ts';
import { siteOf } from './site/site.ts';

const root = new URL('..', import.meta.url).pathname;
const target = resolve(process.argv[2] ?? join(root, 'generated/site'));
if (!existsSync(join(root, 'dist/types'))) throw new Error('dist/ is missing: npm run build');

const { pages, files } = await siteOf(root);
rmSync(target, { recursive: true, force: true });
for (const page of pages) write(page.path, layout(page, pages));
for (const file of files) {
  mkdirSync(dirname(join(target, file)), { recursive: true });
  cpSync(join(root, file), join(target, file));
}
write('search-index.js', searchIndexScript(pages));
cpSync(join(root, 'scripts/site/assets/style.css'), join(target, 'style.css'));
await build({
  entryPoints: [join(root, 'scripts/site/assets/search.js')],
  outfile: join(target, 'search.js'),
  bundle: true,
  minify: true,
  format: 'iife',
  logLevel: 'warning',
});
process.stdout.write(`${pages.length} pages in ${target}\n`);

function write(path: string, text: string): void {
  const file = join(target, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
