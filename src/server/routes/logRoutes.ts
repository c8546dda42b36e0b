import { permittedRow } from '../access/permissions.ts';
import { readIn } from '../core/session.ts';
import type { Route } from '../dispatch/route.ts';
import { reply } from '../http/message.ts';

/** Logs of containers (platform/wire.discovery). Always empty: no container really runs here. */
export const logRoutes: readonly Route[] = [
  {
    id: 'org.logs',
    method: 'GET',
    path: '/logs/org/{org}/loki/api/v1/query_range',
    summary: 'Read logs of containers: always empty, as no container really runs',
    kind: 'org',
    permission: 'readLogs',
    answer: { type: 'object' },
    handle: (call) =>
      readIn(call, (session) => {
        permittedRow(session, 'readLogs', { kind: 'org', name: session.platform.org });
        return reply(200, { status: 'success', data: { resultType: 'streams', result: [] } });
      }),
  },
];
