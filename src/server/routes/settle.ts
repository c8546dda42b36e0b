import { objectAt, own } from '../../schema/json.ts';
import { formatRef, type Ref } from '../../schema/ref.ts';
import { settleCron } from '../jobs/cronPlaces.ts';
import { settleVolumes } from '../rules/volumes/settleVolumes.ts';
import { readVolumes } from '../rules/volumes/volume.ts';
import { typeOf } from '../rules/workloads/options.ts';
import { noLimit, refOfRow, type Row, type Transaction } from '../store/row.ts';
import { settleDomain } from './domainWork.ts';
import { settleIpSet } from './ipSetWork.ts';
import type { Platform } from './platform.ts';
import { Presenter } from './presenter.ts';
import { deviceMaker, keepVolumes } from './volumeSetWork.ts';

/**
 * What the platform does by itself after a write or deletion: volumes for new replicas, addresses for new places.
 * Nothing here raises a version (platform/concepts.version). `targets`: what the records refer to, or referred to before.
 */
export function settle(platform: Platform, tx: Transaction, refs: readonly Ref[], targets: readonly Ref[]): void {
  settleSchedules(platform, tx, refs);
  const touched = new Map<string, Ref>();
  function touch(other: Ref): void {
    if (other.kind === 'ipset' || other.kind === 'volumeset') touched.set(formatRef(other), other);
  }
  for (const ref of refs) if (ref.kind === 'domain') settleDomain({ platform, tx }, ref);
  [...refs, ...targets].forEach(touch);
  for (const ref of refs) {
    if (ref.kind === 'workload' || ref.kind === 'gvc') tx.referrers(ref, 'ipset').map(refOfRow).forEach(touch);
    if (ref.kind === 'gvc') touchedByPlacement(tx, ref.name).forEach(touch);
    // A location may be found by the query of a GVC, or not any more.
    if (ref.kind === 'location') tx.select({ kind: 'ipset', limit: noLimit }).map(refOfRow).forEach(touch);
  }
  if (touched.size === 0) return;
  const presenter = new Presenter(platform, tx);
  for (const other of touched.values()) {
    if (other.kind === 'ipset') settleIpSet({ platform, tx }, other, (row) => presenter.addressFacts(row));
    else settleVolumeSet(platform, tx, presenter, other);
  }
}

/** Cron workloads run in the locations that they have now, by the schedule that they have now. */
function settleSchedules(platform: Platform, tx: Transaction, refs: readonly Ref[]): void {
  const workloads = refs.flatMap((ref) => workloadsUnder(tx, ref)).filter(({ record }) => typeOf(record) === 'cron');
  if (workloads.length === 0) return;
  const presenter = new Presenter(platform, tx);
  for (const row of workloads) {
    const locations = presenter.locationsOf(row.gvc).map(({ name }) => name);
    settleCron({ platform, tx }, row, locations);
  }
}

/** The workloads that a change of this record reaches: itself, all of a GVC, all of the GVCs that find a location. */
function workloadsUnder(tx: Transaction, ref: Ref): readonly Row[] {
  switch (ref.kind) {
    case 'workload': {
      const row = tx.get(ref);
      return row === undefined ? [] : [row];
    }
    case 'gvc':
      return tx.get(ref) === undefined ? [] : tx.select({ kind: 'workload', gvc: ref.name, limit: noLimit });
    case 'location':
      return tx
        .select({ kind: 'gvc', limit: noLimit })
        .filter(
          ({ record }) => own(objectAt(objectAt(record, 'spec'), 'staticPlacement'), 'locationQuery') !== undefined,
        )
        .flatMap(({ name }) => tx.select({ kind: 'workload', gvc: name, limit: noLimit }));
    default:
      return [];
  }
}

/** What depends on the locations of a GVC: its volume sets, and the IP sets of its workloads. */
function touchedByPlacement(tx: Transaction, gvc: string): readonly Ref[] {
  const volumeSets = tx.select({ kind: 'volumeset', gvc, limit: noLimit });
  if (tx.select({ kind: 'ipset', limit: 1 }).length === 0) return volumeSets.map(refOfRow);
  const workloads = tx.select({ kind: 'workload', gvc, limit: noLimit });
  const ipSets = workloads.flatMap((row) => tx.referrers(refOfRow(row), 'ipset'));
  return [...volumeSets, ...ipSets].map(refOfRow);
}

function settleVolumeSet(platform: Platform, tx: Transaction, presenter: Presenter, ref: Ref): void {
  const row = tx.get(ref);
  if (row === undefined) return;
  const after = settleVolumes({
    volumeSet: row.record,
    volumes: readVolumes(row.state),
    mounters: presenter.mounters(ref),
    maker: deviceMaker(platform, row),
    nowMs: platform.now(),
    readyAfterMs: platform.settings.readyAfterMs,
  });
  keepVolumes({ platform, tx }, row, after);
}
