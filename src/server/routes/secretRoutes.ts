import { requirePermission } from './access.ts';
import { callRef } from './callRef.ts';
import { existingRow } from './findRow.ts';
import { itemTemplate } from './kindPaths.ts';
import { Presenter } from './presenter.ts';
import type { Route } from './route.ts';
import { readIn } from './session.ts';

export const secretRoutes: readonly Route[] = [
  {
    id: 'secret.reveal',
    method: 'GET',
    path: `${itemTemplate('secret')}/-reveal`,
    summary: 'A secret with its values',
    kind: 'secret',
    permission: 'reveal',
    answer: 'record',
    async handle(call) {
      const body = await readIn(call, (session) => {
        const { platform, tx } = session;
        const row = existingRow(tx, callRef(call, 'secret'), platform.org);
        requirePermission(session, 'reveal', row);
        return new Presenter(platform, tx).text(row, row.hidden);
      });
      return { status: 200, body };
    },
  },
];
