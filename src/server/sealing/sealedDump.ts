import { gbOf, storageFacts, withNewFacts } from '../store/countedStore.ts';
import type { Dump, Loaded, NewRow, OrgDump, View } from '../store/row.ts';
import type { Seal } from './seal.ts';
import { checkFact, checkOf } from './secretKey.ts';

/** A state for export: sealed values are opened, or left out; the check of the key is not included. */
export function leavingView(view: View, seal: Seal, withSecrets: boolean): View {
  return {
    ...view,
    of(org) {
      const source = view.of(org);
      return {
        ...source,
        async facts() {
          const { [checkFact]: _, ...facts } = await source.facts();
          return facts;
        },
        async *records() {
          for await (const row of source.records()) {
            yield { ...row, hidden: withSecrets ? seal.open(row.hidden, row.uid) : {} };
          }
        },
      };
    },
  };
}

/** A state for storage: sealed with the key of this server. */
export function sealedDump(dump: Dump, seal: Seal, home: string): Dump {
  return mapOrgs(dump, (held, org) => {
    const facts = { ...held.facts, ...checked(org, seal, home) };
    return { ...held, facts, records: held.records.map((row) => ({ ...row, hidden: sealed(row, seal) })) };
  });
}

/** The same for an imported state; cached access facts are dropped. */
export async function* arriving(
  content: AsyncIterable<readonly Loaded[]>,
  seal: Seal,
  home: string,
  newId: () => string,
): AsyncGenerator<readonly Loaded[]> {
  const storageGb = new Map<string, number>();
  for await (const items of content) {
    for (const item of items) {
      if (item.of === 'facts') storageGb.set(item.org, storageGb.get(item.org) ?? 0);
      if (item.of === 'record') storageGb.set(item.org, (storageGb.get(item.org) ?? 0) + gbOf(item.row));
    }
    yield items.map((item) => arrived(item, seal, home, newId));
  }
  yield [...storageGb].map(([org, gb]) => ({ org, of: 'facts', facts: storageFacts(gb) }));
}

function arrived(item: Loaded, seal: Seal, home: string, newId: () => string): Loaded {
  if (item.of === 'record') return { ...item, row: { ...item.row, hidden: sealed(item.row, seal) } };
  if (item.of !== 'facts') return item;
  return { ...item, facts: { ...withNewFacts(item.facts, newId), ...checked(item.org, seal, home) } };
}

function checked(org: string, seal: Seal, home: string): Readonly<Record<string, string>> {
  return org === home ? { [checkFact]: checkOf(seal) } : {};
}

function sealed({ hidden, uid }: NewRow, seal: Seal): NewRow['hidden'] {
  return seal.seal(hidden, uid);
}

function mapOrgs(dump: Dump, change: (held: OrgDump, org: string) => OrgDump): Dump {
  return Object.fromEntries(Object.entries(dump).map(([org, held]) => [org, change(held, org)]));
}
