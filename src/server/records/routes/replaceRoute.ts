import { own } from '../../../base/json/json.ts';
import { aKind } from '../../../kinds/kindWords.ts';
import type { Kind } from '../../../schema/record/kinds.ts';
import { permittedRow } from '../../access/permissions.ts';
import { ApiFailure } from '../../http/apiFailure.ts';
import { callRef } from '../../http/dispatch/callRef.ts';
import { itemTemplate } from '../../http/dispatch/kindPaths.ts';
import type { Route } from '../../http/dispatch/route.ts';
import { parseObject } from '../../http/readBody.ts';
import { replaceRecord } from '../writeRecord.ts';
import { writeRecordIn, writtenReply } from '../writtenReply.ts';

/** PUT for kinds that clients cannot create: the record must exist (platform/clients.operations, `edit --replace`). */
export function replaceRoute(kind: Kind): Route {
  return {
    id: `${kind}.replace`,
    method: 'PUT',
    path: itemTemplate(kind),
    summary: `Replace ${aKind(kind)}`,
    kind,
    permission: 'edit',
    body: 'record',
    answer: 'record',
    handle(call) {
      const sent = parseObject(call.request.bodyText);
      const ref = callRef(call, kind);
      return writeRecordIn(call, { action: 'edit', kind, ref }, (writing) => {
        const row = permittedRow(writing, 'edit', ref);
        const stated = own(sent, 'name') ?? row.name;
        if (stated !== row.name) {
          throw new ApiFailure(400, `the name is ${JSON.stringify(stated)}, not ${JSON.stringify(row.name)}`);
        }
        return writtenReply(writing, replaceRecord(writing, row, { ...sent, name: row.name }), 200);
      });
    },
  };
}
