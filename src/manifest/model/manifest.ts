import type { JsonObject, JsonValue } from '../../base/json/json.ts';
import { masked } from '../../base/json/mask.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { present } from '../../base/json/present.ts';
import type { DeclarableKind } from '../../schema/record/kinds.ts';
import type { Ref, ResourceId } from '../../schema/record/ref.ts';

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
  /** The name of its stack in code; absent if there is none. */
  readonly stack?: string;
  /** The live values that its texts refer to (`live/liveReference.ts`); absent without any. */
  readonly reads?: readonly ReadValue[];
  /** Foreign records that the code states to exist; absent if not made by code. */
  readonly existing?: readonly ResourceId[];
}

/** A text of a record before its references were filled. */
export interface PlacedText {
  readonly at: Pointer;
  readonly text: string;
}

/** A live value that another record uses. */
export interface ReadValue {
  /** The reference as written. */
  readonly text: string;
  readonly id: ResourceId;
  readonly ref: Ref;
  readonly path: string;
  /** The declared texts that contain it; absent if not filled yet. */
  readonly places?: readonly PlacedText[];
  /** It was shown once, and cannot be read any more. */
  readonly wasShown?: true;
  /** The value filled in for a plan. Absent if known only after an apply; the text then stays in its place. */
  readonly value?: JsonValue;
}

/** The `kind` in the manifest of an output. No resource kind has this name. */
export const outputKind = 'output';

/**
 * A value that a stack provides for users, programs and other stacks. It is read from the platform, and stored nowhere.
 */
export interface Output {
  readonly name: string;
  /** As declared: texts in it may refer to values of live records (`liveReference.ts`). */
  readonly value: JsonValue;
  readonly description?: string;
  /** Where a value that is shown once is saved when it is created. */
  readonly saveTo?: { readonly file: string };
  /** Whether it is masked when shown; also true if it contains a value that is sensitive by the schema. */
  readonly sensitive: boolean;
  /** The name of its stack in code; absent if there is none. */
  readonly stack?: string;
  readonly locate: Locate;
}

/** The manifest with the mask instead of a sensitive value. */
export function maskedOutput(output: Output): JsonObject {
  return outputManifest(output.sensitive ? { ...output, value: masked } : output);
}

export function outputManifest({ name, value, description, saveTo, sensitive }: Output): JsonObject {
  return {
    kind: outputKind,
    name,
    value,
    ...present({ description, saveTo }),
    ...(sensitive ? { sensitive } : {}),
  };
}

/** One document of an input: a manifest, or a list of them, as data. */
export interface ManifestDocument {
  readonly value: JsonValue;
  readonly locate: Locate;
  /** Absent for documents from code. */
  readonly written?: Written;
  /** Places with values from outside; absent if all are written here. */
  readonly outside?: OutsideValues;
  /** The code that made it, if any. */
  readonly madeBy?: MadeBy;
}

/** The code that made a manifest. */
export interface MadeBy {
  /** The path of its construct in the tree. */
  readonly construct: string;
  /** The name of its stack in code; absent if there is none. */
  readonly stack?: string;
  /** The callers of the line that made it, innermost first. */
  readonly callers: readonly Position[];
  /** Parts from other lines than the construct's; absent without any. */
  readonly places?: readonly PlaceInCode[];
  /** Records that it refers to by constructs for foreign records; absent without any. */
  readonly existing?: readonly ResourceId[];
}

/** The line of code that a part of a manifest comes from. */
export interface PlaceInCode {
  readonly pointer: Pointer;
  readonly position: Position;
}

/** Places with values from environment variables, files or commands. */
export interface OutsideValues {
  readonly read: readonly Pointer[];
  /** Places not read (yet), with unknown values. */
  readonly awaited: readonly Pointer[];
}

/** The document of a value inside another document. */
export function documentInside(
  { locate, written, madeBy }: ManifestDocument,
  prefix: Pointer,
  value: JsonValue,
): ManifestDocument {
  return {
    value,
    locate: (pointer, of) => locate([...prefix, ...pointer], of),
    ...(written === undefined ? {} : { written: (pointer) => written([...prefix, ...pointer]) }),
    ...present({ madeBy }),
  };
}

/** Instructions to Gantry about one resource; never sent to the platform as such. */
export interface Lifecycle<Dependency = ResourceId> {
  /** Sets the platform's own `scheme/protected`; lifted only by applying `protect: false` first. */
  readonly protect?: boolean;
  /** Forget it instead of deleting it when the code no longer declares it. */
  readonly retain?: boolean;
  /** Take over a live resource without an owner; with `from`, one that this other stack (its owner tag) hands over. */
  readonly adopt?: boolean | { readonly from: string };
  /** Release it to this other stack (its owner tag), without deleting it: the counterpart of `adopt: {from}`. */
  readonly handOver?: string;
  /** Its former name: a renaming instead of a deletion and a creation. */
  readonly previously?: string;
  /** Own only the list items and map keys declared here, in a resource that belongs to another owner. */
  readonly part?: boolean;
  /** Allow a replacement that loses data. */
  readonly replace?: boolean;
  /** Wait until it is ready before its dependents continue. */
  readonly wait?: boolean;
  /** The time to become ready if it is waited for: `30s`, `5m`, `1h`. @default `--wait-timeout` */
  readonly waitTimeout?: string;
  /** Paths whose value is used only on creation. */
  readonly ignore?: readonly string[];
  /** Paths unknown to the schema that this manifest sets anyway. */
  readonly untyped?: readonly string[];
  /** Paths whose value is never shown. */
  readonly sensitive?: readonly string[];
  /** Resources that it waits for, besides those that it refers to. */
  readonly dependsOn?: readonly Dependency[];
}
