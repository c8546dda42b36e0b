import Prism from 'prismjs';
import loadLanguages from 'prismjs/components/index.js';

loadLanguages(['bash', 'hcl', 'json', 'typescript', 'yaml']);

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The anchor of a heading, as GitHub makes it: lower case, spaces to hyphens, without punctuation. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\s-]/gu, '')
    .replaceAll(' ', '-');
}

/** The text of a piece of HTML that this generator made. */
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

/** Sentences as they are written in comments and descriptions: `code` and nothing else. */
export function inline(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

/** Coloured by `style.css`; text in a language that is not known stays as it is. */
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
