import { type JsonObject, stringAt } from '../../../base/json/json.ts';
import { writeIn } from '../../audit/auditedWrite.ts';
import { existingRow } from '../../core/findRow.ts';
import { updateOwn } from '../../core/ownWrite.ts';
import { keysOf, originOf } from '../../core/recordFacts.ts';
import type { UnitOfWork } from '../../core/session.ts';
import { ApiFailure } from '../../http/apiFailure.ts';
import { callRef } from '../../http/dispatch/callRef.ts';
import { itemTemplate } from '../../http/dispatch/kindPaths.ts';
import type { Route } from '../../http/dispatch/route.ts';
import { reply } from '../../http/message.ts';
import { parseOptionalObject } from '../../http/readBody.ts';
import type { Row } from '../../store/model/row.ts';
import { newKey } from '../decisions/serviceAccountKey.ts';
import { permittedRow } from '../permissions.ts';

export const serviceAccountRoutes: readonly Route[] = [
  {
    id: 'serviceaccount.addKey',
    method: 'POST',
    path: `${itemTemplate('serviceaccount')}/-addKey`,
    summary: 'Add a key to a service account',
    kind: 'serviceaccount',
    permission: 'addKey',
    body: {
      type: 'object',
      properties: { description: { type: 'string', maxLength: 250 } },
      required: ['description'],
    },
    answer: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        created: { type: 'string', format: 'date-time' },
        description: { type: 'string' },
        key: { type: 'string' },
      },
    },
    async handle(call) {
      const body = parseOptionalObject(call.request.bodyText);
      const ref = callRef(call, 'serviceaccount');
      return writeIn(call, { action: 'edit', kind: 'serviceaccount', ref }, (session) => {
        const row = permittedRow(session, 'addKey', ref);
        const key = addServiceAccountKey(session, row, body);
        return { reply: reply(201, key), row: existingRow(session.tx, ref) };
      });
    },
  },
];

/**
 * A new key of a service account: only this answer contains its value, of which a digest is stored
 * (platform/access.tokens, platform/serviceaccount.keys).
 */
function addServiceAccountKey(work: UnitOfWork, row: Row, body: JsonObject): JsonObject {
  const { platform } = work;
  const description = stringAt(body, 'description')?.trim(); // as that of a record (platform/concepts.description)
  if (description === undefined || description === '' || description.length > 250) {
    throw new ApiFailure(400, 'description: a key needs a description of 1 to 250 characters');
  }
  if (originOf(row) === 'builtin') throw new ApiFailure('built_in', `${row.name} is built in and cannot be changed`);
  const { name, key } = newKey(platform.org, row.name, platform, platform.randomText);
  const nowMs = platform.now();
  const created = new Date(nowMs).toISOString();
  const keys = [...keysOf(row), { name, created, description, digest: platform.digest(key) }];
  updateOwn(work, row, { state: { ...row.state, keys } });
  return { name, created, description, key };
}
