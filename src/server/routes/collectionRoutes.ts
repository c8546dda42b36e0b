import { stringAt } from '../../schema/json.ts';
import { isGvcScoped, type Kind } from '../../schema/kinds.ts';
import { notFound } from '../http/apiFailure.ts';
import type { ApiReply, ApiRequest } from '../http/message.ts';
import { parseObject, parseOptionalObject } from '../http/readBody.ts';
import { listPage, queryPage } from './listPage.ts';
import { requireParent } from './findRow.ts';
import { notAllowed, only } from './method.ts';
import type { Platform } from './platform.ts';
import { read } from './readRoute.ts';
import { create, replace } from './writeRecord.ts';
import { shown, write } from './writeRoute.ts';

/** List, create and upsert (protocol 3.1). */
export async function collection(
  platform: Platform,
  request: ApiRequest,
  kind: Kind,
  gvc: string | undefined,
): Promise<ApiReply> {
  if (request.method === 'GET') {
    return { status: 200, body: platform.store.read((tx) => listPage(platform, tx, { kind, gvc }, request.query)) };
  }
  const writable = kind !== 'user' && kind !== 'task' && (!isGvcScoped(kind) || gvc !== undefined);
  if (!writable || (request.method !== 'POST' && request.method !== 'PUT')) {
    throw notAllowed(request.method, writable ? 'GET, POST, PUT' : 'GET');
  }
  const body = parseObject(request.bodyText);
  return write(platform, request, kind, (writing) => {
    requireParent(writing.tx, gvc, platform.org);
    const name = stringAt(body, 'name');
    const found =
      request.method === 'PUT' && name !== undefined
        ? writing.tx.get(gvc === undefined ? { kind, name } : { kind, name, gvc })
        : undefined;
    if (found !== undefined) return shown(writing, replace(writing, found, body), 200);
    return shown(writing, create(writing, kind, gvc, body), 201);
  });
}

/** What begins with `-` below a collection (protocol 2.2). */
export async function collectionOperation(
  platform: Platform,
  request: ApiRequest,
  kind: Kind,
  gvc: string | undefined,
  [operation, ...words]: readonly string[],
): Promise<ApiReply> {
  if (operation === '-query' && words.length === 0) {
    return only(request, 'POST', () => {
      const body = parseOptionalObject(request.bodyText);
      const text = platform.store.read((tx) => queryPage(platform, tx, { kind, gvc }, request.query, body));
      return { status: 200, body: text };
    });
  }
  const [by, value] = words;
  if (kind === 'user' && operation === '-for' && by === 'email' && value !== undefined && words.length === 2) {
    return only(request, 'GET', () => read(platform, { kind: 'user', name: value }));
  }
  throw notFound(request.path);
}
