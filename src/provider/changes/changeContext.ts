import type { Written } from '../../apply/port.ts';
import type { Patience } from '../../apply/run.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import type { Client } from '../../client/client.ts';
import type { Promises } from '../../client/firstReads.ts';
import { layoutOf } from '../../hcl/schema/kindLayout.ts';
import { attributeOf, isObjectValue, type ObjectValue, unknown, type Value } from '../../hcl/value.ts';
import { type ReadOptions, stateOf } from '../../hcl/values/stateOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { WrittenKind } from '../../schema/record/kinds.ts';
import { contextOf, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import { withoutOthersRoutes } from '../plan/routes.ts';
import { knownForms, type StoredValues } from '../plan/storedValues.ts';
import { composed } from '../platform/composed.ts';
import { type IgnoredTags, withoutIgnoredTags } from '../platform/ignoredTags.ts';
import type { LocalStates } from '../platform/localStates.ts';
import type { Looks } from '../platform/looks.ts';
import type { NeededBy } from '../platform/neededBy.ts';
import type { UnfinishedCreations } from '../platform/unfinishedCreations.ts';

/** The values that every change of this process shares. */
export interface ChangeContext {
  readonly client: Client;
  readonly discovery: Promises;
  /** The value of `gantry/stack` on what this configuration creates. */
  readonly owner: string;
  /** The GVC of the provider block. */
  readonly gvc: string | undefined;
  readonly ignoredTags: IgnoredTags;
  readonly creations: UnfinishedCreations;
  readonly states: LocalStates;
  readonly neededBy: NeededBy;
  readonly looks: Looks;
  /** The writes of this process so far. */
  readonly written: Map<ResourceId, Written>;
  readonly patience: Partial<Patience>;
  /** Aborted by Ctrl-C. */
  readonly stopped: AbortSignal;
}

/** A resource that is changed. */
export interface Changed {
  readonly kind: WrittenKind;
  readonly ref: Ref;
  /** The values that the platform stored in its own way after our last write of it. */
  readonly stored?: StoredValues | undefined;
}

/** The state of a record, written as `hint` has it. */
export function stateNow(
  context: ChangeContext,
  changed: Changed,
  live: LiveResource,
  hint: ObjectValue | undefined,
): ObjectValue {
  const record = stated(context, changed, live, hint);
  return stateOf(changed.kind, record, { ...readingOf(context.client, changed, record), ...present({ hint }) });
}

/** The part of a record that a state has. */
function stated(
  { ignoredTags }: ChangeContext,
  { kind }: Changed,
  live: LiveResource,
  hint: ObjectValue | undefined,
): JsonObject {
  return withoutOthersRoutes(kind, withoutIgnoredTags(composed(live.record), ignoredTags), hint);
}

/** How a record is read for a state. */
export function readingOf(
  { org, capabilities }: Pick<Client, 'org' | 'capabilities'>,
  { ref, stored }: Changed,
  record: JsonObject,
): Omit<ReadOptions, 'hint'> {
  return {
    org,
    ...present({ gvc: ref.gvc }),
    stored: knownForms(ref, record, contextOf(ref, org), { stored, capabilities }),
  };
}

/** The state after an apply that went through. */
export function stateApplied(
  context: ChangeContext,
  changed: Changed,
  live: LiveResource,
  planned: ObjectValue,
): ObjectValue {
  const record = stated(context, changed, live, planned);
  return stateAfter(changed.kind, record, planned, readingOf(context.client, changed, record));
}

/**
 * The state after an apply. `record`: the reply of the write, or the live record where nothing was written; then others
 * may have changed meanwhile what was planned to stay, which the next refresh shows.
 */
export function stateAfter(
  kind: WrittenKind,
  record: JsonObject,
  planned: ObjectValue,
  where: Omit<ReadOptions, 'hint'>,
): ObjectValue {
  const state = stateOf(kind, record, { ...where, hint: planned });
  const answers = layoutOf(kind).answered.map(
    ({ name }) => [name, asPlanned(attributeOf(planned, name), attributeOf(state, name))] as const,
  );
  return { ...state, ...Object.fromEntries(answers) };
}

function asPlanned(planned: Value, now: Value): Value {
  if (planned === unknown) return now;
  if (!isObjectValue(planned)) return planned;
  const members = isObjectValue(now) ? now : {};
  return Object.fromEntries(
    Object.entries(planned).map(([name, value]) => [name, asPlanned(value, attributeOf(members, name))]),
  );
}
