import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { At, integer, name, object, optional, sentenceOf, tryRead } from '../../base/form/read.ts';
import { isObject, type JsonValue } from '../../base/json/json.ts';
import { isLoopback } from '../../base/text/hostName.ts';
import { ToolError } from '../../base/toolError.ts';
import type { Board } from '../model.ts';
import { type Asked, actRefusal, type Caller, callerOf, foreignRefusal, type Guard } from './access.ts';
import { Announcer } from './announcer.ts';
import { type Me, runDetail, stackDetail } from './pageAnswers.ts';
import { Tokens } from './tokenFile.ts';

/** A route of somebody else, such as a webhook. False: the request is not for it, and it has not touched it. */
export type ForeignRoute = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/** May who sends this request read names and states of stacks? */
export type MayRead = (request: IncomingMessage) => Promise<boolean>;

export interface PageOptions {
  /** `HOST:PORT`, `PORT` (on loopback) or `HOST`; the port 0 is any free one. */
  readonly address: string;
  /** The file of the tokens; absent: nobody can act, and reading is for loopback alone. */
  readonly tokensFile?: string;
  /** Made with the question whether who asks may read: the routes decide by themselves who may call them. */
  readonly handlers?: (mayRead: MayRead) => readonly ForeignRoute[];
  /** Of what is our own mistake. */
  readonly onMistake: (error: unknown) => void;
}

export interface ServedPage {
  readonly url: string;
  /** Ends the open pages and the requests in progress. */
  close(): Promise<void>;
}

/**
 * Serves the page of the reconciler and what it reads. Errors: `reconcile.listen`, `reconcile.open` (an address that
 * others reach needs tokens), `reconcile.address`, `reconcile.tokens`, `file.read`.
 */
export async function servePage(board: Board, options: PageOptions): Promise<ServedPage> {
  const { address, tokensFile, handlers = () => [], onMistake } = options;
  const { host, port } = listenAddress(address);
  const onLoopback = isLoopback(host);
  if (!onLoopback && tokensFile === undefined) {
    throw new ToolError({
      code: 'reconcile.open',
      message: `the page must not be served on ${host} without tokens`,
      hint: 'Name a file of tokens with --tokens, or leave out the address.',
    });
  }
  const tokens = await Tokens.open(tokensFile);
  const announcer = new Announcer(board);
  const page = { board, announcer, guard: async (): Promise<Guard> => ({ tokens: await tokens.now(), onLoopback }) };
  const routes = handlers(async (request) => {
    const [guard, asked] = [await page.guard(), askedBy(request, request.method ?? 'GET')];
    return foreignRefusal(guard, asked) === undefined && !('status' in callerOf(guard, asked));
  });
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) => {
    answer(page, routes, request, response).catch((error: unknown) => {
      onMistake(error);
      if (response.headersSent) response.destroy();
      else send(response, 500, { code: 'reconcile.internal', message: 'an internal error' });
    });
  });
  try {
    const { port: taken } = await listening(server, host, port);
    return {
      url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
      async close() {
        announcer.close();
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        setTimeout(() => server.closeAllConnections(), graceMs).unref();
        await closed;
      },
    };
  } catch (error) {
    announcer.close();
    throw error;
  }
}

/** Where the page is, if nothing else is said. */
export const usualAddress = '127.0.0.1:4481';

/** Errors: `reconcile.address`. */
function listenAddress(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, digits] =
    /^(?:(?:\[([0-9a-f:.]+)\]|((?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*\.?|\d+(?:\.\d+){3})?)(?::|$))?(\d{1,5})?$/i.exec(
      text,
    ) ?? [];
  const host = bracketed ?? plain ?? '127.0.0.1';
  const port = Number(digits ?? 4481);
  if (text !== '' && (bracketed ?? plain ?? digits) !== undefined && port < 65_536) return { host, port };
  throw new ToolError({
    code: 'reconcile.address',
    message: `${JSON.stringify(text)} is no address to listen on`,
    hint: `Give it in the form ${usualAddress}, or a port alone.`,
  });
}

const graceMs = 2_000;

function listening(server: Server, host: string, port: number): Promise<{ readonly port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(
        new ToolError({
          code: 'reconcile.listen',
          message: `cannot listen on ${host}, port ${port}: ${cause.message}`,
          hint: 'Choose another port (0 for a free one), or an address of this machine.',
          cause,
        }),
      );
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve({ port: isObject(address) ? Number(address['port']) : port });
    });
  });
}

interface Page {
  readonly board: Board;
  readonly announcer: Announcer;
  readonly guard: () => Promise<Guard>;
}

async function answer(
  page: Page,
  routes: readonly ForeignRoute[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const route of routes) if (await route(request, response)) return;
  const pathname = pathOf(request.url);
  if (pathname === undefined) {
    return send(response, 400, { code: 'reconcile.path', message: 'the address of the request is not valid' });
  }
  const method = request.method ?? 'GET';
  const asked = askedBy(request, method);
  const guard = await page.guard();
  const foreign = foreignRefusal(guard, asked);
  if (foreign !== undefined) return send(response, foreign.status, foreign);
  if (method === 'GET' && (await sendFile(response, pathname))) return;
  const caller = callerOf(guard, asked);
  if ('status' in caller) return send(response, caller.status, caller);
  if (method === 'GET') return read(page, pathname, { caller, asked }, response);
  if (method !== 'POST') return send(response, 405, { code: 'reconcile.method', message: 'only GET and POST' });
  const refusal = actRefusal(caller);
  if (refusal !== undefined) return send(response, refusal.status, refusal);
  await act(page.board, pathname, caller.name ?? '', request, response);
}

/** Also of an address that begins with two slashes, which is no host. */
function pathOf(address = ''): string | undefined {
  return address.startsWith('/') ? URL.parse(`http://page${address}`)?.pathname : undefined;
}

