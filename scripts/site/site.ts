import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { Marked } from 'marked';
import { type SnippetFormat, snippet } from '../../src/cli/commands/addTemplate.ts';
import { makeProgram } from '../../src/cli/program.ts';
import { allTypes } from '../../src/kinds/allTypes.ts';
import { envelope } from '../../src/kinds/common/fields.ts';
import {
  type DescribedField,
  definitionToJson,
  describedFields,
  describedSecretData,
  descriptionOf,
  descriptionsOfSecretData,
} from '../../src/kinds/describedFields.ts';
import { isSecret } from '../../src/kinds/kindFacts.ts';
import { sheets } from '../../src/kinds/list.ts';
import { secretData } from '../../src/kinds/secret/fields.ts';
import {
  type CreatableKind,
  creatableKinds,
  isCreatableKind,
  type KnownKind,
  readOnlyKinds,
} from '../../src/schema/record/kinds.ts';
import { fullName, leafCommands } from '../../src/terminal/commandTree.ts';
import { helpPage } from '../../test/cli/helpPages.ts';
import { defaultText, propertiesOf, sentence, typeText } from '../reference/fieldTable.ts';
import { type ApiMember, type ApiName, apiNames, type Docs } from './apiModel.ts';
import { anchorOf, codeBlock, escaped, highlighted, htmlTable, inline, textOf } from './html.ts';
import { type Page, type Part, relativePath } from './page.ts';

export interface Site {
  readonly pages: readonly Page[];
  /** Files of the repository that pages show, copied unchanged. */
  readonly files: readonly string[];
}

/** Documents of the repository, in the order of the navigation; others of `docs/` belong to the reference. */
const documents: Readonly<Record<string, Part>> = {
  'README.md': 'Start',
  'examples/README.md': 'Start',
  'docs/commands.md': 'Reference',
  'docs/client.md': 'Reference',
  'docs/settings.md': 'Reference',
  'docs/lifecycle.md': 'Reference',
  'docs/guarantees.md': 'Reference',
  'docs/environments.md': 'Reference',
  'docs/terraform.md': 'Terraform',
  'CONTRIBUTING.md': 'About',
  'ARCHITECTURE.md': 'About',
  'docs/decisions.md': 'About',
  'docs/benchmarks.md': 'About',
  'CHANGELOG.md': 'About',
};

/** Guides in the recommended order; others follow. */
const firstGuides = [
  'first-stack',
  'first-run',
  'composing',
  'secrets',
  'data',
  'domains',
  'environments',
  'stacks',
  'testing',
  'automation',
  'moving',
];

/** Every page of the site. `root`: of the repository, with \`dist/\`. */
export async function siteOf(root: string): Promise<Site> {
  const sources = sourcesOf(root);
  const paths = new Map([...sources.keys()].map((source) => [source, sitePath(source)]));
  const sections = sectionsOf(root, [...sources.keys()], paths);
  const files: string[] = [];
  const written = [...sources].map(([source, part]): Page => {
    const { title, body, files: shown } = markdownBody(readFileSync(join(root, source), 'utf8'), source, paths, root);
    files.push(...shown);
    return { path: sitePath(source), title: source === 'README.md' ? 'Overview' : title, part, body };
  });
  const kinds = await Promise.all([...creatableKinds, ...readOnlyKinds].map((kind) => kindPage(kind, sections)));
  // An entry without exports only adds matchers to a test runner.
  const entries = entriesOf(root)
    .map(([specifier, types]) => ({ specifier, names: apiNames(join(root, types)) }))
    .filter(({ names }) => names.length > 0);
  const pages = [...written, ...kinds, ...(await commandPages()), ...apiPages(entries, sections)];
  return { pages, files };
}

/** The Markdown documents and their part of the navigation. */
function sourcesOf(root: string): ReadonlyMap<string, Part> {
  const below = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);
  const place = (source: string) => (firstGuides.indexOf(basename(source, '.md')) + 100) % 100;
  const guides = below('docs/guides').toSorted((a, b) => place(a) - place(b));
  const platform = below('docs/platform').toSorted((a, b) => (basename(a) === 'README.md' ? -1 : a < b ? -1 : 1));
  const terraform = below('docs/terraform').toSorted((a, b) => (basename(a) === 'index.md' ? -1 : a < b ? -1 : 1));
  const others = readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md') && !Object.hasOwn(documents, `docs/${file}`))
    .toSorted();
  return new Map<string, Part>([
    ...Object.entries(documents),
    ...guides.map((source) => [source, 'Guides'] as const),
    ...others.map((file) => [`docs/${file}`, 'Reference'] as const),
    ...terraform.map((source) => [source, 'Terraform'] as const),
    ...platform.map((source) => [source, 'Platform'] as const),
  ]);
}

