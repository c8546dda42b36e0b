import { type JsonObject, objectAt, stringAt } from '../../base/json/json.ts';
import type { Problem } from '../../schema/record/problem.ts';
import { permittedRow } from '../access/permissions.ts';
import { writeIn } from '../audit/auditedWrite.ts';
import { existingRow } from '../core/rows.ts';
import { type Call, readIn } from '../core/session.ts';
import { Slices } from '../core/slices.ts';
import { ApiFailure, invalid, notFound } from '../http/apiFailure.ts';
import { callRef, itemTemplate, type Route } from '../http/dispatch/route.ts';
import { type ApiReply, reply } from '../http/message.ts';
import { parseObject } from '../http/readBody.ts';
import { Presenter } from '../records/shown/presenter.ts';
import { refOfRow } from '../store/model/row.ts';
import { usedGb } from './decisions/growth.ts';
import { isShared, type Mounter } from './decisions/reconcileVolumes.ts';
import { knownSizes, longestLookbackMs, measurementIntervalMs, withSimulatedUsage } from './decisions/usage.ts';
import {
  appliesTo,
  readSimulation,
  readVolumes,
  type SimulatedUsage,
  simulatedSpan,
  type Volume,
} from './decisions/volume.ts';
import { storeVolumes } from './state/volumeSetState.ts';
import { growVolumes } from './volumeCommands.ts';

const path = itemTemplate('volumeset');

const locationSchemas: JsonObject = {
  location: { type: 'string', description: 'Default: all locations' },
  volumeIndex: { type: 'integer', minimum: 0, description: 'Default: all volumes' },
  at: { description: 'An ISO 8601 time, or milliseconds since 1970. Default: now' },
};
const sampleSchemas: JsonObject = {
  ...locationSchemas,
  usedGb: { type: 'number', minimum: 0 },
  usedBytes: { type: 'number', minimum: 0, description: 'Instead of usedGb' },
};
const timeSchema: JsonObject = { type: 'string', format: 'date-time' };
const lineSchemas: JsonObject = { ...sampleSchemas, gbPerHour: { type: 'number' } };

/** Enough for a chart. */
const maxChartPoints = 200;

/** The content and cost of volume sets; only the usage is not local only. */
export const volumeSetRoutes: readonly Route[] = [
  {
    id: 'volumeset.usage',
    method: 'GET',
    path: `${path}/-usage`,
    summary: 'Report how full and how large the volumes of a volume set were over the last week',
    kind: 'volumeset',
    permission: 'view',
    answer: {
      type: 'object',
      properties: {
        volumes: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              location: { type: 'string' },
              volumeIndex: { type: 'integer' },
              usage: {
                type: 'array',
                items: { type: 'object', properties: { at: timeSchema, usedGb: { type: 'number' } } },
              },
              sizes: {
                type: 'array',
                items: { type: 'object', properties: { at: timeSchema, sizeGb: { type: 'number' } } },
              },
            },
          },
        },
      },
    },
    handle: usage,
  },
  {
    id: 'volumeset.bill',
    method: 'GET',
    path: `${path}/-bill`,
    summary: 'Report what the volumes and mount points of a volume set reserve',
    kind: 'volumeset',
    permission: 'admin',
    devOnly: true,
    answer: {
      type: 'object',
      properties: {
        reservedGb: { type: 'number' },
        mountPoints: { type: 'integer', description: 'Of a shared set, one for each replica' },
        mountCpu: { type: 'string', description: 'A quantity, such as 1500m' },
        mountMemory: { type: 'string', description: 'A quantity, such as 3Gi' },
      },
    },
    handle: bill,
  },
  {
    id: 'volumeset.simulate',
    method: 'POST',
    path: `${path}/-simulate`,
    summary: 'Set how full the volumes of a volume set are, were, or will be',
    kind: 'volumeset',
    permission: 'admin',
    devOnly: true,
    body: {
      type: 'object',
      properties: {
        samples: {
          type: 'array',
          description: 'Single measurements',
          items: { type: 'object', properties: sampleSchemas, additionalProperties: false },
        },
        growth: {
          type: 'array',
          description: 'Straight lines',
          items: { type: 'object', properties: lineSchemas, required: ['gbPerHour'], additionalProperties: false },
        },
        // The fields of one sample or line, for a body without a list.
        ...lineSchemas,
      },
      additionalProperties: false,
    },
    answer: { type: 'object', properties: { volumes: { type: 'array', items: { type: 'object' } } } },
    handle: simulate,
  },
];

/** Reads usage in slices, because a volume's may have been simulated in many steps. */
async function usage(call: Call): Promise<ApiReply> {
  const ref = callRef(call, 'volumeset');
  const row = await readIn(call, (session) => permittedRow(session, 'view', ref));
  const nowMs = call.platform.now();
  const series = await Slices.ofCall(call, async (slices) => {
    const made: JsonObject[] = [];
    for (const volume of readVolumes(row.state)) {
      await slices.rest();
      if (!volume.deleted) made.push(usageSeries(volume, nowMs));
    }
    return made;
  });
  return reply(200, { volumes: series });
}

