import { isObject, type JsonObject, numberAt, objectAt, own, stringAt } from '../../../base/json/json.ts';
import { linkOf } from '../../../schema/record/ref.ts';
import { requirePermission } from '../../access/permissions.ts';
import { writeIn } from '../../audit/auditedWrite.ts';
import { insertOwn, updateOwn } from '../../core/ownWrite.ts';
import { type Call, readIn } from '../../core/session.ts';
import { Slices } from '../../core/slices.ts';
import { ApiFailure, notFound } from '../../http/apiFailure.ts';
import { orgTemplate } from '../../http/dispatch/kindPaths.ts';
import type { Route } from '../../http/dispatch/route.ts';
import type { ApiReply } from '../../http/message.ts';
import { parseObject } from '../../http/readBody.ts';
import { allOf, type Scan, scan } from '../../query/pages/recordScan.ts';
import { type Row, refOfRow } from '../../store/model/row.ts';
import { requireQuota } from '../shown/quotaUse.ts';
import { shownReply } from '../shown/shownReply.ts';
import { replaceRoute } from './replaceRoute.ts';

/** Name and tag have up to 128 characters each (platform/concepts.names); tags as in registries. */
const form = /^(?=[^:]{1,128}:)([a-z0-9]+(?:[-._]+[a-z0-9]+)*):([A-Za-z0-9_][-._A-Za-z0-9]{0,127})$/;

/** This platform has no registry to push to: a local-only endpoint creates images instead. */
export const imageRoutes: readonly Route[] = [
  replaceRoute('image'),
  {
    id: 'image.latest',
    method: 'GET',
    path: `${orgTemplate('image')}/-latest/{repository}`,
    summary: 'Read the image of a repository that was pushed last',
    kind: 'image',
    permission: 'view',
    answer: 'record',
    handle: latest,
  },
  {
    id: 'image.simulate',
    method: 'POST',
    path: `${orgTemplate('image')}/-simulate`,
    summary: 'Push an image, as the registry would',
    kind: 'image',
    permission: 'admin',
    devOnly: true,
    body: {
      type: 'object',
      properties: { name: { type: 'string' }, digest: { type: 'string' }, manifest: { type: 'object' } },
      required: ['name'],
      additionalProperties: false,
    },
    answer: 'record',
    handle: push,
  },
];

async function latest(call: Call): Promise<ApiReply> {
  const repository = call.params['repository'] ?? '';
  const found = await lastPushed(call, repository, allOf('image'));
  // 403 if the caller may not see the image, 404 if there is none.
  const row = found ?? (await lastPushed(call, repository, { ...allOf('image'), viewable: () => () => true }));
  return readIn(call, (session) => {
    const current = row === undefined ? undefined : session.tx.get(refOfRow(row));
    if (current === undefined) throw notFound(call.request.path);
    requirePermission(session, 'view', current);
    return shownReply(session, current);
  });
}

function lastPushed(call: Call, repository: string, images: Scan): Promise<Row | undefined> {
  return Slices.ofCall(call, async (slices) => {
    let last: Row | undefined;
    for await (const { row } of scan(call, slices, images)) {
      await slices.rest();
      if (stringAt(objectAt(row.state, 'shown'), 'repository') !== repository) continue;
      if (last === undefined || (pushedMs(row) - pushedMs(last) || row.seq - last.seq) > 0) last = row;
    }
    return last;
  });
}

function pushedMs(row: Row): number {
  return numberAt(row.state, 'pushedMs') ?? row.createdMs;
}

/** An existing tag moves to the new digest; its description and tags do not change. */
function push(call: Call): Promise<ApiReply> {
  const body = parseObject(call.request.bodyText);
  const name = stringAt(body, 'name') ?? '';
  const ref = { kind: 'image', name } as const;
  return writeIn(call, { action: 'create', kind: 'image', ref }, (session) => {
    const { platform, tx } = session;
    const parsed = parseImageName(name);
    if (parsed === undefined) throw new ApiFailure(400, `name: ${JSON.stringify(name)} is not NAME:TAG`);
    const digest = stringAt(body, 'digest') ?? `sha256:${platform.digest(`${platform.org}/${name}`)}`;
    const manifest = own(body, 'manifest') ?? emptyManifest(digest);
    if (!isObject(manifest)) throw new ApiFailure(400, 'manifest: must be an object');
    const pushedMs = platform.now();
    const state = { shown: { ...parsed, digest, manifest }, pushedMs };
    const known = tx.get(ref);
    if (known === undefined) requireQuota(tx, 'image', {});
    const record = { name, description: name, tags: {} };
    const row =
      known === undefined
        ? insertOwn(session, { ...ref, record, state }, { createdMs: pushedMs })
        : updateOwn(session, known, { state });
    const headers = { location: linkOf(refOfRow(row), platform.org) };
    const shown = { ...shownReply(session, row), status: 201, headers };
    return { reply: shown, row, action: known === undefined ? 'create' : 'edit' };
  });
}

function emptyManifest(digest: string): JsonObject {
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  return { schemaVersion: 2, mediaType, config: { digest }, layers: [] };
}

interface ImageName {
  readonly repository: string;
  readonly tag: string;
}

/** Undefined: not `NAME:TAG`. */
export function parseImageName(text: string): ImageName | undefined {
  const [, repository, tag] = form.exec(text) ?? [];
  return repository === undefined || tag === undefined ? undefined : { repository, tag };
}
