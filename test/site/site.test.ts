import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { escaped, inline, textOf } from '../../scripts/site/html.ts';
import { describedFields, describedSecretData, descriptionOf } from '../../src/kinds/describedFields.ts';
import { secretDataTypes } from '../../src/kinds/secret/published.ts';
import { creatableKinds, readOnlyKinds } from '../../src/schema/record/kinds.ts';
import { type Browser, type BrowserPage, startBrowser } from '../browser/browser.ts';
import { chromiumForTests } from '../browser/chromiumForTests.ts';
import { commandNames, pageName } from '../cli/helpPages.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const root = new URL('../..', import.meta.url).pathname;
const folder = temporaryFolder('site');
let pages: ReadonlyMap<string, string> = new Map();

beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'scripts/docs.ts'), folder], { stdio: 'pipe' });
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  pages = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
});

const page = (path: string): string => pages.get(path) ?? '';

describe.each([...creatableKinds, ...readOnlyKinds])('the page of %s', (kind) => {
  test('has every field with its description and default', () => {
    const html = page(`kinds/${kind}.html`);
    const missing = describedFields(kind).filter(
      ({ path, words }) =>
        !html.includes(`id="${escaped(`field-${path}`)}"`) || !html.includes(inline(descriptionOf(words))),
    );
    expect(missing.map(({ path }) => path)).toEqual([]);
  });

  test('shows the output of gantry add in both languages', () => {
    const examples = [...page(`kinds/${kind}.html`).matchAll(/<code class="language-(\w+)">([\s\S]*?)<\/code>/g)];
    expect(examples.map(([, language]) => language)).toEqual(
      creatableKinds.some((creatable) => creatable === kind) ? ['yaml', 'ts'] : [],
    );
  });
});

test('a field is shown with type, bounds, default and properties', () => {
  const row = (field: string) =>
    new RegExp(`<tr><td><code id="field-${field}">.*</tr>`).exec(page('kinds/workload.html'))?.[0];
  expect(row('spec\\.containers\\.\\*\\.ports\\.\\*\\.number')).toContain('<td>integer, 1 to 65535</td>');
  expect(row('spec\\.containers\\.\\*\\.readinessProbe\\.periodSeconds')).toContain(
    '<td>integer, 1 to 600</td><td><code>10</code></td>',
  );
  expect(row('spec\\.containers\\.\\*\\.cpu')).toContain('<td>cpu quantity</td>');
  expect(row('spec\\.type')).toMatch(/<code>serverless<\/code>, <code>standard<\/code>.*required/);
});

test('fields of the kind come before fields of every record', () => {
  const html = page('kinds/volumeset.html');
  const common = html.indexOf('id="fields-of-every-record"');
  expect(html.indexOf('id="field-spec.initialCapacity"')).toBeLessThan(common);
  expect(html.indexOf('id="field-tags"')).toBeGreaterThan(common);
});

test('the page of secrets shows the data of each type', () => {
  for (const type of Object.keys(secretDataTypes)) {
    expect(page('kinds/secret.html')).toContain(`id="data-${type}"`);
    for (const { path } of describedSecretData(type))
      expect(page('kinds/secret.html')).toContain(`<code id="field-${path}">`);
  }
});

test('the API has a page for every exported name', () => {
  const manifest: { readonly exports: Readonly<Record<string, { readonly types?: string }>> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const entries = Object.entries(manifest.exports).filter(([, target]) => target.types !== undefined);
  expect(entries.length).toBeGreaterThanOrEqual(2);
  for (const [key, { types = '' }] of entries) {
    const index = page(`api/gantry${key.slice(1).replace('/', '-')}.html`);
    const written = readFileSync(join(root, types), 'utf8').replaceAll(/\/\/.*$/gm, '');
    const names = [...written.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = '']) =>
      list.split(',').map((name) => name.trim().replace(/^type /, '')),
    );
    const own = names.filter((name) => name !== '');
    // `gantry/testing/vitest` and similar entries export nothing to show.
    expect(own.length > 0, key).toBe(!key.startsWith('./testing/'));
    expect(
      own.filter((name) => !index.includes(`<code>${name}</code>`)),
      key,
    ).toEqual([]);
  }
  expect(page('api/gantry/Workload.html')).toContain('constructor');
  expect(page('api/gantry/VolumeSetProps.html')).toMatch(/BlockVolumeSetProps<\/a>/);
  expect(page('api/gantry/BlockVolumeSetProps.html')).toContain('initialCapacity');
});

test('every command has a page with its help', () => {
  for (const name of commandNames.filter((each) => each !== 'help'))
    expect(page(`commands/${pageName(name)}.html`), name).toContain('Usage: ');
  expect(page('commands/help.html')).toContain('--embedded');
});

test('the reference of the Terraform provider has its pages, without front matter for registries', () => {
  const source = join(root, 'docs/terraform');
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => page(`terraform/${name.replace(/\.md$/, '.html')}`) === '')).toEqual([]);
  expect(page('terraform/resources/gvc.html')).not.toContain('page_title');
  expect(page('terraform/resources/gvc.html')).toContain('<a href="../../terraform.html">');
});

test('every document of docs/ has a page', () => {
  const names = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  expect(names.filter((name) => page(name.replace(/\.md$/, '.html')) === '')).toEqual([]);
});

