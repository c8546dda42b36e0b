import { fieldOf, livePlaces, liveValue } from '../../manifest/live/liveReference.ts';
import { isShownOnce } from '../../manifest/live/shownOnce.ts';
import type { DesiredResource, ReadValue } from '../../manifest/model/manifest.ts';
import { describeRead } from '../model/cause.ts';
import { type Draft, withRefusals, writes } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { refuse } from '../model/refusal.ts';

/** The draft with what it takes from live records: what is known when it is made only, and what nobody is going to know. */
export function withReads(draft: Draft, { reads = [] }: DesiredResource, planning: PlanContext): Draft {
  if (!writes(draft)) return draft;
  const bodies = [draft.create, draft.patch, draft.then].map((body) => body?.expose() ?? {});
  const isWritten = (read: ReadValue) => livePlaces(bodies, ({ text }) => text === read.text).length > 0;
  // What is shown once stays as it is in a record that is there.
  const open = reads.filter((read) => read.value === undefined && (!isShownOnce(read) || isWritten(read)));
  if (open.length === 0) return draft;
  const lost = open.filter((read) => read.wasShown === true);
  const isHidden = ({ id, ref }: ReadValue) => !planning.desired.has(id) && planning.hidden(ref) !== undefined;
  const hidden = open.filter(isHidden);
  const absent = open.filter((read) => !isHidden(read) && !isExpected(read, planning));
  const unset = open.filter((read) => isUnset(read, planning));
  const replaced = draft.action === 'replace' ? open : [];
  const said = open.filter((read) => ![...lost, ...hidden, ...absent, ...unset].includes(read)).map(describeRead);
  const notes = said.length === 0 ? [] : [`known after apply: ${said.join(', ')}`];
  return withRefusals({ ...draft, awaits: open.map(({ text }) => text), notes: [...draft.notes, ...notes] }, [
    ...lost.map((read) => refuse.readLost(read, planning.snapshot.resources.get(read.id)?.record ?? {})),
    ...hidden.map(({ id, path, ref }) => refuse.readHidden(id, path, planning.hidden(ref) ?? 'view')),
    ...absent.map(({ id, path }) => refuse.readAbsent(id, path)),
    ...unset.map(({ id, path }) => refuse.readUnset(id, path)),
    ...replaced.map(({ id, path }) => refuse.readReplaces(id, path)),
  ]);
}

/** Will there be a record that the value can be read from? */
function isExpected({ id }: ReadValue, { desired, snapshot, options }: PlanContext): boolean {
  return desired.has(id) || snapshot.resources.has(id) || options.promised?.has(id) === true;
}

/** A field that only its authors set, and nobody has, or is about to. */
function isUnset(read: ReadValue, { desired, snapshot, options }: PlanContext): boolean {
  const { id } = read;
  const live = snapshot.resources.get(id);
  if (live === undefined || desired.has(id) || options.before?.has(id) === true) return false;
  const field = fieldOf(read);
  return !('hint' in field) && !field.isAnswer && liveValue(live.record, read) === undefined;
}
