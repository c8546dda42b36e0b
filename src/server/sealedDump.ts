import type { Seal } from './seal.ts';
import { checkFact, checkOf } from './secretKey.ts';
import type { Dump, NewRow, OrgDump, View } from './store/row.ts';

/** A state as it leaves the server: what is sealed is open, or left out; the key's check stays behind. */
export function leavingView(view: View, seal: Seal, withSecrets: boolean): View {
  return {
    ...view,
    of(org) {
      const held = view.of(org);
      return {
        ...held,
        async facts() {
          const { [checkFact]: _, ...facts } = await held.facts();
          return facts;
        },
        async *records() {
          for await (const row of held.records()) {
            yield { ...row, hidden: withSecrets ? seal.open(row.hidden, row.uid) : {} };
          }
        },
      };
    },
  };
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
