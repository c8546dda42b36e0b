import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import { mostCharacters, renderMarkdown } from '../../../src/report/renderMarkdown.ts';
import { canary, hostileReport, hostileReports } from '../hostileReports.ts';

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
}

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const child of node.children ?? []) yield* nodesOf(child);
}

const plain = new Set([
  ...['root', 'heading', 'paragraph', 'text', 'strong', 'list', 'listItem'],
  ...['table', 'tableRow', 'tableCell', 'inlineCode', 'code', 'html'],
]);

/** All HTML that a report writes. Foreign text is in `code`, with every special character escaped. */
const ownHtml = [
  /^<!-- gantry report stack=[\w.!~*'()%-]+ env=[\w.!~*'()%-]+ -->$/,
  /^<details>\n<summary>[\w ,.:;/()-]*(?:<(code|b)>[^<>]*<\/\1>[\w ,.:;/()-]*)*<\/summary>$/,
  /^<\/details>$/,
  /^<\/?sub>$/,
];

function isOwnHtml(value: string): boolean {
  const outside = value.startsWith('<!--') ? '' : value.replaceAll(/<code>[^<>]*<\/code>/g, '');
  return ownHtml.some((form) => form.test(value)) && !outside.includes(canary);
}

/** Nodes in Markdown that foreign text must not produce. */
function breakouts(markdown: string): readonly string[] {
  const tree: Node = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  return [...nodesOf(tree)].flatMap(({ type, value = '' }) => {
    if (!plain.has(type)) return [`a ${type}`];
    if (type === 'html') return isOwnHtml(value) ? [] : [`html ${JSON.stringify(value)}`];
    return type === 'text' && value.includes(canary) ? [`text ${JSON.stringify(value)}`] : [];
  });
}

test.each([
  ['a link', '[a](https://a.example)'],
  ['an address', 'see https://a.example'],
  ['an image', '![a](b.png)'],
  ['HTML', '<img src=x>'],
  ['bare text in a summary', `<details>\n<summary>${canary}</summary>`],
  ['a footnote', 'a[^1]\n\n[^1]: b'],
  ['bare text', `hello ${canary}`],
  ['a heading of others', `# ${canary}`],
])('%s is detected by these tests', (_, markdown) => {
  expect(breakouts(markdown)).not.toEqual([]);
});

test('no text of a manifest or the platform breaks out of its place', () => {
  fc.assert(
    fc.property(fc.oneof(hostileReport, hostileReports), (report) => {
      const markdown = renderMarkdown(report);
      expect(markdown.length).toBeLessThanOrEqual(mostCharacters);
      expect(markdown).toContain(canary);
      expect(breakouts(markdown)).toEqual([]);
    }),
  );
});

test('no control character, direction mark or lone surrogate is in it', () => {
  fc.assert(
    fc.property(hostileReport, (report) => {
      expect(renderMarkdown(report).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    }),
  );
});
