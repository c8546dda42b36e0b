import { noLimit } from '../row.ts';
import { rowKey } from '../rowKey.ts';
import { isEntrySelected, type JournalOverlay } from './overlay/journalOverlay.ts';
import type { Known, KnownReads } from './overlay/knownReads.ts';
import type { Overlay } from './overlay/overlay.ts';
import type { RowOverlay } from './overlay/rowOverlay.ts';

/** Longer lists are read again instead of being updated at each commit. */
const longestKeptList = 200;

/** Updates the cached reads to the state after a commit, or drops them if that is not simple. */
export function advance(known: KnownReads, overlay: Overlay, generation: number): void {
  known.generation = generation;
  advanceRows(known, overlay.rows);
  advanceLists(known, overlay.rows);
  for (const [kind, { wanted, answer }] of known.tables.count) {
    known.tables.count.set(kind, { wanted, answer: answer + overlay.rows.moreOf(wanted.kind) });
  }
  advanceReferrers(known, overlay.rows);
  advanceLeaving(known, overlay.rows);
  advanceJournals(known, overlay.journal);
}

function advanceRows(known: KnownReads, overlay: RowOverlay): void {
  const { row: rows, uid: uids } = known.tables;
  for (const [place, { wanted }] of rows) {
    const seq = overlay.seqAt(place);
    if (seq !== undefined) rows.set(place, { wanted, answer: overlay.written.get(seq)?.row });
  }
  for (const [key, { answer, wanted }] of uids) {
    if (overlay.isUidWritten(wanted.uid) || (answer !== undefined && overlay.written.has(answer.seq))) uids.delete(key);
  }
}

function advanceLists(known: KnownReads, overlay: RowOverlay): void {
  const kinds = new Set([...overlay.written.values()].map((written) => written?.kind));
  const lists = known.tables.rows;
  for (const [key, { wanted, answer }] of lists) {
    if (!kinds.has(wanted.selection.kind)) continue;
    const whole = answer.length < wanted.selection.limit;
    if (whole && answer.length <= longestKeptList) {
      lists.set(key, { wanted, answer: overlay.select({ ...wanted.selection, limit: noLimit }, answer) });
    } else lists.delete(key);
  }
}

function advanceReferrers(known: KnownReads, overlay: RowOverlay): void {
  const places = new Set<string>();
  for (const written of overlay.written.values()) {
    for (const target of written?.targets ?? []) places.add(rowKey(target));
  }
  const { referrers: lists, referrerRefs: refs } = known.tables;
  for (const [key, { wanted, answer }] of lists) {
    const touched = places.has(rowKey(wanted.target)) || answer.some(({ seq }) => overlay.written.has(seq));
    if (!touched) continue;
    if (answer.length > longestKeptList || answer.length >= wanted.limit) lists.delete(key);
    else lists.set(key, { wanted, answer: overlay.referrers(wanted.target, wanted.kind, answer, (row) => row) });
  }
  for (const [key, { wanted, answer }] of refs) {
    if (places.has(rowKey(wanted.target)) || answer.some(({ seq }) => overlay.written.has(seq))) refs.delete(key);
  }
}

function advanceLeaving(known: KnownReads, { left }: RowOverlay): void {
  if ([...left.values()].some((one) => one !== undefined)) {
    known.tables.leaving.clear();
    return;
  }
  for (const [gvc, { wanted, answer }] of known.tables.leaving) {
    if (answer.size === 0) continue;
    const remaining = new Map([...answer].filter(([place]) => !left.has(place)));
    known.tables.leaving.set(gvc, { wanted, answer: remaining });
  }
}

function advanceJournals(known: KnownReads, overlay: JournalOverlay): void {
  for (const [key, value] of overlay.facts) {
    if (value !== undefined) known.keep({ of: 'fact', key }, value);
  }
  if (overlay.scheduled.size > 0) advanceDue(known, overlay);
  for (const [key, entries] of known.tables.entries) {
    if (touches(overlay, entries)) known.tables.entries.delete(key);
  }
}

function advanceDue(known: KnownReads, overlay: JournalOverlay): void {
  for (const [key, { wanted, answer }] of known.tables.due) {
    if (answer.length >= wanted.limit) known.tables.due.delete(key);
    else known.tables.due.set(key, { wanted, answer: overlay.due(Number.POSITIVE_INFINITY, noLimit, answer) });
  }
}

function touches(overlay: JournalOverlay, { wanted, answer }: Known<'entries'>): boolean {
  const { journal } = wanted.selection;
  if (overlay.droppedOwners(journal).length > 0) return true;
  if (answer.some(({ seq }) => overlay.changed.has(seq))) return true;
  const written = [...overlay.added.values(), ...overlay.changed.values()];
  return written.some((entry) => entry !== undefined && isEntrySelected(entry, wanted.selection));
}
