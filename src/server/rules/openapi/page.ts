import { isArray, isObject, type JsonObject, type JsonValue, objectAt, stringAt } from '../../../schema/json.ts';

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24}
h2{margin-top:2rem;border-bottom:1px solid #d0d7de}details{margin:.25rem 0}summary{cursor:pointer}code,pre{font:13px ui-monospace,monospace}
pre{background:#f6f8fa;padding:.75rem;overflow:auto;max-height:24rem}b{display:inline-block;min-width:4.5rem}
@media(prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}pre{background:#161b22}h2{border-color:#30363d}a{color:#58a6ff}}`;

/** The description of the API for people: one page without scripts, and without anything from elsewhere. */
export function openApiPage(document: JsonObject): string {
  const info = objectAt(document, 'info');
  const tags = isArray(document['tags']) ? document['tags'] : [];
  const names = tags.flatMap((tag) => (isObject(tag) ? (stringAt(tag, 'name') ?? []) : []));
  const contents = names.map((name) => `<a href="#${escaped(name)}">${escaped(name)}</a>`).join(' · ');
  const sections = names.map((name) => section(document, name)).join('\n');
  const title = escaped(stringAt(info, 'title') ?? 'API');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style></head>
<body><h1>${title}</h1><p>${escaped(stringAt(info, 'description') ?? '')} <a href="/openapi.json">openapi.json</a></p><p>${contents}</p>
${sections}
</body></html>
`;
}

function section(document: JsonObject, tag: string): string {
  const operations = Object.entries(objectAt(document, 'paths')).flatMap(([path, methods]) =>
    isObject(methods) ? Object.entries(methods).map(([method, operation]) => ({ path, method, operation })) : [],
  );
  const shown = operations.flatMap(({ path, method, operation }) => {
    if (!isObject(operation) || !(isArray(operation['tags']) && operation['tags'].includes(tag))) return [];
    const permission = stringAt(operation, 'x-permission');
    return [
      `<details><summary><b>${method.toUpperCase()}</b> <code>${escaped(path)}</code></summary>
<p>${escaped(stringAt(operation, 'summary') ?? '')}${permission === undefined ? '' : ` Permission: <code>${escaped(permission)}</code>.`}</p>
${block('Body', operation['requestBody'])}${block('Answers', operation['responses'])}</details>`,
    ];
  });
  const schema = objectAt(objectAt(document, 'components'), 'schemas')[tag];
  return `<h2 id="${escaped(tag)}">${escaped(tag)}</h2>\n${shown.join('\n')}\n${block('The record', schema)}`;
}

function block(title: string, value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return `<details><summary>${title}</summary><pre>${escaped(JSON.stringify(value, null, 2))}</pre></details>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
