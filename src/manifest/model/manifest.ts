import type { JsonObject, JsonValue } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import type { DeclarableKind } from '../../schema/record/kinds.ts';
import type { Ref, ResourceId } from '../../schema/record/ref.ts';
import type { Lifecycle } from './lifecycle.ts';

/** The declaration of one resource, as plain data. */
export interface Manifest extends JsonObject {
  readonly kind: string;
  readonly name: string;
}

/** 1-based, as editors count. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * The position of a value; of the closest enclosing value if it has none. For a field it is the position of its name,
 * or with `value` that of its scalar value, if the source distinguishes the two.
 */
export type Locate = (pointer: Pointer, of?: 'field' | 'value') => Position;

/**
 * A plain value as written (`1.10`, `0755`, `~`), if the source is known; undefined for quoted text, lists and objects.
 */
export type Written = (pointer: Pointer) => string | undefined;

/** A validated manifest: an address, the body to be sent on create, and instructions. */
export interface DesiredResource {
  readonly ref: Ref & { readonly kind: DeclarableKind };
  readonly id: ResourceId;
  /** `name`, `description`, `tags`, and `spec` or the kind's own fields: no `kind`, `gvc`, `lifecycle`. */
  readonly record: JsonObject;
  readonly lifecycle: Lifecycle;
  readonly locate: Locate;
  /** The name of its stack in code; absent where code says none. */
  readonly stack?: string;
  /** The values of live records that its texts refer to (`live/liveReference.ts`); absent: there are none. */
  readonly reads?: readonly ReadValue[];
  /** Records of others that the code says to exist; absent where no code made it. */
  readonly existing?: readonly ResourceId[];
}

/** A text of a record, as it was before its references were filled. */
export interface PlacedText {
  readonly at: Pointer;
  readonly text: string;
}

/** A value of a live record that another record takes. */
export interface ReadValue {
  /** The reference as it is written. */
  readonly text: string;
  readonly id: ResourceId;
  readonly ref: Ref;
  readonly path: string;
  /** The texts that have it, as they are declared. Absent: the record has not been filled yet. */
  readonly places?: readonly PlacedText[];
  /** It is shown once, and was: nobody can read it any more. */
  readonly wasShown?: true;
  /**
   * The value that it was filled with, for a plan. Absent: it is known after an apply, and the text stands in its
   * place.
   */
  readonly value?: JsonValue;
}
