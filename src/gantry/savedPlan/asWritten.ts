import { awaitedNow } from '../../apply/resume.ts';
import { filledChange } from '../../apply/steps/awaited.ts';
import type { JsonObject, JsonValue } from '../../base/json/json.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import type { SavedPlan } from '../../change/saved/savedPlan.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import { type LiveValues, livePlaces, valueBehind, withLiveValues } from '../../manifest/live/liveReference.ts';
import type { LiveResource, Snapshot } from '../../manifest/live/snapshot.ts';
import { type Change, checkedChange } from '../../plan/model/change.ts';
import { versionsTell } from '../../plan/record/version.ts';
import { formatPath, pointerTo } from '../../schema/shape/paths.ts';

/**
 * An applied plan with the values that were known only after its apply. What a record holds there is what the apply
 * wrote, whatever became of the record that the value is from: its version tells whether somebody has written since.
 * Where versions do not tell that, only the value that is there to be read now counts.
 */
export function asWritten(saved: SavedPlan, { resources, capabilities }: Snapshot): SavedPlan {
  const { plan, declared } = saved;
  const tells = versionsTell(capabilities);
  const values = new Map(
    plan.changes.flatMap((change) => {
      const live = resources.get(change.id);
      if (change.awaits === undefined || live === undefined) return [];
      const read = awaitedNow(change, resources) ?? [];
      return [[change.id, new Map([...read, ...(tells ? writtenInto(change, live) : [])])] as const];
    }),
  );
  if (values.size === 0) return saved;
  const filled = (change: Change, known: LiveValues | undefined): Change => {
    if (known === undefined) return change;
    const { awaits, ...whole } = filledChange(change, known);
    const left = (awaits ?? []).filter((reference) => !known.has(reference));
    return checkedChange(left.length === 0 ? whole : { ...whole, awaits: left });
  };
  return {
    ...saved,
    plan: { ...plan, changes: plan.changes.map((change) => filled(change, values.get(change.id))) },
    declared: declared.map((resource) => {
      const known = values.get(resource.id);
      return known === undefined ? resource : { ...resource, record: withLiveValues(resource.record, known) };
    }),
  };
}

/** The values that a record has where its change awaited some. */
function writtenInto({ awaits = [], expected, expectedThen }: Change, live: LiveResource): LiveValues {
  const promised: JsonObject = (expectedThen ?? expected)?.expose() ?? {};
  const { kind } = live.ref;
  const values = new Map<string, JsonValue>();
  for (const at of livePlaces(promised, ({ text }) => awaits.includes(text))) {
    const text = valueThere(promised, at);
    const path = formatPath(shapeOf(kind, promised), promised, at);
    const place = pointerTo(path, shapeOf(kind, live.record), live.record);
    const value = place && valueThere(live.record, place);
    if (typeof text !== 'string' || value === undefined) continue;
    const [reference, behind] = valueBehind(text, value) ?? [];
    if (reference !== undefined && behind !== undefined && awaits.includes(reference)) values.set(reference, behind);
  }
  return values;
}
