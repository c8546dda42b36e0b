import type { Call } from '../core/session.ts';
import { notFound } from '../http/apiFailure.ts';
import type { Route } from '../http/dispatch/route.ts';
import type { ApiReply } from '../http/message.ts';
import { fileReply, pageHeaders } from './pageFiles.ts';

export const consolePath = '/-console';

/** The console: a page that reads this API with its user's token and contains no data of the org. */
export const consoleRoutes: readonly Route[] = [
  {
    id: 'console.page',
    method: 'GET',
    path: consolePath,
    summary: 'Look at the org in a browser',
    permission: 'none',
    answer: 'page',
    handle: page,
  },
  {
    id: 'console.pageFile',
    method: 'GET',
    path: `${consolePath}/{file}`,
    summary: 'Read a file of the console',
    permission: 'none',
    answer: 'pageFile',
    handle: pageFile,
  },
];

/** Loaded on request: it is large, and a server without visitors does not need it. */
function bundle() {
  return import('#console-page');
}

async function page(): Promise<ApiReply> {
  const { scriptHash, styleHash } = await bundle();
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Console</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="${consolePath}/page.css?v=${encodeURIComponent(styleHash)}"></head>
<body><div id="page" aria-busy="true"></div><noscript>This page needs JavaScript.</noscript>
<script type="module" src="${consolePath}/page.js?v=${encodeURIComponent(scriptHash)}"></script></body></html>
`;
  return { status: 200, body, headers: pageHeaders() };
}

async function pageFile({ params, request }: Call): Promise<ApiReply> {
  const { script, scriptHash, style, styleHash } = await bundle();
  const version = request.query.get('v');
  switch (params['file']) {
    case 'page.js':
      return fileReply('script', script, version === scriptHash);
    case 'page.css':
      return fileReply('style', style, version === styleHash);
    default:
      throw notFound(request.path);
  }
}
