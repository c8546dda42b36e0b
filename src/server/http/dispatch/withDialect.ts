import { setImmediate as nextTurn } from 'node:timers/promises';
import { fieldIn, isArray, isObject, type JsonArray, type JsonValue } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import type { Dialect } from '../../../dialect/dialect.ts';
import { SpellingError } from '../../../dialect/translate.ts';
import { quoted } from '../../../schema/shape/paths.ts';
import { failureBody } from '../answer.ts';
import { ApiFailure, invalid } from '../apiFailure.ts';
import type { ApiReply, Handle, ReadBody, RequestHead } from '../message.ts';

/** Translates between the installation's names, which clients use, and the neutral ones. */
export function withDialect(dialect: Dialect | undefined, handle: Handle): Handle {
  if (dialect === undefined) return handle;
  const translated = new Map<string, ApiReply>();
  return async (head, readBody) => {
    const neutral = neutralHead(dialect, head);
    const path = pathOf(neutral);
    // Bodies that are read in pieces are snapshots, which use the neutral names on every installation.
    let spellingFailure: ApiFailure | undefined;
    const read: ReadBody = async (mostBytes, keep) => {
      const text = await readBody(mostBytes, keep);
      try {
        return dialect.received(path, text);
      } catch (error) {
        if (!(error instanceof SpellingError)) throw error;
        spellingFailure = refusalOf(error);
        throw spellingFailure;
      }
    };
    try {
      const reply = await handle(neutral, read);
      if (reply.isConstant !== true) return await toWire(dialect, path, await joinPieces(path, reply));
      const cached = translated.get(path) ?? (await toWire(dialect, path, reply));
      translated.set(path, cached);
      return cached;
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      const { status, headers } = error;
      const reply = { status, body: failureBody(error, head.id), headers };
      return error === spellingFailure ? reply : toWire(dialect, path, reply);
    }
  };
}

/** The refusal, which quotes names as they were sent. */
function refusalOf({ pointer, message, code }: SpellingError): ApiFailure {
  return invalid([{ path: pointer.map((part) => quoted(String(part))).join('.'), message, rule: code }]);
}

/** The path in a normal encoding: clients may encode letters needlessly. */
function pathOf({ segments }: RequestHead): string {
  return `/${segments.map(encodeURIComponent).join('/')}`;
}

function neutralHead(dialect: Dialect, head: RequestHead): RequestHead {
  const address = pathOf(head) + (head.query.size === 0 ? '' : `?${head.query}`);
  const neutral = dialect.address(address, 'toNeutral');
  if (neutral === address) return head;
  const [path = '', ...query] = neutral.split('?');
  return {
    ...head,
    path,
    segments: path.split('/').slice(1).map(decodeURIComponent),
    query: new URLSearchParams(query.join('?')),
  };
}

/** Joins the pieces, because translation needs the whole response. Snapshots always use the neutral names. */
async function joinPieces(path: string, { pieces, ...reply }: ApiReply): Promise<ApiReply> {
  if (pieces === undefined || path === '/-snapshot') return pieces === undefined ? reply : { ...reply, pieces };
  return { ...reply, body: reply.body + (await Array.fromAsync(pieces)).join('') };
}

/** Translates JSON. Terraform configuration keeps the neutral names, because its provider speaks the dialect. */
async function toWire(dialect: Dialect, path: string, reply: ApiReply): Promise<ApiReply> {
  if (reply.pieces !== undefined) return reply;
  const { status, body, headers } = reply;
  const type = headers?.['content-type'];
  const isJson = type === undefined || type.startsWith('application/json');
  return {
    status,
    body: isJson ? await answerToWire(dialect, path, status, body) : body,
    ...present({ headers: headers === undefined ? undefined : headersToWire(dialect, path, headers) }),
  };
}

function headersToWire(
  dialect: Dialect,
  path: string,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const renamed = Object.entries(headers).map(([name, value]) => [
    dialect.header(name, 'toWire'),
    dialect.headerValue(path, name, value, 'toWire'),
  ]);
  return Object.fromEntries(renamed);
}

const longText = 128 * 1024;
const itemsAtOnce = 20;

/**
 * The body of a response in the installation's names. A long list is translated in slices, so that it does not block
 * other requests.
 */
export async function answerToWire(dialect: Dialect, path: string, status: number, text: string): Promise<string> {
  if (text.length < longText) return dialect.answerText(path, status, text, 'toWire');
  if (!dialect.concerns(text)) return text;
  await nextTurn();
  const body: JsonValue = JSON.parse(text);
  const items = fieldIn(body, 'items');
  if (!isObject(body) || !isArray(items)) return dialect.answerText(path, status, text, 'toWire');
  const shown: string[] = [];
  for (let at = 0; at < items.length; at += itemsAtOnce) {
    await nextTurn();
    const some = { ...body, items: items.slice(at, at + itemsAtOnce) };
    for (const item of itemsOf(dialect.answer(path, status, some, 'toWire'))) shown.push(JSON.stringify(item));
  }
  await nextTurn();
  return insertItems(dialect.answer(path, status, { ...body, items: [] }, 'toWire'), shown);
}

function itemsOf(body: JsonValue): JsonArray {
  const items = fieldIn(body, 'items');
  if (!isArray(items)) throw new Error('a list without items');
  return items;
}

/** Inserts the items into a list without items. */
function insertItems(list: JsonValue, items: readonly string[]): string {
  if (!isObject(list)) throw new Error('a list that is not an object');
  const members = Object.entries(list).map(([name, value]) => {
    return `${JSON.stringify(name)}:${name === 'items' ? `[${items.join(',')}]` : JSON.stringify(value)}`;
  });
  return `{${members.join(',')}}`;
}
