import { ToolError } from '../../../base/toolError.ts';
import type { Dump, Loaded, Transaction, View } from './row.ts';

/** The parts of a state, in the order in which they are loaded. */
export function dumpParts(dump: Dump): readonly Loaded[] {
  return Object.entries(dump).flatMap(([org, { facts, records, leaving, entries, due }]): readonly Loaded[] => [
    { org, of: 'facts', facts },
    ...records.map((row) => ({ org, of: 'record', row }) as const),
    ...leaving.map((left) => ({ org, of: 'leaving', left }) as const),
    ...entries.map((entry) => ({ org, of: 'entry', entry }) as const),
    ...due.map((work) => ({ org, of: 'due', due: work }) as const),
  ]);
}

/** Adds a part to the org of the transaction. */
export function addPart(tx: Transaction, part: Loaded): void {
  if (part.of === 'facts') for (const [key, value] of Object.entries(part.facts)) tx.setFact(key, value);
  else if (part.of === 'record') {
    const { targets, ...row } = part.row;
    tx.insert(row, targets);
  } else if (part.of === 'leaving') tx.leaveUntil(part.left.row, part.left.untilMs);
  else if (part.of === 'entry') tx.addEntry(part.entry);
  else tx.schedule(part.due);
}

/** Allows one open view at a time, if several would cost too much. Others wait in order of arrival. */
export class OneView {
  #last: Promise<void> = Promise.resolve();

  /** Runs the work while no view is open. */
  async withoutView<T>(work: () => Promise<T>): Promise<T> {
    const end = await this.#turn();
    return work().finally(end);
  }

  async open(opening: () => View | Promise<View>): Promise<View> {
    const end = await this.#turn();
    try {
      const view = await opening();
      return { ...view, close: () => view.close().finally(end) };
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Waits for a turn; the caller must call the result to end it. */
  async #turn(): Promise<() => void> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    return resolve;
  }
}

/** The versions of Gantry that wrote each layout of SQLite. */
const writers: Readonly<Record<number, string>> = {
  1: 'a development version before Gantry 0.1.0',
  2: 'Gantry 0.1.0',
};

/** The error for a database of another version. `found` and `known`: the numbers of its layout and ours. */
export function otherLayout(found: number, known: number): ToolError {
  const isNewer = found > known;
  const writer = isNewer ? 'a newer version of Gantry' : (writers[found] ?? 'an older version of Gantry');
  return new ToolError({
    code: 'server.data',
    message: `the database has the layout ${found}, which ${writer} wrote; this version reads the layout ${known}`,
    hint: isNewer
      ? 'Use that version, or another database.'
      : 'Start that version on it, save GET /-snapshot?secrets=true, and load the file into a new database: PUT /-snapshot.',
  });
}
