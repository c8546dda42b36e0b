import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { At, integer, name, object, optional, sentenceOf, tryRead } from '../../base/form/read.ts';
import { isObject, type JsonValue } from '../../base/json/json.ts';
import { parseJsonText } from '../../base/json/jsonText.ts';
import { present } from '../../base/json/present.ts';
import { isLoopback } from '../../base/text/hostName.ts';
import { ToolError } from '../../base/toolError.ts';
import { sha256 } from '../../project/files/sha256.ts';
import type { Board } from '../model.ts';
import { readBody, upTo } from '../requestBody.ts';
import {
  actRefusal,
  type Caller,
  callerOf,
  foreignRefusal,
  type Guard,
  type Refusal,
  type RequestFacts,
} from './access.ts';
import { isFile, sendFile, sendJson } from './documents.ts';
import { fleetFigures, type Me, runDetail, stackDetail, type Told } from './pageAnswers.ts';
import { isSignIn, SignIn, type SignInOptions, Tokens } from './signIn.ts';

/** An additional route, such as a webhook. Returns false for other requests, without touching them. */
export type ForeignRoute = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/** Whether the sender may read names and states of stacks. */
export type MayRead = (request: IncomingMessage) => Promise<boolean>;

export interface PageOptions {
  /** `HOST:PORT`, `PORT` (on loopback) or `HOST`; the port 0 means any free one. */
  readonly address: string;
  /** The file of tokens; absent: no caller can act, and only loopback can read. */
  readonly tokensFile?: string;
  /** The sign-in of users. Absent: only tokens. */
  readonly signIn?: SignInOptions;
  /** Creates the routes, with a function that checks read access: routes decide their access themselves. */
  readonly handlers?: (mayRead: MayRead) => readonly ForeignRoute[];
  /** Receives internal errors. */
  readonly onMistake: (error: unknown) => void;
}

export interface ServedPage {
  readonly url: string;
  /** Closes the open pages and the requests in progress. */
  close(): Promise<void>;
}

/**
 * Serves the reconciler's page and its data. Errors: `reconcile.listen`, `reconcile.open` (an address that others can
 * reach needs tokens), `reconcile.address`, `reconcile.tokens`, `file.read`.
 */
