import type { Dump, OrgDump, View } from './row.ts';

export async function listOf<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** All of it in memory. */
export async function collected(view: View): Promise<Dump> {
  const dump: [string, OrgDump][] = [];
  for (const org of await view.orgs()) {
    const held = view.of(org);
    const [records, leaving, entries, due] = [
      await listOf(held.records()),
      await listOf(held.leaving()),
      await listOf(held.entries()),
      await listOf(held.due()),
    ];
    dump.push([org, { facts: await held.facts(), records, leaving, entries, due }]);
  }
  return Object.fromEntries(dump);
}

/** What the work makes of a view, which is closed after it. */
export async function within<T>(opening: Promise<View>, work: (view: View) => Promise<T>): Promise<T> {
  const view = await opening;
  try {
    return await work(view);
  } finally {
    await view.close();
  }
}
