import type { Position } from '../../manifest/model/manifest.ts';
import type { WrittenBy } from '../../manifest/live/writer.ts';
import type { JsonObject, JsonValue } from '../../schema/json/json.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import type { Risk } from '../../schema/facts/risk.ts';
import type { Action, Edge, Refusal } from '../model/change.ts';
import type { SensitiveValue } from '../../patch/show/fieldChanges.ts';
import type { Reason } from './reasons.ts';

/** Why a plan does to one resource what it does. `explanationSchema.ts` documents it as JSON. */
export interface Explanation {
  readonly org: string;
  readonly stack: string;
  readonly resource: ResourceId;
  readonly action: Action;
  readonly intended?: Action;
  /** Empty for `keep`. */
  readonly reason: string;
  readonly risk?: Risk;
  readonly liveVersion?: number;
  /** Of the live record, in words: `this stack`, `the stack bank`, `nobody`. */
  readonly owner?: string;
  /** Where the resource is declared. */
  readonly at?: Position;
  /** What is sent, sensitive values masked, in this order. */
  readonly requests: readonly ExplainedRequest[];
  readonly proof?: Proof;
  /** Where the patch could have been written in other ways. */
  readonly choices: readonly ExplainedChoice[];
  /** What will be different, or with a path all that is to be said of the fields there. */
  readonly fields: readonly ExplainedField[];
  /** Fields that are written differently on both sides and mean the same, or that are not declared and stay. */
  readonly equal: readonly ExplainedField[];
  /** How many fields of the record each verdict was given to. */
  readonly counts: Readonly<Partial<Record<Reason, number>>>;
  readonly waitsFor: readonly Edge[];
  readonly takesAlong: readonly Along[];
  /** What the update of a GVC hits although it belongs to others. */
  readonly hits?: readonly ResourceId[];
  /** Of the creation half of a renaming: what goes when this one is there. */
  readonly renamedFrom?: ResourceId;
  readonly via?: ResourceId;
  readonly refusals: readonly Refusal[];
  readonly notes: readonly string[];
}

export interface ExplainedRequest {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** The PATCH of a second step. */
  readonly then?: true;
  readonly body?: JsonObject;
}

/** The patch, applied to the live copy by the reference semantics of `patch/`. */
export interface Proof {
  /** False would be a mistake of the planner: such a plan is never made. */
  readonly holds: boolean;
  /** Managed fields that then have the value that is declared, or what leaving them out means. */
  readonly managed: number;
  /** Fields that this stack does not manage, and that stay as they are. */
  readonly untouched: number;
  /** Paths that speak against it. */
  readonly against: readonly string[];
}

export interface ExplainedChoice {
  readonly path: string;
  readonly then?: true;
  readonly chosen: ExplainedWay;
  readonly rejected: readonly ExplainedWay[];
  readonly impossible: readonly { readonly directives: readonly string[]; readonly because: string }[];
}

export interface ExplainedWay {
  /** The words that it uses: `$patch/containers`, or the bare field for a merge or a whole list. */
  readonly entries: readonly string[];
  readonly leaves: number;
  /** Absent where the length of a secret would show. */
  readonly bytes?: number;
}

export interface ExplainedField {
  readonly path: string;
  readonly why: Reason;
  /** The same for people, with what is particular to this field. */
  readonly because: string;
  readonly declared?: JsonValue | SensitiveValue;
  /** Where it is declared. */
  readonly at?: Position;
  readonly live?: JsonValue | SensitiveValue;
  /** Of the record in whose place this one is created: what is taken over from it, whatever is declared. */
  readonly before?: JsonValue | SensitiveValue;
  /** What leaving it out means. */
  readonly means?: JsonValue;
  /** Who made the live value what it is. Null: unknown. Absent: nobody asked, because nothing differs. */
  readonly writer?: WrittenBy | null;
  readonly risk?: Risk;
}

/** What the platform deletes along with it. */
export interface Along {
  readonly id: ResourceId;
  readonly owner: string;
}
