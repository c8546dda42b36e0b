import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import MiniSearch from 'minisearch';
import { escaped, textOf } from './site/html.ts';
import { listedPages, type Page, parts, relativePath, searchOptions, splitBody } from './site/page.ts';
import { siteOf } from './site/site.ts';

/** A search result: the beginning of a page, or one of its sections. */
interface Entry {
  readonly id: number;
  /** With its anchor. */
  readonly path: string;
  readonly title: string;
  readonly part: string;
  readonly text: string;
}

/** Longer texts would make the index larger than the pages. */
const longestText = 4_000;

/** The index as a script, loaded by the first search, because a page opened from a disk cannot fetch files. */
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
 * `npm run docs [-- FOLDER]`: the documents as a static site, with an offline search. Kinds and API come from the
 * schema and the declarations of `dist/`, the rest from Markdown. Without FOLDER: `generated/site`.
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

/** The complete HTML of a page. It loads only files of the site, and also works from a disk. */
function layout(page: Page, pages: readonly Page[]): string {
  const to = (path: string) => escaped(relativePath(page.path, path));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(page.title)} · Gantry</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to('style.css')}">
<script src="${to('search.js')}" data-top="${to('')}" defer></script>
</head>
<body>
<header>
<a class="name" href="${to('index.html')}">Gantry</a>
<div class="search" role="search">
<input type="search" placeholder="Search (press /)" aria-label="Search" autocomplete="off">
<ol hidden></ol>
</div>
</header>
<div class="columns">
<nav class="pages" aria-label="Pages">
${navigation(page, pages)}
</nav>
<main>
${page.body}
${neighbours(page, pages)}
</main>
${outline(page)}
</div>
</body>
</html>
`;
}

function navigation(page: Page, pages: readonly Page[]): string {
  const listed = listedPages(pages);
  return parts
    .map((part) => {
      const items = listed.filter((each) => each.part === part).map((each) => `<li>${pageLink(page, each)}</li>`);
      const open = part === page.part || part === 'Start' || part === 'Guides' ? ' open' : '';
      return `<details${open}><summary>${part}</summary><ul>\n${items.join('\n')}\n</ul></details>`;
    })
    .join('\n');
}

function pageLink(from: Page, to: Page, rel?: 'prev' | 'next'): string {
  const current = to.path === from.path ? ' aria-current="page"' : '';
  const relation = rel === undefined ? '' : ` rel="${rel}"`;
  return `<a href="${escaped(relativePath(from.path, to.path))}"${current}${relation}>${escaped(to.title)}</a>`;
}

/** Links to the pages before and after it in the navigation. */
function neighbours(page: Page, pages: readonly Page[]): string {
  const listed = listedPages(pages);
  const index = listed.indexOf(page);
  if (index < 0) return '';
  const [before, after] = [listed[index - 1], listed[index + 1]];
  const links = [
    before === undefined ? '' : pageLink(page, before, 'prev'),
    after === undefined ? '' : pageLink(page, after, 'next'),
  ];
  return `<nav class="neighbours" aria-label="Previous and next page">${links.join('')}</nav>`;
}

/** The list of sections, for a page with several. */
function outline({ body }: Page): string {
  const { sections } = splitBody(body);
  if (sections.length < 2) return '';
  const items = sections.map(({ id, title }) => `<li><a href="#${id}">${escaped(title)}</a></li>`);
  return `<nav class="outline" aria-label="On this page">\n<ul>\n${items.join('\n')}\n</ul>\n</nav>`;
}
