import type { JsonObject, JsonValue } from '../../base/json/json.ts';
import { masked } from '../../base/json/masked.ts';
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

/** The word that `kind` has in the manifest of an output. No kind of resources has this name. */
export const outputKind = 'output';

/** A value that a stack hands on: to people, to programs, to other stacks. It is read from the platform, and kept nowhere. */
export interface Output {
  readonly name: string;
  /** As declared: texts in it may refer to values of live records (`liveReference.ts`). */
  readonly value: JsonValue;
  readonly description?: string;
  /** Where a value that is shown once goes when it is made. */
  readonly saveTo?: { readonly file: string };
  /** It is masked where it is shown; also where it is made of a value that the schema knows to be sensitive. */
  readonly sensitive: boolean;
  /** The name of its stack in code; absent where code says none. */
  readonly stack?: string;
  readonly locate: Locate;
}

/** The manifest with the mask in place of a sensitive value. */
export function maskedOutput(output: Output): JsonObject {
  return outputManifest(output.sensitive ? { ...output, value: masked } : output);
}

/** An output as its manifest. */
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
  /** Absent for what comes from code. */
  readonly written?: Written;
  /** Where values came from elsewhere; absent where all of them were written here. */
  readonly outside?: OutsideValues;
  /** Of what code made. */
  readonly madeBy?: MadeBy;
}

/** The code that made a manifest. */
export interface MadeBy {
  /** The path of its construct in the tree. */
  readonly construct: string;
  /** The name of its stack in code; absent for what is in none. */
  readonly stack?: string;
  /** The lines that called the one at which it was made, from the inside out. */
  readonly callers: readonly Position[];
  /** Parts that come from other lines than the one that made the construct; absent where there are none. */
  readonly places?: readonly PlaceInCode[];
  /** Records that it refers to by constructs that stand for records of others; absent where there are none. */
  readonly existing?: readonly ResourceId[];
}

/** The line of code that a part of a manifest comes from. */
export interface PlaceInCode {
  readonly pointer: Pointer;
  readonly position: Position;
}

/** Places of values from environment variables, files or commands. */
export interface OutsideValues {
  readonly read: readonly Pointer[];
  /** Not read (yet): the value is not known. */
  readonly awaited: readonly Pointer[];
}

/** The document of a value inside of another document. */
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
  /** When the code no longer declares it: forget it instead of deleting it. */
  readonly retain?: boolean;
  /** Take over a live resource without an owner; with `from`, one that this other stack (its owner tag) hands over. */
  readonly adopt?: boolean | { readonly from: string };
  /** Let go of it for this other stack (its owner tag), without deleting it: the other end of `adopt: {from}`. */
  readonly handOver?: string;
  /** The name that it had before: a renaming instead of a deletion and a creation. */
  readonly previously?: string;
  /** Own only the list items and map keys declared here, in a resource that belongs to another owner. */
  readonly part?: boolean;
  /** Allow a replacement that loses data. */
  readonly replace?: boolean;
  /** Wait until it is ready before its dependents continue. */
  readonly wait?: boolean;
  /** How long it may take to become ready where it is waited for: `30s`, `5m`, `1h`. @default `--wait-timeout` */
  readonly waitTimeout?: string;
  /** Paths whose value is used only on creation. */
  readonly ignore?: readonly string[];
  /** Paths that the schema does not know and that this manifest sets all the same. */
  readonly untyped?: readonly string[];
  /** Paths whose value is never shown. */
  readonly sensitive?: readonly string[];
  /** Resources that it waits for, beside those that it refers to. */
  readonly dependsOn?: readonly Dependency[];
}
