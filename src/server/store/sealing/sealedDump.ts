import { gbOf, storageFacts, withNewFacts } from '../model/countedStore.ts';
import type { Loaded, View } from '../model/row.ts';
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

/** A state for storage: sealed with the key of this server, without cached access facts. */
export async function* arriving(
  content: AsyncIterable<readonly Loaded[]> | Iterable<readonly Loaded[]>,
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
  if (item.of === 'record') {
    return { ...item, row: { ...item.row, hidden: seal.seal(item.row.hidden, item.row.uid) } };
  }
  if (item.of !== 'facts') return item;
  const check = item.org === home ? { [checkFact]: checkOf(seal) } : {};
  return { ...item, facts: { ...withNewFacts(item.facts, newId), ...check } };
}
