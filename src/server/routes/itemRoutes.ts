import { deletionStatus } from '../../schema/decisions.ts';
import { type JsonObject, own } from '../../schema/json.ts';
import type { Kind } from '../../schema/kinds.ts';
import { linkOf } from '../../schema/links.ts';
import type { Ref } from '../../schema/ref.ts';
import { ApiFailure, notFound } from '../http/apiFailure.ts';
import { type ApiReply, type ApiRequest, reply } from '../http/message.ts';
import { parseObject, parseOptionalObject } from '../http/readBody.ts';
import { addKey } from './addKey.ts';
import { existingRow, requireParent } from './findRow.ts';
import { notAllowed, only } from './method.ts';
import type { Platform } from './platform.ts';
import { Presenter } from './presenter.ts';
import { read } from './readRoute.ts';
import { remove } from './removeRecord.ts';
import { create, patch, replace } from './writeRecord.ts';
import { shown, write } from './writeRoute.ts';

/** Read, change, replace and delete one record (protocol 3.1). */
export async function item(
  platform: Platform,
  request: ApiRequest,
  ref: Ref,
  operation: readonly string[],
): Promise<ApiReply> {
  if (operation.length > 0) return itemOperation(platform, request, ref, operation);
  const allowed = itemMethods(ref.kind);
  if (!allowed.includes(request.method)) throw notAllowed(request.method, allowed.join(', '));
  switch (request.method) {
    case 'DELETE':
      await platform.store.write((tx) => remove(platform, tx, existingRow(tx, ref, platform.org)));
      return reply(deletionStatus, {});
    case 'PATCH': {
      const body = parseObject(request.bodyText);
      return write(platform, request, ref.kind, (writing) => {
        const row = existingRow(writing.tx, ref, platform.org);
        return shown(writing, patch(writing, row, body), 200);
      });
    }
    case 'PUT':
      return put(platform, request, ref);
    default:
      return read(platform, ref);
  }
}

/** Users and tasks come about otherwise; an audit context stays for ever (resources A.1). */
function itemMethods(kind: Kind): readonly string[] {
  if (kind === 'user' || kind === 'task') return ['GET', 'PATCH', 'DELETE'];
  return kind === 'auditctx' ? ['GET', 'PUT', 'PATCH'] : ['GET', 'PUT', 'PATCH', 'DELETE'];
}

async function put(platform: Platform, request: ApiRequest, ref: Ref): Promise<ApiReply> {
  const sent = parseObject(request.bodyText);
  const name = own(sent, 'name') ?? ref.name;
  if (name !== ref.name) {
    throw new ApiFailure(400, `the name is ${JSON.stringify(name)}, not ${JSON.stringify(ref.name)}`);
  }
  const body: JsonObject = { ...sent, name };
  return write(platform, request, ref.kind, (writing) => {
    requireParent(writing.tx, ref.gvc, platform.org);
    const row = writing.tx.get(ref);
    if (row !== undefined) return shown(writing, replace(writing, row, body), 200);
    return shown(writing, create(writing, ref.kind, ref.gvc, body), 201);
  });
}

/** What stands below a record (protocol 2.2). */
async function itemOperation(
  platform: Platform,
  request: ApiRequest,
  ref: Ref,
  [operation, word, ...more]: readonly string[],
): Promise<ApiReply> {
  const { org, store } = platform;
  if (ref.kind === 'secret' && operation === '-reveal' && word === undefined) {
    return only(request, 'GET', () => {
      const body = store.read((tx) => {
        const row = existingRow(tx, ref, org);
        return new Presenter(platform, tx).text(row, row.hidden);
      });
      return { status: 200, body };
    });
  }
  if (ref.kind === 'serviceaccount' && operation === '-addKey' && word === undefined) {
    if (request.method !== 'POST') throw notAllowed(request.method, 'POST');
    const body = parseOptionalObject(request.bodyText);
    return reply(201, await store.write((tx) => addKey(platform, tx, existingRow(tx, ref, org), body)));
  }
  if (ref.kind === 'workload' && operation === 'deployment' && more.length === 0) {
    return only(request, 'GET', () => {
      const found = store.read((tx) => new Presenter(platform, tx).deployments(existingRow(tx, ref, org)));
      const self = `${linkOf(ref, org)}/deployment`;
      if (word === undefined) {
        return reply(200, { kind: 'list', itemKind: 'deployment', items: found, links: [{ rel: 'self', href: self }] });
      }
      const one = found.find((deployment) => own(deployment, 'name') === word);
      if (one === undefined) throw notFound(`${self}/${word}`);
      return reply(200, one);
    });
  }
  throw notFound(request.path);
}
