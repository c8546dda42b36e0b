import { notFound } from '../http/apiFailure.ts';
import { type ApiReply, type ApiRequest, reply } from '../http/message.ts';
import { addressOf } from './address.ts';
import { collection, collectionOperation } from './collectionRoutes.ts';
import { item } from './itemRoutes.ts';
import { only } from './method.ts';
import { about, discovery, orgList, orgRecord } from './orgRecord.ts';
import type { Platform } from './platform.ts';

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
