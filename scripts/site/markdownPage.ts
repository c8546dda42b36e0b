import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Marked } from 'marked';
import { anchorOf, codeBlock, escaped, textOf } from './html.ts';
import { relativePath } from './page.ts';

/** Where the documents of the repository are in the site; what is not listed is shown as text, without a link. */
export type SitePaths = ReadonlyMap<string, string>;

export interface MarkdownBody {
  readonly title: string;
  readonly body: string;
  /** Files beside the document that it shows: images, by their path in the repository. */
  readonly files: readonly string[];
}

/** A document of the repository as the body of a page. `source`: its path from the root of the repository. */
export function markdownBody(text: string, source: string, paths: SitePaths, root: string): MarkdownBody {
  const path = paths.get(source) ?? source;
  const files: string[] = [];
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
        const target = linkTarget(href, source, path, paths);
        return target === undefined ? html : `<a href="${escaped(target)}">${html}</a>`;
      },
      image({ href, text: words }) {
        const file = normalize(join(dirname(source), href));
        if (!existsSync(join(root, file))) throw new Error(`${source} shows ${href}, which is not there`);
        files.push(file);
        return `<img src="${escaped(relativePath(path, file))}" alt="${escaped(words)}">`;
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

/** `../platform.md#rules` from a guide; undefined: a file that is no page. */
function linkTarget(href: string, source: string, path: string, paths: SitePaths): string | undefined {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href;
  const [file = '', anchor] = href.split('#');
  const target = paths.get(normalize(join(dirname(source), file)));
  return target === undefined ? undefined : `${relativePath(path, target)}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** What registries read at the top of a page. */
function withoutFrontMatter(text: string): string {
  return text.replace(/^---\n[\s\S]*?\n---\n/, '');
}

/** Marks of generated tables. */
function withoutComments(text: string): string {
  return text.replaceAll(/<!--[\s\S]*?-->\n?/g, '');
}
