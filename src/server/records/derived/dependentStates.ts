import { listAt } from '../../../base/json/json.ts';
import { holdsAddresses, isNamedByHost, runs, storesData } from '../../../kinds/kindFacts.ts';
import { workloadTypeOf } from '../../../schema/facts/workloadTypes.ts';
import { isContainer } from '../../../schema/record/kinds.ts';
import { formatRef, type Ref } from '../../../schema/record/ref.ts';
import { addEvent } from '../../audit/eventLog.ts';
import type { Platform } from '../../core/platform.ts';
import type { UnitOfWork } from '../../core/session.ts';
import { updateCronState } from '../../cron/cronState.ts';
import { updateDomainState } from '../../domains/domainState.ts';
import { addressBlock } from '../../http/limits.ts';
import { type Row, refOfRow, type Transaction } from '../../store/model/row.ts';
import { deviceMaker } from '../../volumes/decisions/device.ts';
import { reconcileVolumes } from '../../volumes/decisions/reconcileVolumes.ts';
import { readVolumes } from '../../volumes/decisions/volume.ts';
import { storeVolumes } from '../../volumes/state/volumeSetState.ts';
import {
  type Address,
  type AddressFacts,
  addressNews,
  boundLocations,
  readAddresses,
  reconcileAddresses,
} from '../decisions/ipSetAddresses.ts';
import { Presenter } from '../shown/presenter.ts';

/** Updates schedules, volumes and addresses of these records and of the volume sets and IP sets related to them. */
export function updateDependentStates(
  platform: Platform,
  tx: Transaction,
  refs: readonly Ref[],
  targets: readonly Ref[] = [],
): void {
  const presenter = new Presenter(platform, tx);
  const touched = new Map<string, Ref>();
  function touch(other: Ref): void {
    if (holdsAddresses(other.kind) || storesData(other.kind)) touched.set(formatRef(other), other);
  }
  for (const ref of refs) {
    if (runs(ref.kind)) updateSchedule(platform, tx, presenter, ref);
    if (isNamedByHost(ref.kind)) updateDomainState({ platform, tx }, ref);
  }
  [...refs, ...targets].forEach(touch);
  for (const ref of refs) {
    if (runs(ref.kind) || isContainer(ref.kind)) tx.referrers(ref, 'ipset').map(refOfRow).forEach(touch);
  }
  for (const other of touched.values()) {
    if (holdsAddresses(other.kind)) updateIpSetState({ platform, tx }, other, (row) => presenter.addressFacts(row));
    else updateVolumeSet(platform, tx, presenter, other);
  }
}

/** Applies the current schedule and locations of a cron workload. */
function updateSchedule(platform: Platform, tx: Transaction, presenter: Presenter, ref: Ref): void {
  const row = tx.get(ref);
  if (row === undefined || workloadTypeOf(row.record) !== 'cron') return;
  const locations = presenter.locationsOf(row.gvc).map(({ name }) => name);
  updateCronState({ platform, tx }, row, locations);
}

function updateVolumeSet(platform: Platform, tx: Transaction, presenter: Presenter, ref: Ref): void {
  const row = tx.get(ref);
  if (row === undefined) return;
  const after = reconcileVolumes({
    volumeSet: row.record,
    volumes: readVolumes(row.state),
    mounters: presenter.mountersOf(row),
    maker: deviceMaker(platform, row),
    nowMs: platform.now(),
    readyAfterMs: platform.settings.readyAfterMs,
  });
  storeVolumes({ platform, tx }, row, after);
}

/** Allocates addresses for new locations and updates the others (platform/ipset); changes are logged as events. */
function updateIpSetState({ platform, tx }: UnitOfWork, ref: Ref, factsOf: (row: Row) => AddressFacts): void {
  const row = tx.get(ref);
  if (row === undefined) return;
  const facts = factsOf(row);
  const addresses = reconcileAddresses(facts, (location): Address => {
    return { location, ip: addressOf(tx.nextNumber()), id: platform.newId(), createdMs: platform.now() };
  });
  const bound = boundLocations({ ...facts, addresses });
  const before = { addresses: readAddresses(row.state), bound: boundBefore(row) };
  const news = addressNews(before, { addresses, bound });
  if (news.length === 0) return;
  tx.updateState(row, { ...row.state, addresses: addresses.map((address) => ({ ...address })), bound });
  for (const status of news) addEvent({ platform, tx }, row, { component: 'actuator', status });
}

/** The next address of the block, except for the first and last of each 256. */
function addressOf(number: number): string {
  return `${addressBlock}.${Math.floor(number / 254) % 254}.${(number % 254) + 1}`;
}

function boundBefore(row: Row): readonly string[] {
  return listAt(row.state, 'bound').filter((name) => typeof name === 'string');
}
