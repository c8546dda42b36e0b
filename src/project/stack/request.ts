import type { JsonObject } from '../../base/json/json.ts';
import type { CustomKinds } from '../../schema/record/customKinds.ts';

/** The request to the process of a stack on its standard input: one JSON document. */
export interface StackRequest {
  /** Absolute. */
  readonly path: string;
  /** The folder that paths in problems are relative to. */
  readonly cwd: string;
  /** The command line that the stack sees as its own. */
  readonly argv: readonly string[];
  /** The environment that was asked for (`--env`). */
  readonly environment?: string;
  /** Its values in `gantry.yaml`. */
  readonly values?: JsonObject;
  /** The custom kinds of `gantry.yaml`. */
  readonly kinds?: CustomKinds;
  /** Whether the files that the stack loads are to be told. */
  readonly tellFiles?: boolean;
  /** Stands for the package `gantry`, where the stack lies beside no `node_modules`. */
  readonly gantry?: string;
}

/** The first argument of a process that is started before its request is known: it prepares for a stack meanwhile. */
export const early = 'early';

/** The same, where the stack is going to be another one than in the last run. */
export const edited = 'edited';

/** The file descriptor on which a stack hands over what it declares. */
export const handOverDescriptor = 3;
