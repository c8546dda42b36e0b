import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import MiniSearch from 'minisearch';
import { textOf } from './site/html.ts';
import { layout } from './site/layout.ts';
import { type Page, splitBody } from './site/page.ts';
import { searchOptions } from './site/searchOptions.ts';
import { siteOf } from './site/site.ts';

/** A hit of the search: the beginning of a page, or one of its sections. */
interface Entry {
  readonly id: number;
  /** With its anchor. */
  readonly path: string;
  readonly title: string;
  readonly part: string;
  readonly text: string;
}

/** More would make the index larger than what it leads to. */
const longestText = 4_000;

/** The index as a script that the page loads when somebody searches: a file that is opened from a disk may not be fetched. */
function searchIndexScript(pages: readonly Page[]): string {
  const search = new MiniSearch<Entry>(searchOptions);
  search.addAll(pages.flatMap(entriesOf).map((entry, id) => ({ id, ...entry })));
  return `globalThis.gantrySearchIndex = ${JSON.stringify(JSON.stringify(search))};\n`;
}

function entriesOf({ path, title, part, body }: Page): readonly Omit<Entry, 'id'>[] {
  const { beginning, sections } = splitBody(body);
  return [
    { path, title, part, text: textOf(beginning).slice(0, longestText) },
    ...sections.map((section) => ({
      path: `${path}#${section.id}`,
      title: `${title}: ${section.title}`,
      part,
      text: textOf(section.html).slice(0, longestText),
    })),
  ];
}

/**
 * `npm run docs [-- FOLDER]`: the documents as a static site, with a search that asks nobody. Kinds and API come from
 * the schema and the declarations of `dist/`, the rest from Markdown. Without FOLDER: `generated/site`.
 */

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
