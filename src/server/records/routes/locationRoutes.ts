import { linkOf, type Ref } from '../../../schema/record/ref.ts';
import { permittedRow } from '../../access/permissions.ts';
import { readIn, type Session } from '../../core/session.ts';
import { notFound } from '../../http/apiFailure.ts';
import { callRef } from '../../http/dispatch/callRef.ts';
import { itemTemplate } from '../../http/dispatch/kindPaths.ts';
import type { Route } from '../../http/dispatch/route.ts';
import type { ApiReply } from '../../http/message.ts';
import { refOfRow } from '../../store/model/row.ts';
import { type Helper, helperScript, helpers, isOwnLocation } from '../decisions/ownLocation.ts';

const asText = { 'content-type': 'text/plain; charset=utf-8' };

/** The scripts behind the links `install` and `uninstall` of a self-hosted location (platform/concepts.links). */
export const locationRoutes: readonly Route[] = helpers.map((helper) => ({
  id: `location.${helper}`,
  method: 'GET',
  path: `${itemTemplate('location')}/-${helper}`,
  summary: `Read the script behind the link ${helper} of a self-hosted location`,
  kind: 'location',
  permission: 'view',
  answer: 'text',
  handle: (call) => readIn(call, (session) => script(session, callRef(call, 'location'), helper, call.request.path)),
}));

function script(session: Session, ref: Ref, helper: Helper, path: string): ApiReply {
  const row = permittedRow(session, 'view', ref);
  if (!isOwnLocation(row.record)) throw notFound(path);
  return { status: 200, body: helperScript(helper, linkOf(refOfRow(row), session.platform.org)), headers: asText };
}
