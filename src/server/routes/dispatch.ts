import { type JsonObject, objectAt, own, stringAt } from '../../schema/json.ts';
import { isGvcScoped, type Kind } from '../../schema/kinds.ts';
import { deletionStatus } from '../../schema/decisions.ts';
import { linkOf } from '../../schema/links.ts';
import type { Ref } from '../../schema/ref.ts';
import { ApiFailure, notFound } from '../http/apiFailure.ts';
import { type ApiReply, type ApiRequest, reply } from '../http/message.ts';
import { parseObject, parseOptionalObject } from '../http/readBody.ts';
import { refOfRow, type Row } from '../store/row.ts';
import { addKey } from './addKey.ts';
import { addressOf } from './address.ts';
import { listPage, queryPage } from './collections.ts';
import { existingRow, findRow, requireParent } from './findRow.ts';
import type { Platform } from './platform.ts';
import { about, discovery, orgList, orgRecord } from './orgRecord.ts';
import { Presenter } from './presenter.ts';
import { remove } from './removeRecord.ts';
import { create, patch, replace, type Writing } from './writeRecord.ts';

/** The answer to one request that was let in. Throws an ApiFailure for every refusal. */
export async function dispatch(platform: Platform, request: ApiRequest): Promise<ApiReply> {
  const [top, org, ...rest] = request.segments;
  if (top === 'discovery' && org === undefined) return only(request, 'GET', () => reply(200, discovery));
  if (top === 'about' && org === undefined) return only(request, 'GET', () => reply(200, about));
  if (top !== 'org') throw notFound(request.path);
  if (org === undefined) return only(request, 'GET', () => reply(200, orgList(platform)));
  if (org !== platform.org) throw notFound(`/org/${org}`);
  if (rest.length === 0) return only(request, 'GET', () => reply(200, orgRecord(platform)));

  const address = addressOf(rest);
  if (address === undefined) throw notFound(request.path);
  if (address.at === 'item') return item(platform, request, address.ref, address.operation);
  const { kind, gvc, operation } = address;
  return operation.length === 0
    ? collection(platform, request, kind, gvc)
    : collectionOperation(platform, request, kind, gvc, operation);
}

async function collection(
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

async function collectionOperation(
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

async function item(
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

function read(platform: Platform, ref: Ref): ApiReply {
  const body = platform.store.read((tx) => {
    const row = findRow(tx, ref) ?? tx.leaving(ref);
    if (row === undefined) throw notFound(linkOf(ref, platform.org));
    return new Presenter(platform, tx).text(row);
  });
  return { status: 200, body };
}

/** Carries the reply of a rehearsed write out of its transaction, which is undone. */
class Rehearsed extends Error {
  readonly answer: ApiReply;

  constructor(answer: ApiReply) {
    super('rehearsed');
    this.answer = answer;
  }
}

/** One write in one transaction; with `?dryRun=true` it is undone, and its reply is 200. */
async function write(
  platform: Platform,
  request: ApiRequest,
  kind: Kind,
  work: (writing: Writing) => ApiReply,
): Promise<ApiReply> {
  const validators = await platform.validatorsOf(kind);
  const rehearsed = request.method === 'PUT' && request.query.get('dryRun') === 'true';
  try {
    return await platform.store.write((tx) => {
      const answer = work({ platform, tx, validators });
      if (rehearsed) throw new Rehearsed({ status: 200, body: answer.body });
      return answer;
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.answer;
    throw error;
  }
}

function shown({ platform, tx }: Writing, row: Row, status: 200 | 201): ApiReply {
  const presenter = new Presenter(platform, tx);
  if (status === 200) return { status, body: presenter.text(row) };
  const headers = { location: linkOf(refOfRow(row), platform.org) };
  return { status, body: presenter.text(row, row.kind === 'agent' ? bootstrap(platform, row) : {}), headers };
}

/** How an agent registers: shown in the answer to its creation only (resources B14). */
function bootstrap(platform: Platform, row: Row): JsonObject {
  const agentLink = linkOf(refOfRow(row), platform.org);
  const registrationToken = platform.randomText(40);
  return {
    status: {
      ...objectAt(objectAt(row.state, 'shown'), 'status'),
      bootstrapConfig: { registrationToken, agentId: row.uid, agentLink, hubEndpoint: '', protocolVersion: 'v1' },
    },
  };
}

function only(request: ApiRequest, method: 'GET' | 'POST', answer: () => ApiReply): ApiReply {
  if (request.method !== method) throw notAllowed(request.method, method);
  return answer();
}

function notAllowed(method: string, allow: string): ApiFailure {
  return new ApiFailure(405, `${method} is not available here`, { headers: { allow } });
}
