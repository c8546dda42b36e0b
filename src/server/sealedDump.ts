import type { Seal } from './seal.ts';
import { checkFact, checkOf } from './secretKey.ts';
import type { Dump, NewRow, OrgDump } from './store/row.ts';

/** A state as it leaves the server: what is sealed is open, and the key's check stays behind. */
export function openedDump(dump: Dump, seal: Seal): Dump {
  return mapOrgs(dump, (held) => {
    const { [checkFact]: _, ...facts } = held.facts;
    return { ...held, facts, records: held.records.map((row) => ({ ...row, hidden: seal.open(row.hidden, row.uid) })) };
  });
}

/** A state as this server keeps it: sealed with its own key. */
export function sealedDump(dump: Dump, seal: Seal, home: string): Dump {
  return mapOrgs(dump, (held, org) => {
    const facts = org === home ? { ...held.facts, [checkFact]: checkOf(seal) } : held.facts;
    return { ...held, facts, records: held.records.map((row) => ({ ...row, hidden: sealed(row, seal) })) };
  });
}

function sealed({ hidden, uid }: NewRow, seal: Seal): NewRow['hidden'] {
  return seal.seal(hidden, uid);
}

function mapOrgs(dump: Dump, change: (held: OrgDump, org: string) => OrgDump): Dump {
  return Object.fromEntries(Object.entries(dump).map(([org, held]) => [org, change(held, org)]));
}
