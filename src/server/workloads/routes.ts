import {
  At,
  count,
  described,
  integer,
  name,
  number,
  object,
  optionals,
  text,
  textOf,
  tryRead,
} from '../../base/form/read.ts';
import { type JsonObject, numberAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { instantOf } from '../../base/text/instant.ts';
import { bodyProblems } from '../../schema/record/problem.ts';
import { lastSegment, linkOf } from '../../schema/record/ref.ts';
import { permittedRow } from '../access/permissions.ts';
import { writeIn } from '../audit/auditedWrite.ts';
import { rolloutEvents } from '../audit/decisions/eventRecord.ts';
import { referencesOf } from '../core/referencesOf.ts';
import { existingRow } from '../core/rows.ts';
import { type Call, readIn, type Session } from '../core/session.ts';
import { cronStateIn, storeCronState } from '../cron/cronState.ts';
import { jobOf } from '../cron/decisions/job.ts';
import { defaultRun, simulatedRunsJson } from '../cron/decisions/simulatedRuns.ts';
import { ApiFailure, invalid, notFound } from '../http/apiFailure.ts';
import { callRef, itemTemplate, type Route } from '../http/dispatch/route.ts';
import { type ApiReply, reply } from '../http/message.ts';
import { parseObject } from '../http/readBody.ts';
import { applyConsequences } from '../records/derived/consequences.ts';
import { Presenter } from '../records/shown/presenter.ts';
import { type Row, refOfRow } from '../store/model/row.ts';
import { type LocationFacts, locationFacts, namesIn } from './decisions/facts.ts';
import { type LogLine, logLines } from './decisions/logLines.ts';
import { type Demand, demandJson, readDemand } from './decisions/scale.ts';
import { restart } from './stopReplica.ts';

/** The load, replicas and crashes of a serving workload, in one or all locations (local only). */
const useBody = object(
  optionals({
    location: name,
    load: described('Of all replicas of a location together, in units of the metric', number({ least: 0 })),
    replicas: described('Independent of the load, but within the bounds', count),
    crash: described(
      'A replica stops and restarts: the named one, or the first',
      object(optionals({ replica: text, exitCode: integer({ least: 0, most: 255 }), reason: textOf({ most: 250 }) })),
    ),
  }),
);

/** Runs one simulation. Returns the number of replicas of each location. */
function simulateUse(session: Session, row: Row, body: JsonObject, locations: readonly string[]): JsonObject {
  const { platform, tx } = session;
  const placesIn = (of: Row) => new Presenter(platform, tx).locationFactsOf(of);
  let current = row;
  for (const place of placesIn(row).filter(({ location }) => locations.includes(location))) {
    current = withDemand(session, current, place, body);
    if (own(body, 'crash') !== undefined) crashReplica(session, current, place, objectAt(body, 'crash'));
    current = tx.byUid('workload', row.uid) ?? current;
  }
  const ref = refOfRow(row);
  applyConsequences(session, [ref], referencesOf(ref, row.record, tx.org));
  const desired = placesIn(current).map(({ location, desired: count }) => [location, count] as const);
  return { desiredScale: Object.fromEntries(desired) };
}

function withDemand({ platform, tx }: Session, row: Row, { location, desired }: LocationFacts, body: JsonObject): Row {
  const [load, replicas] = [numberAt(body, 'load'), numberAt(body, 'replicas')];
  if (load === undefined && replicas === undefined) return row;
  const demand: Demand = {
    sinceMs: platform.now(),
    before: desired,
    ...present({ load, replicas }),
  };
  // An unchanged load must not restart the delay before scaling to zero.
  const known = readDemand(row.state, location);
  const same = known !== undefined && known.load === load && known.replicas === replicas;
  const state = same
    ? row.state
    : { ...row.state, demand: { ...objectAt(row.state, 'demand'), [location]: demandJson(demand) } };
  tx.updateState(row, state);
  return { ...row, state };
}

function crashReplica(session: Session, row: Row, place: LocationFacts, asked: JsonObject): void {
  const replica = stringAt(asked, 'replica') ?? place.replicas[0];
  const ending = { exitCode: numberAt(asked, 'exitCode') ?? 1, reason: stringAt(asked, 'reason') ?? 'Error' };
  if (replica !== undefined && restart(session, row, place, { replica, ...ending })) return;
  throw new ApiFailure(400, `crash: no replica ${replica ?? ''} runs in ${place.location}`);
}

/** The outcome of the next runs of a cron workload. */
const runsBody = object(
  optionals({
    runSeconds: number({ least: 0, most: 31_536_000 }),
    exitCode: integer({ least: 0, most: 255 }),
    times: integer({ least: 1 }),
    location: name,
  }),
);

const path = `${itemTemplate('workload')}/deployment`;

/** The deployments of a workload (platform/lifecycle.deployment). */
export const deploymentRoutes: readonly Route[] = [
  {
    id: 'workload.deployments',
    method: 'GET',
    path,
    summary: 'List the deployments of a workload, one for each location',
    kind: 'workload',
    permission: 'view',
    answer: 'list',
    async handle(call) {
      const { self, items: bare } = await readDeployments(call);
      const items = bare.map((deployment) => withRemote(call, deployment));
      return reply(200, { kind: 'list', itemKind: 'deployment', items, links: [{ rel: 'self', href: self }] });
    },
  },
  {
    id: 'workload.deployment',
    method: 'GET',
    path: `${path}/{location}`,
    summary: 'Read the deployment of a workload in a location',
    kind: 'workload',
    permission: 'view',
    answer: { type: 'object' },
    async handle(call) {
      const { self, items } = await readDeployments(call);
      const one = items.find((deployment) => own(deployment, 'name') === call.params['location']);
      if (one === undefined) throw notFound(`${self}/${call.params['location']}`);
      return reply(200, withRemote(call, one));
    },
  },
  {
    id: 'workload.replicas',
    method: 'GET',
    path: `/-remote/{location}/replicas${itemTemplate('workload')}`,
    summary: 'List the names of the replicas of a workload in a location',
    kind: 'workload',
    permission: 'view',
    answer: { type: 'object', properties: { items: { type: 'array', items: { type: 'string' } } } },
    async handle(call) {
      const location = call.params['location'] ?? '';
      const items = await readIn(call, (session) => {
        const { platform, tx } = session;
        const row = permittedRow(session, 'view', callRef(call, 'workload'));
        const facts = new Presenter(platform, tx).workloadFacts(row);
        const place = locationFacts(facts).find((each) => each.location === location);
        return place === undefined ? undefined : namesIn(facts, place);
      });
      if (items === undefined) throw notFound(`a deployment in ${location}`);
      return reply(200, { items });
    },
  },
];

/**
 * Adds `status.remote`, the URL that lists replicas (platform/lifecycle.replicas), if this server knows its address.
 */
function withRemote({ request }: Call, deployment: JsonObject): JsonObject {
  if (request.base === undefined) return deployment;
  const remote = `${request.base}/-remote/${stringAt(deployment, 'name') ?? ''}`;
  return { ...deployment, status: { ...objectAt(deployment, 'status'), remote } };
}

function readDeployments(call: Call) {
  const ref = callRef(call, 'workload');
  return readIn(call, (session) => {
    const { platform, tx } = session;
    const row = permittedRow(session, 'view', ref);
    return { self: `${linkOf(ref, platform.org)}/deployment`, items: new Presenter(platform, tx).deployments(row) };
  });
}

/** Simulation of workloads (local only). */
export const workloadRoutes: readonly Route[] = [
  {
    id: 'workload.simulate',
    method: 'POST',
    path: `${itemTemplate('workload')}/-simulate`,
    summary: 'Set how the next runs of a cron workload end, or the load of another one',
    kind: 'workload',
    permission: 'admin',
    devOnly: true,
    body: { oneOf: [runsBody.schema, useBody.schema] },
    answer: { type: 'object' },
    handle: simulate,
  },
];

function simulate(call: Call): Promise<ApiReply> {
  const body = parseObject(call.request.bodyText);
  const ref = callRef(call, 'workload');
  return writeIn(call, { action: 'edit', kind: 'workload', ref }, (session) => {
    const row = existingRow(session.tx, ref);
    const isCron = jobOf(row) !== undefined;
    const read = tryRead(() => (isCron ? runsBody : useBody).read(body, new At()));
    if ('problems' in read) throw invalid(bodyProblems(read.problems));
    const locations = requestedLocations(session, row, body);
    const simulated = isCron ? simulateRuns : simulateUse;
    return { reply: reply(200, simulated(session, row, body, locations)) };
  });
}

function simulateRuns(session: Session, row: Row, body: JsonObject, locations: readonly string[]): JsonObject {
  const left = numberAt(body, 'times');
  const runs = {
    runSeconds: numberAt(body, 'runSeconds') ?? defaultRun.runSeconds,
    exitCode: numberAt(body, 'exitCode') ?? defaultRun.exitCode,
    ...present({ left }),
  };
  let current = row;
  for (const location of locations) {
    current = storeCronState(session, current, location, {
      state: { ...cronStateIn(current, location), runs },
      changed: [],
    });
  }
  return simulatedRunsJson(runs);
}

/** The location in the body, or all locations of the GVC. */
function requestedLocations({ platform, tx }: Session, row: Row, body: JsonObject): readonly string[] {
  const known = new Presenter(platform, tx).locationsOf(row.gvc).map(({ name }) => name);
  if (own(body, 'location') === undefined) return known;
  const location = lastSegment(stringAt(body, 'location') ?? '');
  if (known.includes(location)) return [location];
  throw new ApiFailure(400, `location: ${location} is not a location of the GVC ${row.gvc}`);
}

/**
 * Logs of workloads in Loki's form (platform/wire.discovery). No container really runs: the lines describe the
 * simulation.
 */
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
  const places = new Presenter(platform, tx).locationFactsOf(row);
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
  /** Labels with their required values. */
  readonly labels: ReadonlyMap<string, string>;
  readonly fromMs: number;
  readonly toMs: number;
  readonly limit: number;
  readonly isNewestFirst: boolean;
}

const hourMs = 3_600_000;
const usualLimit = 100;
const mostLines = 5_000;

/** Parses the query; throws an error with the problem. Of LogQL only a selector of equal labels is supported. */
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

/** Accepts nanoseconds or seconds since 1970, or ISO 8601. */
function timeIn(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  if (/^\d{16,}$/.test(text)) return Number(text.slice(0, -6));
  const ms = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : instantOf(text, 'UTC');
  if (ms === undefined) throw new RangeError(`${name} is a time: nanoseconds since 1970, or ISO 8601`);
  return ms;
}
