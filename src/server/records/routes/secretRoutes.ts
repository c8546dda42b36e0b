import { secretTypes } from '../../../kinds/secret/fields.ts';
import { permittedRow } from '../../access/permissions.ts';
import { readIn } from '../../core/session.ts';
import { ApiFailure } from '../../http/apiFailure.ts';
import { callRef } from '../../http/dispatch/callRef.ts';
import { itemTemplate, orgTemplate } from '../../http/dispatch/kindPaths.ts';
import type { Route } from '../../http/dispatch/route.ts';
import { listPage } from '../../query/pages/listPage.ts';
import { Presenter } from '../shown/presenter.ts';

export const secretRoutes: readonly Route[] = [
  {
    id: 'secret.reveal',
    method: 'GET',
    path: `${itemTemplate('secret')}/-reveal`,
    summary: 'Read a secret with its values',
    kind: 'secret',
    permission: 'reveal',
    answer: 'record',
    handle: (call) =>
      readIn(call, (session) => {
        const { platform, tx } = session;
        const row = permittedRow(session, 'reveal', callRef(call, 'secret'));
        const body = new Presenter(platform, tx).textWith(row, platform.seal.open(row.hidden, row.uid));
        return { status: 200, body };
      }),
  },
  {
    id: 'secret.forType',
    method: 'GET',
    path: `${orgTemplate('secret')}/-for/type/{type}`,
    summary: 'List the secrets of one type, without their values',
    kind: 'secret',
    permission: 'view',
    answer: 'list',
    async handle(call) {
      const { type = '' } = call.params;
      if (!secretTypes.some((known) => known === type)) {
        throw new ApiFailure(400, `no secret has the type ${JSON.stringify(type)}; one of ${secretTypes.join(', ')}`);
      }
      const asked = { spec: { match: 'all', terms: [{ property: 'type', op: '=', value: type }] } };
      return { status: 200, body: await listPage(call, { kind: 'secret' }, asked) };
    },
  },
];
