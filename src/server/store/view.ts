import type { Dump, OrgDump, View } from './row.ts';

/** Reads the whole view into memory. */
export async function collected(view: View): Promise<Dump> {
  const dump: [string, OrgDump][] = [];
  for (const org of await view.orgs()) {
    const state = view.of(org);
    const [records, leaving, entries, due] = [
      await Array.fromAsync(state.records()),
      await Array.fromAsync(state.leaving()),
      await Array.fromAsync(state.entries()),
      await Array.fromAsync(state.due()),
    ];
    dump.push([org, { facts: await state.facts(), records, leaving, entries, due }]);
  }
  return Object.fromEntries(dump);
}

/** The result of the work on a view, which is then closed. */
export async function within<T>(opening: Promise<View>, work: (view: View) => Promise<T>): Promise<T> {
  const view = await opening;
  try {
    return await work(view);
  } finally {
    await view.close();
  }
}
