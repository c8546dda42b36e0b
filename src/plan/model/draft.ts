import type { JsonObject } from '../../base/json/json.ts';
import { nonEmpty, present } from '../../base/json/present.ts';
import { durationWithUnitMs } from '../../base/text/duration.ts';
import { becomesReady } from '../../kinds/kindFacts.ts';
import type { Reference } from '../../kinds/references.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Body } from '../../manifest/model/body.ts';
import type { DesiredResource, Position } from '../../manifest/model/manifest.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { doubtsIn, type Note, noteText } from '../record/fieldClaims.ts';
import type { Cause } from './cause.ts';
import {
  type Change,
  type ChangeFields,
  checkedChange,
  type Edge,
  type FieldChange,
  type PlannedAction,
  type Refusal,
} from './change.ts';
import type { PlanOptions } from './planOptions.ts';

/** A change without its edges. */
export interface Draft extends Omit<ChangeFields, 'requires' | 'deleteRequires' | 'thenRequires' | 'notes' | 'doubts'> {
  readonly action: PlannedAction;
  readonly desired?: DesiredResource;
  readonly live?: LiveResource;
  /** The whole record afterwards, with all tags; undefined if unknown. */
  readonly result?: JsonObject;
  /** The record, deleted or about to be, that a new one replaces. */
  readonly from?: LiveResource;
  /** References that only the second step writes. */
  readonly later: readonly Reference[];
  readonly notes: readonly Note[];
  /** Set if something is kept only because the audit trail was not queried for its writer. */
  readonly inDoubt?: true;
  /** Its first write changes nothing that its children need, so they need not wait for it. */
  readonly secondStepOnly?: true;
}

export interface DraftParts {
  readonly action: PlannedAction;
  readonly reason: string;
  readonly cause?: Cause;
  readonly fields?: readonly FieldChange[];
  readonly create?: Body;
  readonly patch?: Body;
  readonly then?: Body;
  readonly expected?: Body;
  readonly expectedThen?: Body;
  readonly later?: readonly Reference[];
  readonly secondStepOnly?: true;
  readonly inDoubt?: true;
  readonly result?: JsonObject;
  readonly from?: LiveResource;
  readonly via?: string;
  readonly carries?: readonly string[];
  readonly unmarked?: true;
  readonly cascadesTo?: readonly string[];
  readonly wait?: boolean;
  readonly waitTimeoutMs?: number;
  readonly part?: true;
  readonly refusals?: readonly Refusal[];
  readonly notes?: readonly Note[];
  readonly awaits?: readonly string[];
}

/** Makes a draft with the members that all actions have. */
export function makeDraft(of: Pick<Draft, 'id' | 'ref' | 'desired' | 'live'>, parts: DraftParts): Draft {
  const { ref, live } = of;
  return {
    ...of,
    kind: ref.kind,
    name: ref.name,
    ...present({ gvc: ref.gvc }),
    ...present({ liveVersion: live?.version, liveUid: live?.uid }),
    fields: [],
    later: [],
    cascadesTo: [],
    wait: false,
    refusals: [],
    notes: [],
    ...parts,
  };
}

export function withRefusals(draft: Draft, refusals: readonly Refusal[]): Draft {
  return refusals.length === 0 ? draft : { ...draft, refusals: [...draft.refusals, ...refusals] };
}

const writing: ReadonlySet<PlannedAction> = new Set(['create', 'patch', 'replace', 'adopt']);

/** Whether its record is written. (Forgetting changes only our own two tags.) */
export function writes(draft: Draft): boolean {
  return writing.has(draft.action);
}

/** Whether the live record will be deleted. */
export function deletes(draft: Draft): boolean {
  return draft.action === 'delete' || draft.action === 'replace';
}

/** The edges that the steps of a change wait for. */
export interface Waits {
  readonly write: readonly Edge[];
  readonly delete: readonly Edge[];
  readonly then: readonly Edge[];
}

/** Converts a draft to a change, which is refused if anything refuses it. */
export function toChange(draft: Draft, waits: Waits = noWaits): Change {
  const { desired: _desired, live: _live, later: _later, secondStepOnly: _only, ...others } = draft;
  const { result: _result, from: _from, inDoubt: _inDoubt, ...rest } = others;
  const doubts = doubtsIn(draft.notes);
  return checkedChange({
    ...rest,
    notes: draft.notes.map(noteText),
    ...nonEmpty({ doubts }),
    requires: waits.write,
    ...(draft.action === 'replace' ? { deleteRequires: waits.delete } : {}),
    ...present({ thenRequires: draft.then === undefined ? undefined : waits.then }),
    ...(draft.refusals.length === 0 ? {} : { action: 'refuse', intended: draft.action }),
  });
}

const noWaits: Waits = { write: [], delete: [], then: [] };

/** Whether the change counts as done only when the resource is ready, and how long that may take. */
export function waiting(
  { ref, lifecycle }: DesiredResource,
  options: PlanOptions,
): Pick<Change, 'wait' | 'waitTimeoutMs'> {
  if (!becomesReady(ref.kind)) return { wait: false };
  const waitTimeoutMs = durationWithUnitMs(lifecycle.waitTimeout ?? '');
  return { wait: lifecycle.wait ?? options.wait, ...present({ waitTimeoutMs }) };
}

/** The steps of a change: its first write (or its deletion), the DELETE half of a replacement, the second write. */
export type Step = 'main' | 'delete' | 'then';

export interface StepEdge {
  readonly from: ResourceId;
  readonly fromStep: Step;
  readonly on: ResourceId;
  readonly onStep: Step;
  readonly because: string;
  readonly soft: boolean;
  readonly ready: boolean;
  /** Whether the waiting step would be refused or stuck without the other, although that exists already. */
  readonly needed?: true;
  /** On a deletion: the creation that follows needs the other, not the deletion itself. */
  readonly forCreation?: true;
  /** Its position in the manifest; undefined for references of live records only. */
  readonly locate?: (() => Position) | undefined;
}

/** The step that deletes the live record. */
export function deletionStep(draft: Draft): Step {
  return draft.action === 'replace' ? 'delete' : 'main';
}

export function stepsOf(draft: Draft): readonly Step[] {
  const steps: Step[] = [];
  if (draft.action === 'replace') steps.push('delete');
  steps.push('main');
  if (draft.then !== undefined) steps.push('then');
  return steps;
}

/** A draft in an edge; `step` defaults to its main one. */
interface EdgeEnd {
  readonly draft: Draft;
  readonly step?: Step;
}

/** An edge not derived from a field; its position is that of the waiting resource. */
export function derivedEdge(from: EdgeEnd, on: EdgeEnd, because: string, soft: boolean): StepEdge {
  const { desired } = from.draft;
  const locate = desired === undefined ? undefined : () => desired.locate([]);
  const steps = { fromStep: from.step ?? 'main', onStep: on.step ?? 'main' } as const;
  return { from: from.draft.id, on: on.draft.id, ...steps, because, soft, ready: false, locate };
}
