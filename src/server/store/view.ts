import type { Dump, OrgDump, View } from './row.ts';

/** All of it in memory. */
export async function collected(view: View): Promise<Dump> {
  const dump: [string, OrgDump][] = [];
  for (const org of await view.orgs()) {
    const held = view.of(org);
    const [records, leaving, entries, due] = [
      await Array.fromAsync(held.records()),
      await Array.fromAsync(held.leaving()),
      await Array.fromAsync(held.entries()),
      await Array.fromAsync(held.due()),
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
