import { isObject, type JsonObject, type JsonValue, listAt, objectAt, stringAt } from '../../../base/json/json.ts';
import { escapeHtml } from '../../../base/text/html.ts';

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24}
h2{margin-top:2rem;border-bottom:1px solid #d0d7de}details{margin:.25rem 0}summary{cursor:pointer}
code,pre{font:13px ui-monospace,monospace}pre{background:#f6f8fa;padding:.75rem;overflow:auto;max-height:24rem}
b{display:inline-block;min-width:4.5rem}.note{background:#eef4fb;padding:.75rem}
@media(prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}pre{background:#161b22}
h2{border-color:#30363d}a{color:#58a6ff}.note{background:#161b22}}`;

/** The description of the API without the viewer: one page without scripts. */
export function openApiPage(document: JsonObject): string {
  const info = objectAt(document, 'info');
  const tags = listAt(document, 'tags').filter(isObject);
  const contents = tags
    .map((tag) => `<a href="#${anchor(tag)}">${escapeHtml(stringAt(tag, 'name') ?? '')}</a>`)
    .join(' · ');
  const sections = tags.map((tag) => section(document, tag)).join('\n');
  const title = escapeHtml(stringAt(info, 'title') ?? 'API');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<link rel="icon" href="data:,"><style>${style}</style></head>
<body><h1>${title}</h1>
<p class="note">To search this page and to send requests from it, install its viewer beside Gantry and load the page
again: <code>npm install openapi-explorer</code> (with <code>--global</code> if Gantry is installed globally).</p>
${simpleMarkdown(stringAt(info, 'description') ?? '')}
<p>For programs: <a href="/openapi.json">openapi.json</a></p><p>${contents}</p>
${sections}
</body></html>
`;
}

function anchor(tag: JsonObject): string {
  return escapeHtml((stringAt(tag, 'name') ?? '').toLowerCase().replaceAll(' ', '-'));
}

function section(document: JsonObject, tag: JsonObject): string {
  const name = stringAt(tag, 'name') ?? '';
  const operations = Object.entries(objectAt(document, 'paths')).flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).map(([method, operation]) => ({ path, method, operation })),
  );
  const shown = operations.flatMap(({ path, method, operation }) => {
    if (!isObject(operation) || !listAt(operation, 'tags').includes(name)) return [];
    const summary = escapeHtml(stringAt(operation, 'summary') ?? '');
    const description = simpleMarkdown(stringAt(operation, 'description') ?? '');
    const blocks = block('Body', operation['requestBody']) + block('Answers', operation['responses']);
    const title = `<b>${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code> ${summary}`;
    return [`<details><summary>${title}</summary>\n${description}${blocks}</details>`];
  });
  const about = simpleMarkdown(stringAt(tag, 'description') ?? '');
  return `<h2 id="${anchor(tag)}">${escapeHtml(name)}</h2>\n${about}${shown.join('\n')}`;
}

/** Renders the Markdown that the document uses: paragraphs, lists, bold, italics and code. */
function simpleMarkdown(text: string): string {
  const lines = (paragraph: string) => paragraph.replaceAll(/^- (.*(?:\n {2}.*)*)$/gm, '<li>$1</li>');
  const marked = escapeHtml(text)
    .replaceAll(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\*(.+?)\*/g, '<em>$1</em>')
    .replaceAll(/`(.+?)`/g, '<code>$1</code>');
  const paragraphs = marked.trim().split('\n\n');
  return paragraphs.map((part) => (part.startsWith('- ') ? `<ul>${lines(part)}</ul>` : `<p>${part}</p>`)).join('\n');
}

function block(title: string, value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return `<details><summary>${title}</summary><pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre></details>`;
}