test('code is highlighted in each language of the documents', () => {
  const colours = (path: string, language: string) =>
    new RegExp(`<code class="language-${language}">[^\\n]*<span class="token`).test(page(path));
  expect(colours('kinds/workload.html', 'ts')).toBe(true);
  expect(colours('kinds/workload.html', 'yaml')).toBe(true);
  expect(colours('api/gantry/Workload.html', 'ts')).toBe(true);
  expect(colours('guides/first-run.html', 'sh')).toBe(true);
  expect(colours('terraform/resources/gvc.html', 'terraform')).toBe(true);
  // No text is lost.
  expect(textOf(page('kinds/gvc.html')).replaceAll(' ', '')).toContain('kind:gvcname:');
});

test('a page lists its sections in order, beside the text', () => {
  const [, outline = ''] = /<nav class="outline"[^>]*>([\s\S]*?)<\/nav>/.exec(page('guides/first-stack.html')) ?? [];
  const linked = [...outline.matchAll(/<a href="#([^"]*)">/g)].map(([, id]) => id);
  const headings = [...page('guides/first-stack.html').matchAll(/<h2 id="([^"]*)">/g)].map(([, id]) => id);
  expect(linked.length).toBeGreaterThan(2);
  expect(linked).toEqual(headings);
});

test('one page of the navigation leads to the next, from the first to the last', () => {
  const listed = [...page('index.html').matchAll(/<li><a href="([^"]*\.html)"/g)].map(([, path = '']) => path);
  const walked = ['index.html'];
  for (let path: string | undefined = 'index.html'; path !== undefined && walked.length <= listed.length; ) {
    const href: string | undefined = /<a href="([^"]*)" rel="next">/.exec(page(path))?.[1];
    path = href === undefined ? undefined : normalize(join(dirname(path), href));
    if (path !== undefined) walked.push(path);
  }
  expect(walked).toEqual(listed);
});

test('every link leads to an existing page and anchor', () => {
  const broken = [...pages].flatMap(([path, html]) =>
    [...html.matchAll(/ (?:href|src)="([^"]*)"/g)]
      .map(([, target = '']) => target.replaceAll('&amp;', '&'))
      .filter((target) => !/^(?:https?:|mailto:|data:)/.test(target))
      .map((target) => ({ path, target, ...targetOf(path, target) }))
      .filter(({ file, anchor }) => !isThere(file, anchor))
      .map(({ target }) => `${path}: ${target}`),
  );
  expect([...new Set(broken)]).toEqual([]);
});

function targetOf(path: string, target: string): { readonly file: string; readonly anchor: string } {
  const [file = '', anchor = ''] = target.split('#');
  return { file: file === '' ? path : normalize(join(dirname(path), file)), anchor: decodeURIComponent(anchor) };
}

function isThere(file: string, anchor: string): boolean {
  const html = pages.get(file);
  if (html === undefined) return existsSync(join(folder, file));
  return anchor === '' || html.includes(`id="${anchor}"`);
}

const program = await chromiumForTests('the site');

describe.skipIf(program === undefined)('in a browser, opened from the disk', () => {
  let browser: Browser;
  let start: BrowserPage;
  beforeAll(async () => {
    browser = await startBrowser(program ?? '');
    start = await browser.open(pathToFileURL(join(folder, 'guides/data.html')).href);
  });
  afterAll(() => browser?.close());

  const found = (text: string) => `(async () => {
    const input = document.querySelector('.search input');
    input.value = ${JSON.stringify(text)};
    input.dispatchEvent(new Event('input'));
    for (let turn = 0; turn < 600; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      const links = [...document.querySelectorAll('.search li a')].map((link) => link.href);
      if (links.length > 0) return links;
    }
    return [];
  })()`;

  test.each([
    { text: 'retentionDuration', leads: 'kinds/volumeset.html' },
    { text: 'inboundAllowCIDR', leads: 'kinds/workload.html' },
    { text: 'terraform import', leads: 'guides/moving.html' },
    { text: 'volume grow', leads: 'guides/data.html#growth' },
    { text: 'detailed-exitcode', leads: 'commands/plan.html' },
    { text: 'gantry_workload', leads: 'terraform/resources/workload.html' },
    { text: 'StackError', leads: 'api/gantry-testing/StackError.html' },
  ])('the search finds $text', async ({ text, leads }) => {
    const links = await start.evaluate(found(text));
    const paths = Array.isArray(links) ? links.map((link) => relative(pathToFileURL(folder).href, String(link))) : [];
    expect(
      paths.some((path) => path.startsWith(leads)),
      paths.join('\n'),
    ).toBe(true);
  });

  test('the page requests nothing from other hosts', () => {
    const own = pathToFileURL(folder).href;
    expect(start.requested.length).toBeGreaterThan(3);
    expect(start.requested.filter((url) => !url.startsWith(own) && !url.startsWith('data:'))).toEqual([]);
    expect(start.errors).toEqual([]);
  });
});

test('a class shows the methods that are generated for it', () => {
  for (const method of ['addContainer', 'addEnvironment', 'internalUrl'])
    expect(page('api/gantry/Workload.html')).toContain(`${method}(`);
});
