import type { JsonObject } from '../../schema/json/json.ts';
import type { Pointer } from '../../schema/json/pointer.ts';
import type { CreatableKind } from '../../schema/record/kinds.ts';
import type { Ref, ResourceId } from '../../schema/record/ref.ts';
import type { Lifecycle } from './lifecycle.ts';

/** What an author wrote for one resource, as plain data. */
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
 * Finds the place where a value was written; the closest enclosing one if the value itself has none. For a field it is
 * the place of its name, or with `value` that of the scalar that stands there, where the source tells these apart.
 */
export type Locate = (pointer: Pointer, of?: 'field' | 'value') => Position;

/**
 * The text of a plain value as its author wrote it (`1.10`, `0755`, `~`), where the source is known; undefined for what
 * is in quotes, a list, or an object.
 */
export type Written = (pointer: Pointer) => string | undefined;

/** A validated manifest: an address, the body to be sent on create, and instructions. */
export interface DesiredResource {
  readonly ref: Ref & { readonly kind: CreatableKind };
  readonly id: ResourceId;
  /** `name`, `description`, `tags`, and `spec` or the kind's own fields: no `kind`, `gvc`, `lifecycle`. */
  readonly record: JsonObject;
  readonly lifecycle: Lifecycle;
  readonly locate: Locate;
}
