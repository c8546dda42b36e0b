import type { Dump, Loaded, Transaction } from './row.ts';

/** The parts of a state, in the order in which they are loaded. */
export function partsOf(dump: Dump): readonly Loaded[] {
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
