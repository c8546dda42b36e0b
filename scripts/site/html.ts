import Prism from 'prismjs';
import loadLanguages from 'prismjs/components/index.js';

loadLanguages(['bash', 'hcl', 'json', 'typescript', 'yaml']);

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The anchor of a heading, in GitHub's form: lower case, spaces to hyphens, without punctuation. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\s-]/gu, '')
    .replaceAll(' ', '-');
}

/** The text of HTML from this generator. */
export function textOf(html: string): string {
  return html
    .replaceAll(/<\/?code>/g, '') // in a sentence, where a comma may follow
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Sentences in the form of comments and descriptions: only `code` is marked up. */
export function inline(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

/** Coloured by `style.css`; text in an unknown language is unchanged. */
export function highlighted(text: string, language: string): string {
  const name = language === 'terraform' ? 'hcl' : language;
  const grammar = Prism.languages[name];
  return grammar === undefined ? escaped(text) : Prism.highlight(text, grammar, name);
}

export function codeBlock(text: string, language: string): string {
  return `<pre tabindex="0"><code class="language-${escaped(language)}">${highlighted(text.trimEnd(), language)}</code></pre>`;
}

/** `cells` are HTML. */
export function htmlTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  const body = rows.map((cells) => row(cells, 'td')).join('\n');
  return `<div class="table"><table>\n<thead>${row(head, 'th')}</thead>\n<tbody>\n${body}\n</tbody></table></div>`;
}
