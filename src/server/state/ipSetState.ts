import { listAt } from '../../schema/json/json.ts';
import type { Ref } from '../../schema/record/ref.ts';
import type { UnitOfWork } from '../core/session.ts';
import { addEvent } from '../journals/eventLog.ts';
import {
  type Address,
  type AddressFacts,
  addressNews,
  boundLocations,
  readAddresses,
  reconcileAddresses,
} from '../rules/kinds/ipSetAddresses.ts';
import { addressBlock } from '../rules/limits.ts';
import type { Row } from '../store/row.ts';

/** Allocates addresses for new locations and updates the others (platform/ipset); changes are logged as events. */
export function updateIpSetState({ platform, tx }: UnitOfWork, ref: Ref, factsOf: (row: Row) => AddressFacts): void {
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
