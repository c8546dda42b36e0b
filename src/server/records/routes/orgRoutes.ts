import { linkOf } from '../../../schema/record/ref.ts';
import { hasPermission, permittedRow } from '../../access/permissions.ts';
import { existingRow } from '../../core/findRow.ts';
import { type Call, readIn } from '../../core/session.ts';
import type { Route } from '../../http/dispatch/route.ts';
import type { ApiReply } from '../../http/message.ts';
import { parseObject, parseOptionalObject } from '../../http/readBody.ts';
import { asksForStatus, matches, sortedBy } from '../../query/decisions/queryMatch.ts';
import { askedQuery, repeatedQuery } from '../../query/pages/askedQuery.ts';
import type { Row } from '../../store/model/row.ts';
import { Presenter } from '../shown/presenter.ts';
import { shownReply } from '../shown/shownReply.ts';
import { patchRecord, replaceRecord } from '../writeRecord.ts';
import { writeRecordIn, writtenReply } from '../writtenReply.ts';
import { callerIn, postOrg, postOrgInAccount } from './postOrg.ts';

/**
 * Orgs: list, query, create (local use only), read and change. They cannot be deleted (platform/concepts.kinds,
 * platform/org).
 */
export const orgRoutes: readonly Route[] = [
  {
    id: 'org.list',
    method: 'GET',
    path: '/org',
    summary: 'List the orgs that the caller may see',
    kind: 'org',
    permission: 'token',
    answer: 'list',
    handle: list,
  },
  {
    id: 'org.query',
    method: 'POST',
    path: '/org/-query',
    summary: 'Query orgs',
    kind: 'org',
    permission: 'view',
    body: 'query',
    answer: 'queryresult',
    handle: query,
  },
  {
    id: 'org.create',
    method: 'POST',
    path: '/org',
    summary: 'Create an org, with everything that every org has',
    kind: 'org',
    permission: 'admin',
    body: 'record',
    answer: 'record',
    handle: postOrg,
  },
  {
    id: 'org.createInAccount',
    method: 'POST',
    path: '/account/{account}/org',
    summary: 'Create an org, as the billing service does',
    kind: 'org',
    permission: 'admin',
    body: { type: 'object', required: ['org'], properties: { org: { type: 'object' }, invitees: { type: 'array' } } },
    answer: 'record',
    statuses: [201],
    handle: postOrgInAccount,
  },
  {
    id: 'org.read',
    method: 'GET',
    path: '/org/{org}',
    summary: 'Read an org',
    kind: 'org',
    permission: 'view',
    answer: 'record',
    handle: read,
  },
  {
    id: 'org.edit',
    method: 'PATCH',
    path: '/org/{org}',
    summary: 'Change an org by a patch',
    kind: 'org',
    permission: 'edit',
    body: 'patch',
    answer: 'record',
    handle: (call) => write(call, 'PATCH'),
  },
  {
    id: 'org.replace',
    method: 'PUT',
    path: '/org/{org}',
    summary: 'Replace an org',
    kind: 'org',
    permission: 'edit',
    body: 'record',
    answer: 'record',
    handle: (call) => write(call, 'PUT'),
  },
];

async function list(call: Call): Promise<ApiReply> {
  const items = await visible(call, (presenter, row) => presenter.text(row));
  return { status: 200, body: `{"kind":"list",${page(items, 'org')}}` };
}

/** The same as queries of other records (platform/query), but always on one page: a platform has few orgs. */
async function query(call: Call): Promise<ApiReply> {
  const body = parseOptionalObject(call.request.bodyText);
  const asked = askedQuery(body, 'org');
  const found = await visible(call, (presenter, row) => {
    const candidate = presenter.candidate(row, asksForStatus(asked));
    if (!matches(candidate, asked)) return undefined;
    return {
      candidate,
      text: asked.links ? JSON.stringify(linkOf({ kind: 'org', name: row.name }, row.name)) : presenter.text(row),
    };
  });
  const { sort } = asked;
  const sorted = sort === undefined ? found : sortedBy(found, sort, ({ candidate }) => candidate.fields);
  const items = page(
    sorted.map(({ text }) => text),
    asked.links ? 'link' : 'org',
  );
  return { status: 200, body: `{"kind":"queryresult",${items},"query":${JSON.stringify(repeatedQuery(body, 'org'))}}` };
}

function page(items: readonly string[], itemKind: string): string {
  return `"itemKind":"${itemKind}","items":[${items.join(',')}],"links":[{"rel":"self","href":"/org"}]`;
}

/** The results of `make` for all orgs that the caller may see, by name, without undefined ones. */
async function visible<T>(
  { platform, caller }: Call,
  make: (presenter: Presenter, row: Row) => T | undefined,
): Promise<readonly T[]> {
  const { service } = platform;
  const made: T[] = [];
  for (const org of (await service.database.orgs()).toSorted()) {
    const [there, as] = [await service.of(org), callerIn(org, caller)];
    if (there === undefined || as === undefined) continue;
    const one = await readIn({ platform: there, caller: as }, (session) => {
      const row = existingRow(session.tx, { kind: 'org', name: org });
      return hasPermission(session, 'view', row) ? make(new Presenter(there, session.tx), row) : undefined;
    });
    if (one !== undefined) made.push(one);
  }
  return made;
}

function read(call: Call): Promise<ApiReply> {
  const ref = { kind: 'org', name: call.platform.org } as const;
  return readIn(call, (session) => shownReply(session, permittedRow(session, 'view', ref)));
}

function write(call: Call, method: 'PATCH' | 'PUT'): Promise<ApiReply> {
  const body = parseObject(call.request.bodyText);
  const ref = { kind: 'org', name: call.platform.org } as const;
  return writeRecordIn(call, { action: 'edit', kind: 'org', ref }, (writing) => {
    const row = permittedRow(writing, 'edit', ref);
    const changed =
      method === 'PATCH' ? patchRecord(writing, row, body) : replaceRecord(writing, row, { name: row.name, ...body });
    return writtenReply(writing, changed, 200);
  });
}
