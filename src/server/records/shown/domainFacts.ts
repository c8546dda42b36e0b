import { type JsonObject, numberAt, objectAt, own, stringAt } from '../../../base/json/json.ts';
import { runs } from '../../../kinds/kindFacts.ts';
import { references } from '../../../kinds/references.ts';
import { checkRelated } from '../../../kinds/registry.ts';
import { isContainer } from '../../../schema/record/kinds.ts';
import { contextOf, linkOf, type Ref } from '../../../schema/record/ref.ts';
import { relatedRows, wholeRecord } from '../../core/rows.ts';
import type { UnitOfWork } from '../../core/session.ts';
import { friendlyWorld, type SimulatedWorld } from '../../domains/decisions/domainStage.ts';
import type { DomainFacts } from '../../domains/decisions/domainStatus.ts';
import { noLimit, type Row, refOfRow, type Transaction } from '../../store/model/row.ts';
import { desiredScale, readDemand } from '../../workloads/decisions/scale.ts';

/** The facts about the GVC that a domain serves. */
export interface ServedGvc {
  readonly alias: string;
  readonly locations: readonly { readonly name: string; readonly sinceMs: number }[];
}

/** All inputs of the status of a domain. */
export function domainFacts({ platform, tx }: UnitOfWork, row: Row, gvcOf: (name: string) => ServedGvc): DomainFacts {
  const { org } = platform;
  const targets = references('domain', row.record, { org }).map(({ target }) => target);
  const served = targets.filter(({ kind }) => runs(kind) || isContainer(kind));
  const missing = served.filter((target) => tx.get(target) === undefined);
  const warnings = checkRelated(
    'domain',
    wholeRecord(row),
    contextOf(row, org),
    relatedRows(tx, targets),
    'server',
  ).filter(({ severity }) => severity === 'warning');
  const gvcName = served.map((target) => target.gvc ?? target.name).at(0);
  const gvc = gvcName === undefined ? undefined : gvcOf(gvcName);
  const spec = objectAt(row.record, 'spec');
  const hasGvcLink = stringAt(spec, 'gvcLink') !== undefined;
  return {
    name: row.name,
    record: row.record,
    missing: [...new Set(missing.map((target) => linkOf(target, org)))],
    warnings: warnings.map(({ message }) => message),
    locations: gvc?.locations ?? [],
    alias: gvc === undefined || gvc.alias === '' ? undefined : gvc.alias,
    workloadLinks: hasGvcLink && gvcName !== undefined ? workloadsOf(tx, gvcName, org) : [],
    replicas: maxReplicas({ platform, tx }, spec, served, gvc),
    usedByGvc: hasGvcLink || tx.referrers(refOfRow(row), 'gvc').length > 0,
    sinceMs: processStartMs(row),
    nowMs: platform.now(),
    readyAfterMs: platform.settings.readyAfterMs,
    world: simulatedWorld(row),
    digest: platform.digest,
  };
}

function workloadsOf(tx: Transaction, gvc: string, org: string): readonly string[] {
  return tx.select({ kind: 'workload', gvc, limit: noLimit }).map((row) => linkOf(refOfRow(row), org));
}

/** The largest scale of the linked workload in any location. */
function maxReplicas(
  { platform, tx }: UnitOfWork,
  spec: JsonObject,
  served: readonly Ref[],
  gvc: ServedGvc | undefined,
): number {
  if (stringAt(spec, 'workloadLink') === undefined) return 0;
  const target = served.find(({ kind }) => runs(kind));
  const workload = target === undefined ? undefined : tx.get(target);
  if (workload === undefined) return 0;
  const { record, state } = workload;
  const scales = (gvc?.locations ?? []).map(({ name }) => {
    return desiredScale(record, name, readDemand(state, name), platform.now());
  });
  return Math.max(0, ...scales);
}

export function processStartMs(row: Row): number {
  return numberAt(objectAt(row.state, 'process'), 'sinceMs') ?? row.createdMs;
}

export function simulatedWorld(row: Row): SimulatedWorld {
  const world = objectAt(row.state, 'world');
  return {
    dns: own(world, 'dns') === 'unresolved' ? 'unresolved' : friendlyWorld.dns,
    certificate: own(world, 'certificate') === 'refused' ? 'refused' : friendlyWorld.certificate,
  };
}
