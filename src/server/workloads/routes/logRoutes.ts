import type { JsonObject } from '../../../base/json/json.ts';
import { instantOf } from '../../../base/text/instant.ts';
import { permittedRow } from '../../access/permissions.ts';
import { rolloutEvents } from '../../audit/decisions/rolloutEvents.ts';
import { type Call, readIn, type Session } from '../../core/session.ts';
import { ApiFailure } from '../../http/apiFailure.ts';
import type { Route } from '../../http/dispatch/route.ts';
import { reply } from '../../http/message.ts';
import { Presenter } from '../../records/shown/presenter.ts';
import { type LogLine, logLines } from '../decisions/logLines.ts';

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

/** A query of logs, in the form of Loki's `query_range`. Times in milliseconds since 1970. */
interface LogQuery {
  /** Labels with the values that they have to have. */
  readonly labels: ReadonlyMap<string, string>;
  readonly fromMs: number;
  readonly toMs: number;
  readonly limit: number;
  readonly isNewestFirst: boolean;
}

const hourMs = 3_600_000;
const usualLimit = 100;
const mostLines = 5_000;

/** Throws what is wrong with it, in words: a selector of equal labels is all that is known of LogQL here. */
export function readLogQuery(parameters: URLSearchParams, nowMs: number): LogQuery {
  const limit = Number(parameters.get('limit') ?? usualLimit);
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > mostLines) {
    throw new RangeError(`limit is 1 to ${mostLines}`);
  }
  const toMs = timeIn(parameters, 'end') ?? nowMs;
  return {
    labels: labelsIn(parameters.get('query') ?? '{}'),
    fromMs: timeIn(parameters, 'start') ?? toMs - hourMs,
    toMs,
    limit,
    isNewestFirst: parameters.get('direction') !== 'forward',
  };
}

function labelsIn(query: string): ReadonlyMap<string, string> {
  const [, inside] = /^\s*\{(.*)\}\s*$/.exec(query) ?? [];
  if (inside === undefined) throw new RangeError('query is a selector: {gvc="shop", workload="web"}');
  const labels = new Map<string, string>();
  const rest = inside.replaceAll(/\s*(\w+)\s*=\s*"([^"\\]*)"\s*(?:,|$)/g, (_, label: string, value: string) => {
    labels.set(label, value);
    return '';
  });
  if (rest.trim() !== '') throw new RangeError(`query has only labels with equal values: ${rest.trim()} is not known`);
  return labels;
}

/** Nanoseconds or seconds since 1970, or ISO 8601. */
function timeIn(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  if (/^\d{16,}$/.test(text)) return Number(text.slice(0, -6));
  const ms = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : instantOf(text, 'UTC');
  if (ms === undefined) throw new RangeError(`${name} is a time: nanoseconds since 1970, or ISO 8601`);
  return ms;
}