export async function servePage(board: Board, options: PageOptions): Promise<ServedPage> {
  const { address, tokensFile, handlers = () => [], onMistake } = options;
  const { host, port } = listenAddress(address);
  const isLocal = isLoopback(host);
  let url: string | undefined;
  const signIn = options.signIn && new SignIn(options.signIn, () => (isLocal ? url : undefined));
  if (!isLocal && tokensFile === undefined && signIn?.name === undefined) {
    throw new ToolError({
      code: 'reconcile.open',
      message: `the page must not be served on ${host} without tokens or sign-in`,
      hint: 'Name a file of tokens with --tokens, write sign-in into reconcile.yaml, or leave out the address.',
    });
  }
  if (!isLocal && signIn?.name !== undefined && options.signIn?.settings()?.url === undefined) {
    throw new ToolError({
      code: 'reconcile.open',
      message: `on ${host} sign-in needs to know where browsers reach the page`,
      hint: 'Write url into sign-in of reconcile.yaml, such as url: https://fleet.example.com.',
    });
  }
  const tokens = await Tokens.open(tokensFile);
  const announcer = new Announcer(board);
  const guard = async (): Promise<Guard> => ({
    tokens: await tokens.now(),
    issuer: signIn?.issuer,
    onLoopback: isLocal && signIn?.isPublic !== true,
  });
  const page = { board, announcer, guard, signIn };
  const routes = handlers(async (request) => {
    const foreign = foreignRefusal(await guard(), factsOf(request));
    return foreign === undefined && !('status' in (await callerOfRequest(page, request)));
  });
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) => {
    answer(page, routes, request, response).catch((error: unknown) => {
      onMistake(error);
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { code: 'reconcile.internal', message: 'an internal error' });
    });
  });
  try {
    const { port: taken } = await listening(server, host, port);
    url = `http://${host.includes(':') ? `[${host}]` : host}:${taken}`;
    return {
      url,
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

/** The default address of the page. */
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
  readonly signIn: SignIn | undefined;
}

async function answer(
  page: Page,
  routes: readonly ForeignRoute[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const route of routes) if (await route(request, response)) return;
  const url = urlOf(request);
  if (url === undefined) {
    return sendJson(response, 400, { code: 'reconcile.path', message: 'the address of the request is not valid' });
  }
  const { pathname } = url;
  const { signIn } = page;
  const facts = factsOf(request);
  const guard = await page.guard();
  const foreign = foreignRefusal(guard, facts);
  if (foreign !== undefined) return sendJson(response, foreign.status, foreign);
  if (facts.method === 'GET' && isFile(pathname)) return sendFile(response, pathname, signIn?.name);
  if (await signIn?.answer(request, response, url)) return;
  if (request.method === 'HEAD' && isSignIn(pathname)) {
    // A GET of these addresses is a step of sign-in, so HEAD must not be treated as one.
    return sendJson(response, 405, { code: 'reconcile.method', message: 'signing in takes GET' });
  }
  if (facts.method === 'POST' && pathname === '/api/sign-out') {
    const { cookies = [], at } = (await signIn?.end(request)) ?? {};
    response.setHeader('set-cookie', cookies);
    return sendJson(response, 200, present({ at }));
  }
  const caller = await callerOfRequest(page, request);
  if ('status' in caller) return sendJson(response, caller.status, caller);
  if (facts.method === 'GET') return read(page, pathname, { caller, request }, response);
  if (facts.method !== 'POST')
    return sendJson(response, 405, { code: 'reconcile.method', message: 'only GET, HEAD and POST' });
  const refusal = actRefusal(caller, facts);
  if (refusal !== undefined) return sendJson(response, refusal.status, refusal);
  await act(page.board, pathname, caller, response);
}

/** Always checks the present state: a token may be revoked, a session may have ended. */
async function callerOfRequest({ guard, signIn }: Page, request: IncomingMessage): Promise<Caller | Refusal> {
  const { digest } = factsOf(request);
  return callerOf(await guard(), {
    digest,
    person: digest === undefined ? await signIn?.callerOf(request) : undefined,
  });
}

/** Also parses an address that begins with two slashes, which is not a host. */
function urlOf({ url = '' }: IncomingMessage): URL | undefined {
  return (url.startsWith('/') ? URL.parse(`http://page${url}`) : undefined) ?? undefined;
}

function factsOf(request: IncomingMessage): RequestFacts {
  const { headers, method = 'GET' } = request;
  const path = urlOf(request)?.pathname ?? '';
  const [, token] = /^(?:Bearer )?(.+)$/.exec(headers.authorization ?? '') ?? [];
  return {
    method: method === 'HEAD' ? 'GET' : method, // Node then omits the body
    host: headers.host,
    origin: headers.origin,
    fetchSite: [headers['sec-fetch-site']].flat()[0],
    fetchMode: [headers['sec-fetch-mode']].flat()[0],
    contentType: headers['content-type'],
    isPage: isFile(path) || isSignIn(path),
    digest: token === undefined ? undefined : sha256(token),
  };
}

interface Reading {
  readonly caller: Caller;
  readonly request: IncomingMessage;
}

async function read(page: Page, path: string, { caller, request }: Reading, response: ServerResponse): Promise<void> {
  const { board } = page;
  const [area, resource, id, plan] = partsOf(path);
  if (area === 'api') {
    if (resource === 'me' && id === undefined) {
      const { person, ...me } = caller;
      return sendJson(response, 200, me satisfies Me);
    }
    if (resource === 'events' && id === undefined) {
      const mayRead = async (): Promise<boolean> => !('status' in (await callerOfRequest(page, request)));
      if (page.announcer.add(response, mayRead)) return;
      return sendJson(response, 503, { code: 'reconcile.busy', message: 'too many pages are open' });
    }
    if (resource === 'figures' && id === undefined) return sendJson(response, 200, await fleetFigures(board));
    if (resource === 'stacks' && id === undefined) return sendJson(response, 200, { items: await board.list() });
    if (resource === 'plans' && id !== undefined && plan !== undefined) {
      return sendOutcome(response, async () => board.planFile(id, plan));
    }
    const found =
      id === undefined
        ? undefined
        : resource === 'stacks'
          ? await stackDetail(board, id, caller)
          : resource === 'runs'
            ? await runDetail(board, id)
            : undefined;
    if (found !== undefined) return sendJson(response, 200, found);
  }
  sendJson(response, 404, { code: 'reconcile.unknown', message: 'there is no such page, stack or run' });
}

/** At most 366 days. */
const longestPauseHours = 8_784;

const bodies = {
  /** `signature`: a line of the signatures file, if the plan must be signed with a key. */
  approve: object({ plan: name, signature: optional(name) }),
  pause: object({ reason: name, hours: optional(integer({ least: 1, most: longestPauseHours })) }),
  none: object({}),
};

async function act(
  board: Board,
  path: string,
  { name: by = '', person }: Caller,
  response: ServerResponse,
): Promise<void> {
  const [area, resource, stack, action] = partsOf(path);
  const bytes = await readBody(response.req, upTo(mostBody));
  const body = bytes && parseJsonText(bytes.toString('utf8'));
  if (!isObject(body)) {
    return sendJson(response, 400, { code: 'reconcile.body', message: 'the body is no JSON object' });
  }
  if (area !== 'api' || resource !== 'stacks' || stack === undefined) {
    return sendJson(response, 404, { code: 'reconcile.unknown', message: 'there is nothing to do here' });
  }
  const parsedAction = tryRead(() => actionOf(board, { stack, action, by, person }, body));
  if ('problems' in parsedAction) {
    return sendJson(response, 400, { code: 'reconcile.body', message: sentenceOf(parsedAction.problems[0]) });
  }
  await sendOutcome(response, async () => {
    await parsedAction.value();
    return {};
  });
}

/** Sends the result of the work, or the board's refusal. */
async function sendOutcome(response: ServerResponse, work: () => Promise<object>): Promise<void> {
  try {
    sendJson(response, 200, await work());
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { code, message, hint } = error;
    sendJson(response, code === 'reconcile.unknown' ? 404 : 409, { code, message, hint });
  }
}

interface Action {
  readonly stack: string;
  readonly action: string | undefined;
  readonly by: string;
  readonly person: string | undefined;
}

/** The work for an action. Errors: `Unreadable` for the body. */
function actionOf(board: Board, { stack, action, by, person }: Action, body: JsonValue): () => Promise<unknown> {
  const at = new At();
  switch (action) {
    case 'approve': {
      const { plan, ...signed } = bodies.approve.read(body, at);
      return () => board.approve(stack, plan, { by, ...present({ person }), ...signed });
    }
    case 'pause': {
      const { reason, hours } = bodies.pause.read(body, at);
      return () => board.pause(stack, { reason, by, ...(hours === undefined ? {} : { forMs: hours * 3_600_000 }) });
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

function partsOf(path: string): readonly string[] {
  try {
    return path.split('/').slice(1).map(decodeURIComponent);
  } catch {
    return [];
  }
}

/** Changes are collected for this time, so that a busy fleet sends each stack once. */
const gatherMs = 250;
/** Interval of comments that keep connections open. */
const aliveMs = 15_000;
/** Above this number of changes, pages read the whole list instead. */
const mostTold = 50;
/** Limit of unread data: the connection of a slower page is closed; the page reconnects and reads everything. */
const mostUnread = 1024 * 1024;
const mostPages = 500;

/** Sends changes to open pages by server-sent events, with one board subscription for all of them. */
class Announcer {
  readonly #board: Board;
  readonly #pages = new Map<ServerResponse, () => Promise<boolean>>();
  readonly #changed = new Set<string>();
  readonly #unsubscribe: () => void;
  readonly #alive: NodeJS.Timeout;
  #gathering: NodeJS.Timeout | undefined;

  constructor(board: Board) {
    this.#board = board;
    this.#unsubscribe = board.subscribe(({ stack }) => {
      if (this.#pages.size === 0) return;
      this.#changed.add(stack);
      this.#gathering ??= setTimeout(() => void this.#tell(), gatherMs);
    });
    this.#alive = setInterval(() => void this.#stayAlive(), aliveMs).unref();
  }

  /** `mayRead`: checked repeatedly, because a token may be revoked. Returns false if there are too many pages. */
  add(page: ServerResponse, mayRead: () => Promise<boolean>): boolean {
    if (this.#pages.size >= mostPages) return false;
    page.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    if (page.req.method === 'HEAD') {
      page.end();
      return true;
    }
    page.write(': here\n\n');
    this.#pages.set(page, mayRead);
    page.once('close', () => this.#pages.delete(page));
    return true;
  }

  close(): void {
    this.#unsubscribe();
    clearInterval(this.#alive);
    clearTimeout(this.#gathering);
    for (const page of this.#pages.keys()) this.#leave(page);
  }

  async #tell(): Promise<void> {
    const stacks = [...this.#changed];
    this.#changed.clear();
    this.#gathering = undefined;
    const told = stacks.length > mostTold ? [{ all: true } as const] : await this.#summaries(stacks);
    this.#write(told.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''));
  }

  async #summaries(stacks: readonly string[]): Promise<readonly Told[]> {
    try {
      return await Promise.all(
        stacks.map(async (stack) => ({ stack, summary: (await this.#board.read(stack)) ?? null })),
      );
    } catch {
      // The store is temporarily unavailable. Pages request again, and get the reason.
      return [{ all: true }];
    }
  }

  #write(text: string): void {
    for (const page of this.#pages.keys()) {
      if (page.writableLength > mostUnread) page.destroy();
      else page.write(text);
    }
  }

  /** Stops writing to the page before its connection ends; a later write would crash this process. */
  #leave(page: ServerResponse): void {
    this.#pages.delete(page);
    page.end();
  }

  async #stayAlive(): Promise<void> {
    for (const [page, mayRead] of this.#pages) {
      // Also if the store does not respond: the page reconnects.
      if (!(await mayRead().catch(() => false))) this.#leave(page);
    }
    this.#write(': alive\n\n');
  }
}
