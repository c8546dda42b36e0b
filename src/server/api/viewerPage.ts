/**
 * The page with the viewer, which `/-docs/page.js` fills. `version`: the viewer's, by which browsers cache its script.
 */
export function viewerPage(version: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>API</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/-docs/page.css"></head>
<body><p id="state">Loading <a href="/openapi.json">/openapi.json</a> …</p>
<noscript>This page needs JavaScript.</noscript>
<script type="module" src="/-docs/viewer.js?v=${encodeURIComponent(version)}"></script>
<script type="module" src="/-docs/page.js"></script></body></html>
`;
}

/**
 * Renders the description in the browser. Requests go to the origin of the page, whichever server the document names,
 * because the page's policy allows no other. Path parameters contain their examples, so that requests can be sent
 * immediately.
 */
export const pageScript = `const state = document.querySelector('#state');

function prefilled(document) {
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods)) {
      for (const parameter of operation.parameters ?? []) {
        if (parameter.in === 'path' && parameter.example !== undefined) {
          parameter.schema = { ...parameter.schema, default: parameter.example };
        }
      }
    }
  }
  return document;
}

/** Adapted to the viewer: without the directives of patches and without "null", which the operation explains. */
function simplified(schema) {
  if (Array.isArray(schema)) return schema.map(simplified);
  if (schema === null || typeof schema !== 'object') return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !keyword.startsWith('^\\\\$'));
  const simple = Object.fromEntries(kept.map(([keyword, value]) => [keyword, simplified(value)]));
  if (Array.isArray(simple.type)) {
    const types = simple.type.filter((type) => type !== 'null');
    simple.type = types.length === 1 ? types[0] : types;
  }
  // The viewer cannot show a list without an item type.
  if (simple.type === 'array') simple.items ??= {};
  return simple;
}

const howToTry = '**Try it**: set your token under *Authentication* (a server with --no-auth needs none), '
  + 'open an operation, and press *Execute*. Parameters and bodies are filled with examples that build on each other: '
  + 'first *Create a GVC*, then *Create a workload*, and so on.';

const light = {
  'primary-color': '#0b62b8', 'secondary-color': '#0b62b8', 'bg-color': '#ffffff', 'text-color': '#1b1f24',
  'nav-bg-color': '#f3f5f7', 'nav-text-color': '#3a424c',
  'nav-hover-bg-color': '#dfe7ef', 'nav-hover-text-color': '#0b3d75',
};
const dark = {
  'primary-color': '#6cb6ff', 'secondary-color': '#6cb6ff', 'bg-color': '#0d1117', 'text-color': '#e6edf3',
  'nav-bg-color': '#161b22', 'nav-text-color': '#c6d0da',
  'nav-hover-bg-color': '#263241', 'nav-hover-text-color': '#ffffff',
};

async function start() {
  const answer = await fetch('/openapi.json');
  if (!answer.ok) throw new Error('/openapi.json answers ' + answer.status);
  const described = prefilled(await answer.json());
  described.components.schemas = simplified(described.components.schemas);
  described.servers = [{ url: location.origin }];
  described.info.description += '\\n\\n' + howToTry;
  const viewer = document.createElement('openapi-explorer');
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const colours = isDark ? dark : light;
  // There is no attribute for this color, and its brown is hard to read on black.
  if (isDark) viewer.style.setProperty('--inline-code-fg', '#ffa198');
  const options = { ...colours, collapse: 'true', 'hide-server-selection': 'true', 'schema-expand-level': '2' };
  for (const [name, value] of Object.entries(options)) viewer.setAttribute(name, value);
  viewer.addEventListener('spec-loaded', () => state.remove(), { once: true });
  viewer.addEventListener('input', (event) => {
    const [field] = event.composedPath();
    // The browser must not store the token.
    if (field.matches('.api-key-input')) field.autocomplete = 'off';
  });
  document.title = described.info.title;
  document.body.append(viewer);
  await viewer.loadSpec(described);
}

start().catch((error) => {
  state.textContent = 'The page cannot be shown: ' + error.message;
});
`;

export const pageStyle = `html,body{margin:0;height:100%;overflow:hidden;font:15px/1.5 system-ui,sans-serif}
#state{margin:0;padding:1rem}
`;
