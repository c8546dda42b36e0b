import type { JsonObject } from '../../base/json/json.ts';
import type { CustomKinds } from '../../schema/record/customKinds.ts';

/** The request to a stack's process on its standard input: one JSON document. */
export interface StackRequest {
  /** Absolute. */
  readonly path: string;
  /** The base of paths in problems. */
  readonly cwd: string;
  /** The command line that the stack sees. */
  readonly argv: readonly string[];
  /** The requested environment (`--env`). */
  readonly environment?: string;
  /** Its values in `gantry.yaml`. */
  readonly values?: JsonObject;
  /** The custom kinds of `gantry.yaml`. */
  readonly kinds?: CustomKinds;
  /** Whether to return the files that the stack loads. */
  readonly includeFiles?: boolean;
  /** Replaces the package `gantry` if the stack has no `node_modules`. */
  readonly gantry?: string;
}

/** The first argument of a process that starts before its request is known, and prepares for a stack. */
export const early = 'early';

/** The same if the stack will differ from the last run. */
export const edited = 'edited';

/** The file descriptor for the declarations of a stack. */
export const handOverDescriptor = 3;
