import { escaped } from './html.ts';
import { type Page, parts, relativePath } from './page.ts';

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
<nav aria-label="Pages">
${navigation(page, pages)}
</nav>
<main>
${page.body}
</main>
</div>
</body>
</html>
`;
}

function navigation(page: Page, pages: readonly Page[]): string {
  return parts
    .map((part) => {
      const own = pages.filter((each) => each.part === part && each.isListed !== false);
      const items = own.map((each) => {
        const current = each.path === page.path ? ' aria-current="page"' : '';
        return `<li><a href="${escaped(relativePath(page.path, each.path))}"${current}>${escaped(each.title)}</a></li>`;
      });
      const open = part === page.part || part === 'Start' || part === 'Guides' ? ' open' : '';
      return `<details${open}><summary>${part}</summary><ul>\n${items.join('\n')}\n</ul></details>`;
    })
    .join('\n');
}
