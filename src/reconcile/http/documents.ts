import type { ServerResponse } from 'node:http';
import { escapeHtml } from '../../base/text/html.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'";

const always = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/** Whether the path is one of the page itself, which contains nothing about stacks. */
export function isFile(path: string): boolean {
  return path === '/' || path === '/page.js' || path === '/page.css';
}

/** Sends one of these files. `issuer`: its name on the sign-in button. */
export async function sendFile(response: ServerResponse, path: string, issuer: string | undefined): Promise<void> {
  const { script, scriptHash, style, styleHash } = await import('#fleet-page');
  if (path !== '/') {
    const [type, body] = path === '/page.js' ? ['text/javascript', script] : ['text/css', style];
    return sendText(response, { status: 200, type, body, cache: 'no-cache' });
  }
  const signIn = issuer === undefined ? '' : ` data-sign-in="${escapeHtml(issuer)}"`;
  const body = `<div id="page" aria-busy="true"${signIn}></div><noscript>This page needs JavaScript.</noscript>
<script type="module" src="/page.js?v=${encodeURIComponent(scriptHash)}"></script>`;
  sendText(response, {
    ...{ status: 200, type: 'text/html', cache: 'no-cache' },
    body: htmlOf({ title: 'Stacks', styleHash, body }),
  });
}

/** A failure shown in a browser, with links to continue. */
export interface Failure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

export async function sendFailure(response: ServerResponse, failure: Failure, links: ReadonlyMap<string, string>) {
  const { styleHash } = await import('#fleet-page');
  const { status, code, message, hint } = failure;
  const linkItems = [...links].map(([href, text]) => `<li><a href="${escapeHtml(href)}">${escapeHtml(text)}</a></li>`);
  const body = `<main><section class="panel sign-in"><h1>Signing in has failed</h1>
<p class="callout bad" role="alert">${escapeHtml(message)}</p>
${hint === undefined ? '' : `<p>${escapeHtml(hint)}</p>`}
<ul>${linkItems.join('')}</ul><p class="hint">${escapeHtml(code)}</p></section></main>`;
  sendText(response, {
    ...{ status, type: 'text/html', cache: 'no-store' },
    body: htmlOf({ title: 'Signing in has failed', styleHash, body }),
  });
}

interface Html {
  readonly title: string;
  readonly styleHash: string;
  readonly body: string;
}

function htmlOf({ title, styleHash, body }: Html): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css?v=${encodeURIComponent(styleHash)}"></head>
<body>${body}</body></html>
`;
}

interface Sent {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly cache: string;
}

function sendText(response: ServerResponse, { status, type, body, cache }: Sent): void {
  response.writeHead(status, {
    ...always,
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': policy,
    'cache-control': cache,
  });
  response.end(body);
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    ...always,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  });
  response.end(JSON.stringify(body));
}