function sitePath(source: string): string {
  if (source === 'README.md') return 'index.html';
  return source
    .replace(/^docs\//, '')
    .replace(/README\.md$/, 'index.md')
    .replace(/\.md$/, '.html')
    .replace(/^[A-Z]+(?=\.html$)/, (name) => name.toLowerCase());
}

/** The paths of sections with an id: `patch.merge`, and `patch` for the whole file. */
function sectionsOf(
  root: string,
  sources: readonly string[],
  paths: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const source of sources.filter((each) => each.startsWith('docs/platform/'))) {
    const path = paths.get(source) ?? '';
    found.set(basename(source, '.md'), path);
    for (const [, heading = ''] of readFileSync(join(root, source), 'utf8').matchAll(/^## (.*)$/gm))
      found.set(heading.split(':')[0] ?? '', `${path}#${anchorOf(heading.replaceAll('`', ''))}`);
  }
  return found;
}

/** The entries of the package with their declarations: `gantry/testing`. */
function entriesOf(root: string): readonly (readonly [string, string])[] {
  const manifest: { readonly exports: Readonly<Record<string, string | { readonly types?: string }>> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  return Object.entries(manifest.exports).flatMap(([key, target]) =>
    typeof target === 'object' && target.types !== undefined ? [[`gantry${key.slice(1)}`, target.types] as const] : [],
  );
}

/** An entry of the package, such as `gantry/testing`. */
interface Entry {
  readonly specifier: string;
  readonly names: readonly ApiName[];
}

const headings = { class: 'Classes', function: 'Functions', constant: 'Constants', type: 'Types' } as const;

/** A page for each entry, with its exports, and one for each name. */
function apiPages(entries: readonly Entry[], sections: Sections): readonly Page[] {
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
    `<pre tabindex="0"><code class="language-ts">${linked(highlighted(signature, 'ts'), of, name)}</code></pre>`,
    rows.length === 0 ? '' : `<h2 id="members">Members</h2>\n${htmlTable(['Member', 'Default', 'Meaning'], rows)}`,
  ];
  return { path: of.from, title: name, part: 'API', isListed: false, body: body.join('\n') };
}

interface PageContext extends Context {
  readonly from: string;
}

function memberRow({ name, signature, docs }: ApiMember, context: PageContext): readonly string[] {
  return [
    `<code id="${escaped(`member-${name}`)}">${linked(escaped(signature), context)}</code>`,
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

/** The HTML of a declaration, in which every type with a page is a link. */
function linked(html: string, { paths, from }: PageContext, self?: string): string {
  const up = '../'.repeat(from.split('/').length - 2);
  return html.replaceAll(/\b[A-Z]\w*\b/g, (word) => {
    const path = word === self ? undefined : paths.get(word);
    return path === undefined ? word : `<a href="${up}${path}">${word}</a>`;
  });
}

/** The paths of the repository's documents in the site; others are shown as text, without a link. */
type SitePaths = ReadonlyMap<string, string>;

interface MarkdownBody {
  readonly title: string;
  readonly body: string;
  /** Pictures that the document shows or links, by their path in the repository. */
  readonly files: readonly string[];
}

/** A document of the repository as the body of a page. `source`: its path from the root of the repository. */
function markdownBody(text: string, source: string, paths: SitePaths, root: string): MarkdownBody {
  const path = paths.get(source) ?? source;
  const files: string[] = [];
  function pictureAt(href: string): string | undefined {
    if (!/^[^:#]*\.(?:png|svg)$/.test(href)) return undefined;
    const file = normalize(join(dirname(source), href));
    if (!existsSync(join(root, file))) throw new Error(`${source} shows ${href}, which is not there`);
    files.push(file);
    return relativePath(path, file);
  }
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const id = escaped(anchorOf(textOf(html)));
        return `<h${depth} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      code({ text: code, lang }) {
        return codeBlock(code, (lang ?? '').split(' ')[0] ?? '');
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens);
        const picture = pictureAt(href);
        const target = picture ?? linkTarget(href, source, path, paths);
        return target === undefined ? html : `<a href="${escaped(target)}">${html}</a>`;
      },
      image({ href, text: words }) {
        return `<img src="${escaped(pictureAt(href) ?? href)}" alt="${escaped(words)}">`;
      },
    },
  });
  const html = marked.parse(withoutComments(withoutFrontMatter(text)), { async: false });
  const title = /<h1[^>]*>(.*?) <a class="anchor"/.exec(html)?.[1] ?? source;
  return {
    title: textOf(title),
    body: html.replaceAll(/<table>[\s\S]*?<\/table>/g, '<div class="table">$&</div>'),
    files,
  };
}

/** The target of a link such as `../platform.md#rules` from a guide; undefined for a file that is not a page. */
function linkTarget(href: string, source: string, path: string, paths: SitePaths): string | undefined {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href;
  const [file = '', anchor] = href.split('#');
  const target = paths.get(normalize(join(dirname(source), file)));
  return target === undefined ? undefined : `${relativePath(path, target)}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** Removes the metadata at the top of a page, which registries read. */
function withoutFrontMatter(text: string): string {
  return text.replace(/^---\n[\s\S]*?\n---\n/, '');
}

/** Removes the marks of generated tables. */
function withoutComments(text: string): string {
  return text.replaceAll(/<!--[\s\S]*?-->\n?/g, '');
}

const width = 100;

/** A page for each command, with its `--help` text. */
async function commandPages(): Promise<readonly Page[]> {
  const commands = leafCommands(makeProgram(async () => {}));
  return Promise.all(
    commands.map(async (command): Promise<Page> => {
      const name = fullName(command);
      const isOptions = name === 'help';
      const help = await helpPage(isOptions ? ['help', 'options'] : [...name.split(' '), '--help'], width);
      const title = isOptions ? 'gantry help options' : `gantry ${name}`;
      const words = isOptions ? 'Options that several commands share.' : sentence(command.description());
      const body = `<h1>${escaped(title)}</h1>\n<p>${escaped(words)}</p>\n${codeBlock(help, 'text')}`;
      return { path: `commands/${name.replaceAll(' ', '-')}.html`, title, part: 'Commands', body };
    }),
  );
}

/** The paths of the reference's sections in the site, with anchors, by id. */
type Sections = ReadonlyMap<string, string>;

/** A page for one kind: its declaration in both languages side by side, and every field. */
async function kindPage(kind: KnownKind, sections: Sections): Promise<Page> {
  const type = allTypes[sheets[kind].typeName];
  const fields = describedFields(kind);
  const own = fields.filter(({ path }) => !Object.hasOwn(envelope, path.split('.')[0] ?? ''));
  const common = fields.filter((field) => !own.includes(field));
  const body = [
    `<h1>${kind}</h1>`,
    `<p>${inline(type?.about ?? '')} ${reference(kind)}</p>`,
    isCreatableKind(kind) ? await example(kind) : '<p>The platform makes these records; no manifest declares one.</p>',
    section('Fields', own.length === 0 ? '<p>None beside those that every record has.</p>' : fieldTable(own, sections)),
    isSecret(kind) ? secretSection(sections) : '',
    section('Fields of every record', fieldTable(common, sections)),
  ];
  return { path: `kinds/${kind}.html`, title: kind, part: 'Kinds', body: body.join('\n') };
}

function reference(kind: KnownKind): string {
  return `Behaviour, rules and endpoints: <a href="../platform/kinds/${kind}.html">the reference of the platform</a>.`;
}

function section(title: string, body: string): string {
  return `<h2 id="${anchorOf(title)}">${title}</h2>\n${body}`;
}

/** The file that `gantry add` writes. */
async function example(kind: CreatableKind): Promise<string> {
  const [name, gvc] = [sheets[kind].exampleName, sheets.gvc.exampleName];
  const column = async (title: string, format: SnippetFormat) =>
    `<div><h3>${title}</h3>\n${codeBlock(await snippet(kind, name, format, gvc), format)}</div>`;
  const both = [await column('Manifest', 'yaml'), await column('TypeScript', 'ts')];
  const words = `<p><code>gantry add ${kind}</code> writes it.</p>`;
  return `${section('Example', words)}\n<div class="beside">\n${both.join('\n')}\n</div>`;
}

function secretSection(sections: Sections): string {
  const tables = Object.entries(secretData).map(([type, definition]) => {
    const fields = describedSecretData(type);
    const words = descriptionsOfSecretData(type).get('') ?? '';
    const node = definitionToJson(definition);
    const whole = `<p>${inline(words)} ${fields.length === 0 ? inline(`It is ${typeText(node, {})}.`) : ''}</p>`;
    return `<h3 id="data-${escaped(type)}">${escaped(type)}</h3>\n${whole}\n${fields.length === 0 ? '' : fieldTable(fields, sections)}`;
  });
  return section('Data by type', tables.join('\n'));
}

function fieldTable(fields: readonly DescribedField[], sections: Sections): string {
  return htmlTable(
    ['Field', 'Values', 'Default', 'Properties', 'Meaning'],
    fields.map((field) => [
      `<code id="${escaped(`field-${field.path}`)}">${escaped(field.path)}</code>`,
      inline(typeText(field.node, field.facts)),
      inline(defaultText(field.facts)),
      inline(propertiesOf(field)),
      `${inline(descriptionOf(field.words))} ${sectionLink(field.section, sections, `kinds/`)}`.trim(),
    ]),
  );
}

/** A link to a section of the reference, such as `workload.ports`. */
function sectionLink(id: string, sections: Sections, from: string): string {
  const target = sections.get(id);
  if (target === undefined) return '';
  return `<a class="section" href="${escaped(relativePath(from, target))}">${escaped(id)}</a>`;
}
