import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { creatableKinds, readOnlyKinds } from '../../src/schema/record/kinds.ts';
import { apiNames } from './apiModel.ts';
import { apiPages } from './apiPages.ts';
import { commandPages } from './commandPages.ts';
import { anchorOf } from './html.ts';
import { kindPage } from './kindPage.ts';
import { markdownBody } from './markdownPage.ts';
import type { Page, Part } from './page.ts';

export interface Site {
  readonly pages: readonly Page[];
  /** Of the repository, shown by pages: copied as they are. */
  readonly files: readonly string[];
}

/** Documents of the repository, in the order of the navigation. */
const documents: Readonly<Record<string, Part>> = {
  'README.md': 'Start',
  'examples/README.md': 'Start',
  'docs/commands.md': 'Reference',
  'docs/client.md': 'Reference',
  'docs/settings.md': 'Reference',
  'docs/lifecycle.md': 'Reference',
  'docs/guarantees.md': 'Reference',
  'docs/environments.md': 'Reference',
  'docs/pipelines.md': 'Reference',
  'docs/platform.md': 'Reference',
  'docs/terraform.md': 'Terraform',
  'CONTRIBUTING.md': 'About',
  'ARCHITECTURE.md': 'About',
  'docs/decisions.md': 'About',
  'docs/benchmarks.md': 'About',
  'CHANGELOG.md': 'About',
};

/** Guides in the order in which they are read; others follow. */
const firstGuides = [
  'first-stack',
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
  // One that exports nothing only adds matchers to a test runner.
  const entries = entriesOf(root)
    .map(([specifier, types]) => ({ specifier, names: apiNames(join(root, types)) }))
    .filter(({ names }) => names.length > 0);
  const pages = [...written, ...kinds, ...(await commandPages()), ...apiPages(entries, sections)];
  return { pages, files };
}

/** The Markdown documents and the part of the navigation that each belongs to. */
function sourcesOf(root: string): ReadonlyMap<string, Part> {
  const below = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);
  const place = (source: string) => (firstGuides.indexOf(basename(source, '.md')) + 100) % 100;
  const guides = below('docs/guides').toSorted((a, b) => place(a) - place(b));
  const platform = below('docs/platform').toSorted((a, b) => (basename(a) === 'README.md' ? -1 : a < b ? -1 : 1));
  const terraform = below('docs/terraform').toSorted((a, b) => (basename(a) === 'index.md' ? -1 : a < b ? -1 : 1));
  const { 'README.md': start, ...others } = documents;
  return new Map<string, Part>([
    ['README.md', start ?? 'Start'],
    ...guides.map((source) => [source, 'Guides'] as const),
    ...Object.entries(others),
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

/** Where each section with an id of its own is: `patch.merge`, and `patch` for the whole file. */
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