/** Reads workloads in slices, because thousands may mount a shared set. */
async function bill(call: Call): Promise<ApiReply> {
  const ref = callRef(call, 'volumeset');
  const { row, mounters } = await readIn(call, ({ tx }) => {
    const row = existingRow(tx, ref);
    return { row, mounters: isShared(row.record) ? tx.referrerRefs(refOfRow(row), 'workload') : [] };
  });
  const mountPoints = await Slices.ofCall(call, async (slices) => {
    let sum = 0;
    for (let at = 0; at < mounters.length; at += mountersAtOnce) {
      await slices.rest();
      const names = mounters.slice(at, at + mountersAtOnce).map(({ name }) => name);
      sum += await readIn(call, ({ platform, tx }) => {
        const presenter = new Presenter(platform, tx);
        const rows = tx.select({ kind: 'workload', gvc: row.gvc, names, limit: names.length });
        return rows.reduce((some, each) => some + mountPointsOf(presenter.mounter(each)), 0);
      });
    }
    return sum;
  });
  return reply(200, volumeSetBill(row.record, readVolumes(row.state), mountPoints));
}

const mountersAtOnce = 100;

/** A week of samples every five minutes, rounded up. */
const maxUsageSpans = 2_500;

function simulate(call: Call): Promise<ApiReply> {
  const ref = callRef(call, 'volumeset');
  const sent = parseObject(call.request.bodyText);
  return writeIn(call, { action: 'exec', kind: 'volumeset', ref }, (session) => {
    const { platform, tx } = session;
    const row = existingRow(tx, ref);
    const nowMs = platform.now();
    const volumes = applySimulation(readVolumes(row.state), parseSimulation(sent, nowMs));
    const stored = storeVolumes(session, row, volumes);
    growVolumes(session, stored);
    const shown = volumes.map((volume) => ({
      location: volume.location,
      volumeIndex: volume.index,
      usedGb: usedGb(volume, nowMs),
      currentSize: volume.sizeGb,
    }));
    return { reply: reply(200, { volumes: shown }), row: stored };
  });
}

function parseSimulation(sent: JsonObject, nowMs: number): readonly SimulatedUsage[] {
  const usages: SimulatedUsage[] = [];
  const problems: Pick<Problem, 'message' | 'path' | 'rule'>[] = [];
  for (const read of readSimulation(sent, nowMs)) {
    if ('message' in read) problems.push({ path: read.path, message: read.message, rule: 'body' });
    else usages.push(read);
  }
  if (problems.length > 0) throw invalid(problems);
  return usages;
}

function applySimulation(volumes: readonly Volume[], usages: readonly SimulatedUsage[]): readonly Volume[] {
  for (const usage of usages) {
    if (volumes.some((volume) => appliesTo(usage, volume))) continue;
    const { location = 'any location', index } = usage;
    throw notFound(`a volume ${index ?? ''} in ${location}`);
  }
  return volumes.map((volume) => {
    const spans = usages.filter((usage) => appliesTo(usage, volume)).map((usage) => simulatedSpan(usage, volume));
    if (spans.length === 0) return volume;
    const usage = withSimulatedUsage(volume.usage, spans);
    if (usage.length > maxUsageSpans)
      throw new ApiFailure(400, `a volume would have more than ${maxUsageSpans} samples`);
    return { ...volume, usage };
  });
}

/**
 * The cost of a volume set (platform/volumeset.shared, platform/volumeset.classes): the GB that its volumes reserve,
 * and the CPU and memory that its mount points reserve. Only a shared set has mount points, one for each replica that
 * mounts it; each reserves `minCpu` and `minMemory` of `mountOptions`.
 *
 * Units: GB; `mountCpu` and `mountMemory` are quantities in the unit of `mountOptions` (`1500m`, `3Gi`).
 */
function volumeSetBill(volumeSet: JsonObject, volumes: readonly Volume[], mountPoints: number): JsonObject {
  const reservedGb = volumes.filter(({ deleted }) => !deleted).reduce((sum, { sizeGb }) => sum + sizeGb, 0);
  const resources = objectAt(objectAt(objectAt(volumeSet, 'spec'), 'mountOptions'), 'resources');
  return {
    reservedGb,
    mountPoints,
    mountCpu: timesQuantity(mountPoints, stringAt(resources, 'minCpu') ?? '500m'),
    mountMemory: timesQuantity(mountPoints, stringAt(resources, 'minMemory') ?? '1Gi'),
  };
}

/** The number of mount points of a workload that mounts a shared set. */
function mountPointsOf({ locations }: Mounter): number {
  return locations.reduce((sum, { replicas }) => sum + replicas, 0);
}

/** A multiple of a quantity in the same unit: 3 times `500m` is `1500m` (platform/concepts.quantities). */
export function timesQuantity(times: number, quantity: string): string {
  const [, amount = '0', unit = ''] = /^([+-]?[0-9.]+)(.*)$/.exec(quantity) ?? [];
  // Removes rounding errors of decimals such as 0.30000000000000004.
  const product = Math.round(Number(amount) * times * 1e9) / 1e9;
  return `${product}${unit}`;
}

/** The use and size of a volume over the last week. */
function usageSeries(volume: Volume, nowMs: number): JsonObject {
  const { location, index } = volume;
  const beginMs = Math.max(nowMs - longestLookbackMs, Math.min(nowMs, volume.fromMs));
  const stepMs = Math.max(measurementIntervalMs, Math.ceil((nowMs - beginMs) / (maxChartPoints - 1)));
  const times = Array.from({ length: Math.ceil((nowMs - beginMs) / stepMs) }, (_, at) => beginMs + at * stepMs);
  return {
    location,
    volumeIndex: index,
    usage: [...times, nowMs].map((atMs) => ({ at: timeText(atMs), usedGb: usedGb(volume, atMs) })),
    sizes: knownSizes(volume.sizes, volume.sizeGb, nowMs).map(({ fromMs, sizeGb }) => ({
      at: timeText(Math.max(fromMs, beginMs)),
      sizeGb,
    })),
  };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
