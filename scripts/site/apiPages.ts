import type { ApiMember, ApiName, Docs } from './apiModel.ts';
import { escaped, htmlTable, inline } from './html.ts';
import { type Sections, sectionLink } from './kindPage.ts';
import type { Page } from './page.ts';

/** An entry of the package, such as `gantry/testing`. */
export interface Entry {
  readonly specifier: string;
  readonly names: readonly ApiName[];
}

const headings = { class: 'Classes', function: 'Functions', constant: 'Constants', type: 'Types' } as const;

/** A page for each entry, with what it exports, and one for each name. */
export function apiPages(entries: readonly Entry[], sections: Sections): readonly Page[] {
  const paths = new Map<string, string>();
  for (const { specifier, names } of entries)
    for (const { name } of names) if (!paths.has(name)) paths.set(name, pathOf(specifier, name));
  return entries.flatMap((entry) => [
    entryPage(entry),
    ...entry.names.map((name) => namePage(name, entry.specifier, { paths, sections })),
  ]);
}

interface Context {
  readonly paths: ReadonlyMap<string, string>;
  readonly sections: Sections;
}

/** Below \`api/\`. Names differ in more than case on no file system that minds. */
function pathOf(specifier: string, name: string): string {
  const part = specifier.replaceAll('/', '-');
  return `${part}/${/^[a-z]/.test(name) ? `${name}-function` : name}.html`;
}

function entryPage({ specifier, names }: Entry): Page {
  const lists = Object.entries(headings).map(([form, title]) => {
    const own = names.filter((each) => each.form === form);
    const items = own.map(({ name, docs }) => {
      const [first = ''] = docs.text.split(/(?<=\.)\s/);
      return `<li><a href="${escaped(pathOf(specifier, name))}"><code>${escaped(name)}</code></a> ${inline(first)}</li>`;
    });
    return own.length === 0 ? '' : `<h2 id="${form}">${title}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
  });
  const body = `<h1>${specifier}</h1>\n<p>What <code>import { … } from '${specifier}'</code> gives.</p>\n${lists.join('\n')}`;
  return { path: `api/${specifier.replaceAll('/', '-')}.html`, title: specifier, part: 'API', body };
}

function namePage(api: ApiName, specifier: string, context: Context): Page {
  const { name, form, docs, signature, members } = api;
  const of = { ...context, from: `api/${pathOf(specifier, name)}` };
  const rows = members.map((member) => memberRow(member, of));
  const body = [
    `<h1><code>${escaped(name)}</code></h1>`,
    `<p>A ${form} of <a href="../${specifier.replaceAll('/', '-')}.html"><code>${specifier}</code></a>.</p>`,
    docsHtml(docs, of),
    `<pre><code class="language-ts">${linked(signature, of, name)}</code></pre>`,
    rows.length === 0 ? '' : `<h2 id="members">Members</h2>\n${htmlTable(['Member', 'Default', 'Meaning'], rows)}`,
  ];
  return { path: of.from, title: name, part: 'API', isListed: false, body: body.join('\n') };
}

interface PageContext extends Context {
  readonly from: string;
}

function memberRow({ name, signature, docs }: ApiMember, context: PageContext): readonly string[] {
  return [
    `<code id="${escaped(`member-${name}`)}">${linked(signature, context)}</code>`,
    docs.default === undefined ? '' : `<code>${escaped(docs.default)}</code>`,
    docsHtml(docs, context),
  ];
}

function docsHtml({ text, deprecated, section }: Docs, { sections, from }: PageContext): string {
  const paragraphs = text.split(/\n\n+/).map((part) => `<p>${inline(part)}</p>`);
  const old = deprecated === undefined ? '' : `<p><strong>Deprecated.</strong> ${inline(deprecated)}</p>`;
  const link = section === undefined ? '' : sectionLink(section, sections, from);
  return `${text === '' ? '' : paragraphs.join('\n')}${old}${link === '' ? '' : `<p>${link}</p>`}`;
}

/** The text of a declaration in which every name that has a page leads there. */
function linked(text: string, { paths, from }: PageContext, self?: string): string {
  const up = '../'.repeat(from.split('/').length - 2);
  return escaped(text).replaceAll(/\b[A-Za-z]\w*\b/g, (word) => {
    const path = word === self ? undefined : paths.get(word);
    return path === undefined || /^[a-z]/.test(word) ? word : `<a href="${up}${path}">${word}</a>`;
  });
}
