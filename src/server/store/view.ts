import type { Due, Dump, DumpedRow, LeavingRow, NewEntry, OrgDump } from './row.ts';

/** Everything in the database at one point in time, however long it takes to read it. Reads nothing ahead. */
export interface View {
  orgs(): Promise<readonly string[]>;
  of(org: string): OrgView;
  /** Whoever opened it closes it, whatever happened: until then the database keeps what was overwritten since. */
  close(): Promise<void>;
}

/** The same of one org; the order is the one in which it has to be put back. */
export interface OrgView {
  facts(): Promise<Readonly<Record<string, string>>>;
  records(): AsyncIterable<DumpedRow>;
  leaving(): AsyncIterable<LeavingRow>;
  entries(): AsyncIterable<NewEntry>;
  due(): AsyncIterable<Due>;
}

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
