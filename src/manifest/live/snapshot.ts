import { isObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { mayBeMasked } from '../../base/json/mask.ts';
import type { Capabilities } from '../../capabilities/capabilities.ts';
import { equalValues } from '../../kinds/equal.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { RecordContext, Ref, ResourceId } from '../../schema/record/ref.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import type { Writer, WrittenBy } from './writer.ts';

/** One record as the platform returned it. */
export interface LiveResource {
  readonly ref: Ref;
  readonly id: ResourceId;
  /** The platform's own id (`record.id`), which changes when a name is deleted and created again. */
  readonly uid: string;
  readonly version: number;
  /** The whole response record; for a secret with `data` if it could be revealed. */
  readonly record: JsonObject;
  /** For an unrevealed secret: what is shown instead of its value. */
  readonly shown?: ShownValue;
}

/** One version of a record, such as a write in the audit trail. */
export interface PastVersion {
  readonly version: number;
  readonly record: JsonObject;
  readonly writer?: Writer;
}

/** The content of a GVC, listed because the GVC may be deleted. */
export interface Closure {
  /** False if a GVC-scoped kind could not be listed: then nothing may be deleted. */
  readonly known: boolean;
  readonly children: readonly LiveResource[];
  /** Kinds whose records in it the token cannot, or possibly cannot, all view; absent without any. */
  readonly unseen?: readonly Kind[];
  /** The platform does not state what the token may view. */
  readonly views?: 'untold';
  /** Why it is unknown. */
  readonly because?: string;
}

/** By id: the missing permission to view a record. The record exists, but its content is unknown. */
export type HiddenRecords = ReadonlyMap<ResourceId, string>;

/** The live state that a plan was made from. */
export interface Snapshot {
  readonly org: string;
  readonly resources: ReadonlyMap<ResourceId, LiveResource>;
  /** By GVC name. */
  readonly closures: ReadonlyMap<string, Closure>;
  /** Declared secrets whose values could not be read (`-reveal` refused). */
  readonly unrevealed: ReadonlySet<ResourceId>;
  /** Names that were searched and not found, or that this token cannot view; absent if unknown. */
  readonly unfound?: ReadonlySet<ResourceId>;
  /** Names that were read individually and certainly do not exist; absent without any. */
  readonly absent?: ReadonlySet<ResourceId>;
  /** Kinds of which the owner may have more than was found, with the reason; absent without any. */
  readonly gaps?: ReadonlyMap<Kind, string>;
  /** The records that the token cannot view, among names read individually; absent without any. */
  readonly hidden?: HiddenRecords;
  /** The list directives that the endpoint honours, from `/discovery`. */
  readonly directives: 'all' | 'stated';
  /** Set if the endpoint does not state that it rejects a PATCH for another `id` or `version`. */
  readonly preconditions?: 'unsaid';
  /** Set if the endpoint states that a PUT with `?dryRun=true` stores nothing. */
  readonly dryRun?: 'honoured';
  /**
   * Records that a replacement of this stack deleted and did not create again, as they were. They contain no secrets.
   */
  readonly unfinished?: ReadonlyMap<ResourceId, LiveResource>;
  /** Who deleted records that this stack owned and still declares, and that do not exist now. */
  readonly deletions?: ReadonlyMap<ResourceId, WrittenBy>;
  /**
   * Part of the stack exists, something is to be created, and the audit trail cannot tell whether it existed before.
   */
  readonly trailUnread?: true;
  /** The findings about the platform. Without them every assumption stands. */
  readonly capabilities?: Capabilities;
  /** Earlier versions of records, by `uid`: read only if a plan needs the writers of values that it would remove. */
  readonly past?: ReadonlyMap<string, readonly PastVersion[]>;
  readonly requests: number;
}

/** The records to read: owned, declared, and referenced ones. */
export interface SnapshotRequest {
  readonly org: string;
  /** The value of `gantry/stack`, or undefined to read by name only. */
  readonly owner: string;
  readonly declared: readonly Ref[];
  readonly referenced: readonly Ref[];
}

/**
 * A value as the platform shows it without revealing it: the value itself, or a mask. It can only be compared with a
 * declared value, and is never written to the platform, a file or a terminal.
 */
export class ShownValue {
  readonly #value: JsonValue;

  constructor(value: JsonValue) {
    this.#value = value;
  }

  /** `other`: it is a complete value of this form, without possible masks. */
  comparedWith(shape: Shape, declared: JsonValue, context: RecordContext): 'same' | 'other' | 'unknown' {
    if (equalValues(shape, this.#value, declared, context)) return 'same';
    return !mayBeMasked(this.#value) && isOfForm(shape, this.#value) ? 'other' : 'unknown';
  }

  toJSON(): undefined {
    return undefined;
  }
}

function isOfForm(shape: Shape, value: JsonValue): boolean {
  if (shape.facts.jsonText === true) return typeof value === 'string' && value.trimStart().startsWith('{');
  if (!isObject(value)) return false;
  if (shape.type !== 'object') return shape.type === 'map';
  const names = Object.keys(value);
  return (
    names.every((name) => shape.fields.has(name)) && [...(shape.required ?? [])].every((name) => names.includes(name))
  );
}
