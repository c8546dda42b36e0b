import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withBlocks } from '../scripts/reference/blocks.ts';
import { behaviours } from '../src/kinds/behaviours.ts';
import { rules } from '../src/kinds/registry.ts';
import { creatableKinds, readOnlyKinds } from '../src/schema/record/kinds.ts';
import { outline } from './conformance/outline.ts';
import { filesBelow } from './harness/filesBelow.ts';

const root = new URL('..', import.meta.url).pathname;
const folder = join(root, 'docs/platform');

function filesNamed(path: string, endings: RegExp): readonly string[] {
  return filesBelow(join(root, path))
    .filter((file) => endings.test(file))
    .map((file) => relative(root, file))
    .sort();
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

const documents = filesNamed('docs/platform', /\.md$/);

/** `## patch.merge: How a plain field merges`. */
const sections = documents.flatMap((file) =>
  [...read(file).matchAll(/^## (.*)$/gm)].map(([, heading = '']) => ({
    file,
    heading,
    id: heading.split(':')[0] ?? '',
  })),
);
const ids = new Set([...sections.map(({ id }) => id), ...documents.map((file) => basename(file, '.md'))]);

const citing = [
  ...['src', 'constructs', 'test', 'scripts', 'bench', 'examples', 'docs'].flatMap((top) =>
    filesNamed(top, /\.(ts|md|ya?ml)$/),
  ),
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
].filter((file) => file !== 'test/platformReference.test.ts');

/** `platform/patch.merge`, `platform/patch`, but not the path of a file. */
const citation = /(?<![\w./-])platform\/([a-z]+(?:\.(?!ts\b|md\b|db\b|json\b)[a-z]+(?:-[a-z]+)*)?)(?![\w/])/g;

/** A section of a document that readers do not have. */
const oldCitation =
  /\b(?:specification|protocol|design|issue),? (?:section )?\d+(?:[.,:;)\s]|$)|\bresources,? [A-F]\.?\d|\b(?:resources|sheets?) [A-F]\b/gi;

describe('docs/platform', () => {
  test.each(['ARCHITECTURE.md', ...filesNamed('docs', /\.md$/).filter((file) => !file.startsWith('docs/terraform/'))])(
    '%s: the generated tables match the code',
    (file) => {
      expect(withBlocks(read(file))).toBe(read(file));
    },
  );

  test.each(sections.filter(({ file }) => file !== 'docs/platform/README.md'))(
    '$id is an id of $file',
    ({ file, id, heading }) => {
      expect(heading).toMatch(/^[a-z]+\.[a-z]+(-[a-z]+)*: \S/);
      expect(id.split('.')[0]).toBe(basename(file, '.md'));
    },
  );

  test('no id occurs twice', () => {
    const all = sections.filter(({ id }) => id.includes('.')).map(({ id }) => id);
    expect(all).toEqual([...new Set(all)]);
  });

  test('every kind has a file, and the table of contents names every file', () => {
    const contents = read('docs/platform/README.md');
    expect(
      [...creatableKinds, ...readOnlyKinds].filter((kind) => !existsSync(join(folder, 'kinds', `${kind}.md`))),
    ).toEqual([]);
    const files = documents.map((file) => relative('docs/platform', file)).filter((file) => file !== 'README.md');
    expect(files.filter((file) => !contents.includes(`](${file})`))).toEqual([]);
  });

  test('links between the files lead to existing places', () => {
    const broken = documents.flatMap((file) =>
      [...read(file).matchAll(/\]\(([^)#\s]+\.md)(?:#([^)]*))?\)/g)]
        .map(([, target = '', anchor]) => ({ file, target: join(file, '..', target), anchor }))
        .filter(({ target, anchor }) => !existsSync(join(root, target)) || !hasAnchor(target, anchor)),
    );
    expect(broken).toEqual([]);
  });
});

describe('code that cites docs/platform', () => {
  test('cites sections that exist', () => {
    const dangling = citing.flatMap((file) =>
      [...read(file).matchAll(citation)].map(([, id = '']) => ({ file, id })).filter(({ id }) => !ids.has(id)),
    );
    expect(dangling).toEqual([]);
  });

  test('rows of the conformance table name sections that exist', () => {
    expect(outline.map((row) => row.slice(0, row.indexOf('/'))).filter((id) => !ids.has(id))).toEqual([]);
  });

  test('rules name sections that exist', () => {
    const dangling = [...rules, ...behaviours]
      .filter(({ section }) => !ids.has(section))
      .map(({ id, section }) => ({ id, section }));
    expect(dangling).toEqual([]);
  });

  test('cites rules that exist', () => {
    const known = new Set([...rules, ...behaviours].map(({ id }) => id));
    const unknown = citing.flatMap((file) =>
      [...read(file).matchAll(/\brule ([A-Z]{1,2}\d+(?:\.[a-z]+)?)\b/g)]
        .map(([, id = '']) => ({ file, id }))
        .filter(({ id }) => !known.has(id)),
    );
    expect(unknown).toEqual([]);
  });

  test('cites no document that readers do not have', () => {
    const found = citing.flatMap((file) => [...read(file).matchAll(oldCitation)].map(([text]) => ({ file, text })));
    expect(found).toEqual([]);
  });
});

/** The anchor of a heading on GitHub: lower case, spaces to hyphens, without punctuation. */
function hasAnchor(file: string, anchor: string | undefined): boolean {
  if (anchor === undefined) return true;
  const headings = [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return headings
    .map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    )
    .includes(anchor);
}
