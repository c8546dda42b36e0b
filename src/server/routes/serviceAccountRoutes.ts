import { permittedRow } from '../access/permissions.ts';
import { writeIn } from '../audit/auditedWrite.ts';
import { existingRow } from '../core/findRow.ts';
import { callRef } from '../dispatch/callRef.ts';
import { itemTemplate } from '../dispatch/kindPaths.ts';
import type { Route } from '../dispatch/route.ts';
import { reply } from '../http/message.ts';
import { parseOptionalObject } from '../http/readBody.ts';
import { addServiceAccountKey } from '../records/serviceAccountKeys.ts';

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
        const key = addServiceAccountKey(session.platform, session.tx, row, body);
        return { reply: reply(201, key), row: existingRow(session.tx, ref) };
      });
    },
  },
];
