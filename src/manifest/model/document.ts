import type { JsonValue } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { present } from '../../base/json/present.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import type { Locate, Position, Written } from './manifest.ts';

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
