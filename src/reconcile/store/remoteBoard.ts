import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { isArray, isObject, type JsonValue } from '../../base/json/json.ts';
import { ToolError } from '../../base/toolError.ts';
import { writeWhole } from '../../project/files/writeWhole.ts';
import type { Board } from '../model.ts';
import { readBody, upTo } from '../requestBody.ts';

/** The methods of a board that only one process can open, available to other processes on this machine. */
const methods = [
  'list',
  'read',
  'runs',
  'run',
  'plans',
  'waiting',
  'planFile',
  'approve',
  'pause',
  'resume',
  'now',
  'figures',
  'targets',
] as const satisfies readonly (keyof Board)[];
type Method = (typeof methods)[number];

/** The board for commands. */
export type CommandBoard = Pick<Board, Method>;

const fileName = 'worker.json';
const mostBytes = 4 * 1024 * 1024;

/**
 * Gives commands on this machine access to the board of a worker with a folder as its store: on a free loopback port,
 * with a token in a file that only its owner can read.
 */
export async function lendBoard(board: CommandBoard, folder: string): Promise<() => Promise<void>> {
  const token = randomBytes(24).toString('base64url');
  const server = createServer(async (request, response) => {
    const { status, body } = await answer(board, token, request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server has a port');
  writeWhole(join(folder, fileName), JSON.stringify({ port: address.port, token }), 0o600);
  return async () => {
    await rm(join(folder, fileName), { force: true });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}

interface Answer {
  readonly status: number;
  readonly body: JsonValue | object;
}

async function answer(board: CommandBoard, token: string, request: IncomingMessage): Promise<Answer> {
  if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`)) return { status: 401, body: {} };
  try {
    const bytes = await readBody(request, upTo(mostBytes));
    if (bytes === undefined) throw new ToolError({ code: 'reconcile.request', message: 'the request is too large' });
    const asked: unknown = JSON.parse(bytes.toString('utf8'));
    const name = isObject(asked) ? methods.find((method) => method === asked['method']) : undefined;
    const given = isObject(asked) ? asked['args'] : undefined;
    if (name === undefined || !isArray(given ?? null)) return { status: 400, body: {} };
    const method = board[name] as (...args: unknown[]) => Promise<unknown>;
    return { status: 200, body: { result: (await method(...(given as unknown[]))) ?? null } };
  } catch (error) {
    if (!(error instanceof ToolError)) return { status: 500, body: { message: String(error) } };
    return { status: 422, body: { code: error.code, message: error.message, hint: error.hint ?? null } };
  }
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The board of the worker that uses this folder; undefined if there is none. */
export async function borrowBoard(folder: string): Promise<CommandBoard | undefined> {
  const text = await readFile(join(folder, fileName), 'utf8').catch(() => undefined);
  const said: unknown = text === undefined ? undefined : JSON.parse(text);
  if (!isObject(said)) return undefined;
  const url = `http://127.0.0.1:${String(said['port'])}/`;
  const send = (method: Method, args: readonly unknown[]): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${String(said && isObject(said) ? said['token'] : '')}` },
      body: JSON.stringify({ method, args: args.filter((each) => each !== undefined) }),
    });
  async function ask(method: Method, args: readonly unknown[]): Promise<unknown> {
    const response = await send(method, args).catch((cause: unknown) => {
      throw new ToolError({
        code: 'reconcile.store',
        message: 'the worker that has the folder ended before it answered',
        hint: 'Look at gantry reconcile status, then run the command again.',
        cause,
      });
    });
    const body: unknown = await response.json();
    const answered = isObject(body) ? body : {};
    if (response.ok) return answered['result'] ?? undefined;
    throw new ToolError({
      code: String(answered['code'] ?? 'reconcile.store'),
      message: String(answered['message'] ?? `the worker answers ${response.status}`),
      ...(typeof answered['hint'] === 'string' ? { hint: answered['hint'] } : {}),
    });
  }
  // The file may be from a dead worker, and its port may belong to another worker or any program.
  const probe = await send('figures', []).catch(() => undefined);
  const isOfWorker = probe !== undefined && [200, 422, 500].includes(probe.status);
  await probe?.body?.cancel();
  if (!isOfWorker) return undefined;
  const entries = methods.map((method) => [method, (...args: unknown[]) => ask(method, args)]);
  return Object.fromEntries(entries) as CommandBoard;
}