function askedBy({ headers }: IncomingMessage, method: string): Asked {
  const [, token] = /^(?:Bearer )?(.+)$/.exec(headers.authorization ?? '') ?? [];
  return {
    method,
    host: headers.host,
    origin: headers.origin,
    fetchSite: [headers['sec-fetch-site']].flat()[0],
    contentType: headers['content-type'],
    digest: token === undefined ? undefined : createHash('sha256').update(token).digest('hex'),
  };
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'";

const always = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/** The page itself, which has nothing of the stacks in it. */
async function sendFile(response: ServerResponse, path: string): Promise<boolean> {
  if (path !== '/' && path !== '/page.js' && path !== '/page.css') return false;
  const { script, scriptHash, style, styleHash } = await import('#fleet-page');
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stacks</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css?v=${encodeURIComponent(styleHash)}"></head>
<body><div id="page" aria-busy="true"></div><noscript>This page needs JavaScript.</noscript>
<script type="module" src="/page.js?v=${encodeURIComponent(scriptHash)}"></script></body></html>
`;
  const [type, body] =
    path === '/' ? ['text/html', html] : path === '/page.js' ? ['text/javascript', script] : ['text/css', style];
  response.writeHead(200, {
    ...always,
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': policy,
    'cache-control': 'no-cache',
  });
  response.end(body);
  return true;
}

interface Reading {
  readonly caller: Caller;
  readonly asked: Asked;
}

async function read(page: Page, path: string, { caller, asked }: Reading, response: ServerResponse): Promise<void> {
  const { board } = page;
  const [area, what, id, plan] = partsOf(path);
  if (area === 'api') {
    if (what === 'me' && id === undefined) {
      const me: Me = caller;
      return send(response, 200, me);
    }
    if (what === 'events' && id === undefined) {
      const mayRead = async (): Promise<boolean> => !('status' in callerOf(await page.guard(), asked));
      if (page.announcer.add(response, mayRead)) return;
      return send(response, 503, { code: 'reconcile.busy', message: 'too many pages are open' });
    }
    if (what === 'figures' && id === undefined) return send(response, 200, await board.figures());
    if (what === 'stacks' && id === undefined) return send(response, 200, { items: await board.list() });
    if (what === 'plans' && id !== undefined && plan !== undefined) {
      return sendOutcome(response, async () => board.planFile(id, plan));
    }
    const found =
      id === undefined
        ? undefined
        : what === 'stacks'
          ? await stackDetail(board, id)
          : what === 'runs'
            ? await runDetail(board, id)
            : undefined;
    if (found !== undefined) return send(response, 200, found);
  }
  send(response, 404, { code: 'reconcile.unknown', message: 'there is no such page, stack or run' });
}

/** At most 366 days. */
const longestPauseHours = 8_784;

const bodies = {
  /** `signature`: a line of the file of signatures, where the plan has to be signed with a key. */
  approve: object({ plan: name, signature: optional(name) }),
  pause: object({ reason: name, hours: optional(integer({ least: 1, most: longestPauseHours })) }),
  none: object({}),
};

async function act(
  board: Board,
  path: string,
  by: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [area, what, stack, action] = partsOf(path);
  const body = await bodyOf(request);
  if (body === undefined) return send(response, 400, { code: 'reconcile.body', message: 'the body is no JSON object' });
  if (area !== 'api' || what !== 'stacks' || stack === undefined) {
    return send(response, 404, { code: 'reconcile.unknown', message: 'there is nothing to do here' });
  }
  const done = tryRead(() => actionOf(board, { stack, action, by }, body));
  if ('problems' in done) {
    return send(response, 400, { code: 'reconcile.body', message: sentenceOf(done.problems[0]) });
  }
  await sendOutcome(response, async () => {
    await done.value();
    return {};
  });
}

/** What is done, or why the board does not do it. */
async function sendOutcome(response: ServerResponse, work: () => Promise<object>): Promise<void> {
  try {
    send(response, 200, await work());
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { code, message, hint } = error;
    send(response, code === 'reconcile.unknown' ? 404 : 409, { code, message, hint });
  }
}

interface Action {
  readonly stack: string;
  readonly action: string | undefined;
  readonly by: string;
}

/** What is to be done. Errors: `Unreadable`, of the body. */
function actionOf(board: Board, { stack, action, by }: Action, body: JsonValue): () => Promise<unknown> {
  const at = new At();
  switch (action) {
    case 'approve': {
      const { plan, ...signed } = bodies.approve.read(body, at);
      return () => board.approve(stack, plan, { by, ...signed });
    }
    case 'pause': {
      const { reason, hours } = bodies.pause.read(body, at);
      return () =>
        board.pause(stack, { reason, by, ...(hours === undefined ? {} : { untilMs: Date.now() + hours * 3_600_000 }) });
    }
    case 'resume':
      bodies.none.read(body, at);
      return () => board.resume(stack, by);
    case 'now':
      bodies.none.read(body, at);
      return () => board.now(stack, by);
    default:
      throw at.bad('is of no action that there is: approve, pause, resume, now');
  }
}

const mostBody = 16 * 1024;

/** Undefined: it is too long, or no JSON. */
async function bodyOf(request: IncomingMessage): Promise<JsonValue | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) return undefined;
    size += part.length;
    if (size > mostBody) return undefined;
    parts.push(part);
  }
  try {
    const body: JsonValue = JSON.parse(Buffer.concat(parts).toString('utf8'));
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

function partsOf(path: string): readonly string[] {
  try {
    return path.split('/').slice(1).map(decodeURIComponent);
  } catch {
    return [];
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    ...always,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  });
  response.end(JSON.stringify(body));
}
