import { linkOf } from '../../schema/links.ts';
import { notFound } from '../http/apiFailure.ts';
import { requirePermission } from './access.ts';
import { findRow } from './findRow.ts';
import { orgTemplate } from './kindPaths.ts';
import { Presenter } from './presenter.ts';
import type { Route } from './route.ts';
import { readIn } from './session.ts';

export const userRoutes: readonly Route[] = [
  {
    id: 'user.forEmail',
    method: 'GET',
    path: `${orgTemplate('user')}/-for/email/{email}`,
    summary: 'The user with an e-mail address',
    kind: 'user',
    permission: 'view',
    answer: 'record',
    async handle(call) {
      const ref = { kind: 'user', name: call.params['email'] ?? '' } as const;
      const body = await readIn(call, (session) => {
        const { platform, tx } = session;
        const row = findRow(tx, ref);
        if (row === undefined) throw notFound(linkOf(ref, platform.org));
        requirePermission(session, 'view', row);
        return new Presenter(platform, tx).text(row);
      });
      return { status: 200, body };
    },
  },
];
