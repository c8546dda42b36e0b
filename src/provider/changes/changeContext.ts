import type { Client } from '../../client/client.ts';
import type { Discovery } from '../../client/firstReads.ts';
import type { ObjectValue } from '../../hcl/value.ts';
import { stateOf } from '../../hcl/values/stateOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { CreatableKind } from '../../schema/record/kinds.ts';
import type { Ref } from '../../schema/record/ref.ts';
import { stateAfter } from '../plan/stateAfter.ts';
import { composed } from '../platform/composed.ts';
import type { LocalStates } from '../platform/localStates.ts';
import type { UnfinishedCreations } from '../platform/unfinishedCreations.ts';

/** What every change of this process shares. */
export interface ChangeContext {
  readonly client: Client;
  readonly discovery: Discovery;
  /** The value of `gantry/stack` on what this configuration creates. */
  readonly owner: string;
  /** The GVC of the provider block. */
  readonly gvc: string | undefined;
  readonly creations: UnfinishedCreations;
  readonly states: LocalStates;
  /** Aborted by Ctrl-C. */
  readonly stopped: AbortSignal;
}

/** A resource that is changed. */
export interface Changed {
  readonly kind: CreatableKind;
  readonly ref: Ref;
}

/** The state of a record, written as `hint` has it. */
export function stateNow(
  { client }: ChangeContext,
  { kind, ref }: Changed,
  { record }: LiveResource,
  hint: ObjectValue | undefined,
): ObjectValue {
  return stateOf(kind, composed(record), {
    org: client.org,
    ...(ref.gvc === undefined ? {} : { gvc: ref.gvc }),
    ...(hint === undefined ? {} : { hint }),
  });
}

/** The state after an apply that went through. */
export function stateApplied(
  { client }: ChangeContext,
  { kind, ref }: Changed,
  { record }: LiveResource,
  planned: ObjectValue,
): ObjectValue {
  return stateAfter(kind, composed(record), planned, {
    org: client.org,
    ...(ref.gvc === undefined ? {} : { gvc: ref.gvc }),
  });
}
