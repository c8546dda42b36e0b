import type { Written } from '../../apply/port.ts';
import type { Patience } from '../../apply/run.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { compact, present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import type { Client } from '../../client/client.ts';
import type { Promises } from '../../client/firstReads.ts';
import { layoutOf } from '../../hcl/schema/kindLayout.ts';
import { resourceType } from '../../hcl/schema/names.ts';
import { attributeOf, isObjectValue, type ObjectValue, sameValue, unknown, type Value } from '../../hcl/value.ts';
import { type ReadOptions, stateOf } from '../../hcl/values/stateOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { WrittenKind } from '../../schema/record/kinds.ts';
import { contextOf, formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import { withoutOthersRoutes } from '../plan/routes.ts';
import { knownForms, type StoredValues } from '../plan/storedValues.ts';
import { composed } from '../platform/composed.ts';
import { type IgnoredTags, withoutIgnoredTags } from '../platform/defaultTags.ts';
import type { Holder, LocalStates } from '../platform/localStates.ts';
import type { DeletionReads } from '../platform/looks.ts';
import type { NeededBy } from '../platform/neededBy.ts';
import type { UnfinishedCreations } from '../platform/unfinishedCreations.ts';

/** The values that every change of this process shares. */
export interface ChangeContext {
  readonly client: Client;
  readonly discovery: Promises;
  /** The value of `gantry/stack` on records that this configuration creates. */
  readonly owner: string;
  /** The GVC of the provider block. */
  readonly gvc: string | undefined;
  readonly ignoredTags: IgnoredTags;
  readonly creations: UnfinishedCreations;
  readonly states: LocalStates;
  readonly neededBy: NeededBy;
  readonly deletionReads: DeletionReads;
  /** The writes of this process so far. */
  readonly written: Map<ResourceId, Written>;
  readonly patience: Partial<Patience>;
  /** Aborted by Ctrl-C. */
  readonly stopped: AbortSignal;
}

/** A resource that is being changed. */
export interface Changed {
  readonly kind: WrittenKind;
  readonly ref: Ref;
  /** The values that the platform stored in its own way after our last write of it. */
  readonly stored?: StoredValues | undefined;
}

/** The state of a record, written in the same way as `hint`. */
export function stateNow(
  context: ChangeContext,
  changed: Changed,
  live: LiveResource,
  hint: ObjectValue | undefined,
): ObjectValue {
  const record = stated(context, changed, live, hint);
  return stateOf(changed.kind, record, { ...readingOf(context.client, changed, record), ...present({ hint }) });
}

/** The part of a record that a state contains. */
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

/** The state after a successful apply. */
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
 * The state after an apply. `record`: the reply to the write, or the live record if nothing was written. In the latter
 * case other clients may have changed values that were planned to stay, which the next refresh shows.
 */
export function stateAfter(
  kind: WrittenKind,
  record: JsonObject,
  planned: ObjectValue,
  where: Omit<ReadOptions, 'hint'>,
): ObjectValue {
  const state = stateOf(kind, record, { ...where, hint: planned });
  const answers = layoutOf(kind).lastingAnswers.map(
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

/** The change that would be made now differs from the approved one. */
export function stale({ ref }: Changed, moved: string): ToolError {
  const id = formatRef(ref);
  return new ToolError({
    code: 'plan.stale',
    message: `${id} has changed since it was planned: ${moved}`,
    hint: 'Nothing was written to it. Plan again, review the difference, and apply the new plan.',
    resource: id,
  });
}

export const interruptedCode = 'provider.interrupted';

/** Ctrl-C: running requests were finished, but this change was not. */
export function interrupted({ ref }: { readonly ref: Ref }): ToolError {
  const id = formatRef(ref);
  return new ToolError({
    code: interruptedCode,
    message: `${id} was not changed, because the run was interrupted`,
    hint: 'Apply again to continue.',
    resource: id,
  });
}

/** Ctrl-C while a deletion is in progress. */
export function deletionInterrupted({ ref }: { readonly ref: Ref }): ToolError {
  const id = formatRef(ref);
  return new ToolError({
    code: interruptedCode,
    message: `the deletion of ${id} was sent, and the run was interrupted before it was gone`,
    hint: 'Apply again: it is in the state until it is gone.',
    resource: id,
  });
}

/** Ctrl-C while the platform was read; nothing was written. */
export function readInterrupted(): ToolError {
  return new ToolError({
    code: interruptedCode,
    message: 'the run was interrupted before the platform answered',
    hint: 'Nothing was written by this call. Run the command again.',
  });
}

/** Terraform does not report `lifecycle` to a provider, so only the apply detects this. */
const itsOwn =
  'If the resource itself has it and is replaced, remove create_before_destroy: a name is free once its record is deleted.';

/** Every platform already has the org. Adopting it would reset the omitted fields, and no plan would show that. */
export function onlyImported({ name }: Ref): ToolError {
  return new ToolError({
    code: 'provider.only-imported',
    message: `the org ${name} exists already, and can only be imported`,
    hint: `Write import { to = gantry_org.NAME, id = "${name}" }: the plan then shows what the configuration changes in it.`,
  });
}

/** The name of a new resource is taken by another owner's record. */
export function nameTakenError({ kind, ref }: Changed, { uid }: Identified): ToolError {
  const id = formatRef(ref);
  return new ToolError({
    code: 'provider.exists',
    message: `${id} exists already (id ${uid}), and this state does not have it`,
    hint: `To manage it here, import it: ${importBlock(kind, ref)}. Or choose another name. ${itsOwn}`,
    resource: id,
  });
}

/** A record of this configuration has the name of a new resource; as far as is known, for another resource. */
export async function heldElsewhere(
  states: LocalStates,
  { kind, ref }: Changed,
  { uid }: Identified,
): Promise<ToolError> {
  const id = formatRef(ref);
  const holder = await states.holderOf(uid);
  const former = holder === undefined ? await states.formerHolderOf(uid) : undefined;
  const from = holder?.address ?? `${resourceType(kind)}.OTHER`;
  const whose =
    holder === undefined
      ? 'this configuration has created it, for another resource, provider block or state'
      : `${holder.address} in ${holder.file} has it`;
  return new ToolError({
    code: 'provider.held',
    message: `${id} exists already (id ${uid}): ${whose}`,
    hint: compact([
      'It is not taken over: two resources would manage it.',
      former === undefined ? undefined : restoreHint(former),
      `- If it is the same resource under another address, write moved { from = ${from}, to = the new address }.`,
      `- To hand it over, write removed { from = ${from}, lifecycle { destroy = false } } where it is, and here ` +
        `${importBlock(kind, ref)}.`,
      `- ${itsOwn}`,
      '- If this apply deletes it first, apply again, or let the new one depend on that with depends_on.',
      holder === undefined
        ? '- If an apply was cut off on another machine, import it, or set take_over = true in the provider block once.'
        : undefined,
      '- Otherwise choose another name.',
    ]).join('\n'),
    resource: id,
  });
}

/** Terraform does not replace a state file at once: a kill leaves an empty one, which it takes for a new state. */
function restoreHint({ address, file }: Holder): string {
  return (
    `- ${address} in ${file} has it. If terraform was killed while it wrote its state, apply nothing, and put that ` +
    `back: cp ${file} ${file.replace(/\.backup$/, '')}`
  );
}

function importBlock(kind: WrittenKind, ref: Ref): string {
  const importId = ref.gvc === undefined ? ref.name : `${ref.gvc}/${ref.name}`;
  return `import { to = ${resourceType(kind)}.NAME, id = "${importId}" }`;
}

/** A record by its id. */
type Identified = Pick<LiveResource, 'uid'>;

export function declaredTwice(ref: Ref): ToolError {
  const id = formatRef(ref);
  return new ToolError({
    code: 'provider.declared-twice',
    message: `${id} is declared by two resources of this configuration`,
    hint: 'Rename one of them; or, where a resource only got another address, write a moved block.',
    resource: id,
  });
}

/** The attributes changed since the state was read, except those that only the platform writes. */
export function movedAttributes(kind: WrittenKind, prior: ObjectValue, now: ObjectValue): readonly string[] {
  const own = new Set(layoutOf(kind).lastingAnswers.map(({ name }) => name));
  return differentAttributes(prior, now).filter((name) => !own.has(name));
}

export function differentAttributes(prior: ObjectValue, now: ObjectValue): readonly string[] {
  const names = [...new Set([...Object.keys(prior), ...Object.keys(now)])];
  return names.filter((name) => !sameValue(attributeOf(prior, name), attributeOf(now, name))).sort();
}
