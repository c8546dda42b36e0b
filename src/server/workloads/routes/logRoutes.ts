import type { JsonObject } from '../../../base/json/json.ts';
import { permittedRow } from '../../access/permissions.ts';
import { rolloutEvents } from '../../audit/decisions/rolloutEvents.ts';
import { type Call, readIn, type Session } from '../../core/session.ts';
import { ApiFailure } from '../../http/apiFailure.ts';
import type { Route } from '../../http/dispatch/route.ts';
import { reply } from '../../http/message.ts';
import { Presenter } from '../../records/shown/presenter.ts';
import { type LogLine, logLines } from '../decisions/logLines.ts';
import { type LogQuery, readLogQuery } from '../decisions/logQuery.ts';

/** Logs of the workloads, as Loki answers (platform/wire.discovery). No container really runs: the lines tell what is simulated. */
export const logRoutes: readonly Route[] = [
  {
    id: 'org.logs',
    method: 'GET',
    path: '/logs/org/{org}/loki/api/v1/query_range',
    summary: 'Read the lines of a workload: what is simulated of its containers',
    kind: 'org',
    permission: 'readLogs',
    answer: { type: 'object' },
    query: [
      { name: 'query', description: 'A selector that names a workload: {gvc="shop", workload="web"}' },
      { name: 'start', description: 'From then on: nanoseconds since 1970, or ISO 8601. Default: an hour before end' },
      { name: 'end', description: 'Until then, in the same forms. Default: now' },
      { name: 'limit', description: 'The number of lines at most. Default: 100' },
      { name: 'direction', description: 'forward: the oldest first. Default: backward' },
    ],
    handle: (call) =>
      readIn(call, (session) => {
        permittedRow(session, 'readLogs', { kind: 'org', name: session.platform.org });
        const asked = queryOf(call);
        return reply(200, { status: 'success', data: { resultType: 'streams', result: streams(session, asked) } });
      }),
  },
];

function queryOf({ request, platform }: Call): LogQuery {
  try {
    return readLogQuery(request.query, platform.now());
  } catch (error) {
    throw error instanceof RangeError ? new ApiFailure(400, error.message) : error;
  }
}

/** One stream for each container of a replica. */
function streams({ platform, tx }: Session, asked: LogQuery): readonly JsonObject[] {
  const { labels, fromMs, toMs, limit, isNewestFirst } = asked;
  const [gvc = '', name = ''] = [labels.get('gvc'), labels.get('workload')];
  const row = gvc === '' || name === '' ? undefined : tx.get({ kind: 'workload', gvc, name });
  if (row === undefined) return [];
  const { record, state, version } = row;
  const places = new Presenter(platform, tx).placesOf(row);
  const rollout = rolloutEvents(record, state, version);
  const lines = logLines({ record, state, version, nowMs: platform.now(), places, rollout })
    .filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
    .filter((line) => [...labels].every(([label, value]) => labelsOf(line, gvc, name)[label] === value));
  const shown = isNewestFirst ? lines.toReversed() : lines;
  const grouped = Map.groupBy(shown.slice(0, limit), (line) => JSON.stringify(labelsOf(line, gvc, name)));
  return [...grouped.values()].map((of) => ({
    stream: of[0] === undefined ? {} : { ...labelsOf(of[0], gvc, name) },
    values: of.map(({ atMs, text }) => [`${atMs}000000`, text]),
  }));
}

function labelsOf(
  { location, replica, container }: LogLine,
  gvc: string,
  workload: string,
): Readonly<Record<string, string>> {
  return { gvc, workload, location, replica, container };
}
