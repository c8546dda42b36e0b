import { escaped } from './html.ts';
import { listedPages, type Page, parts, relativePath, splitBody } from './page.ts';

/** The whole document of a page. It asks for nothing but files of the site, also when it is opened from a disk. */
export function layout(page: Page, pages: readonly Page[]): string {
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

/** The sections of a page that has several. */
function outline({ body }: Page): string {
  const { sections } = splitBody(body);
  if (sections.length < 2) return '';
  const items = sections.map(({ id, title }) => `<li><a href="#${id}">${escaped(title)}</a></li>`);
  return `<nav class="outline" aria-label="On this page">\n<ul>\n${items.join('\n')}\n</ul>\n</nav>`;
}
