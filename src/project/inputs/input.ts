import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import { displayPath, inputProblem } from '../files/fileRefusal.ts';
import type { SearchBounds, SearchStopped } from './bounds.ts';

/** One PATH argument, resolved. */
export type Input =
  | {
      readonly type: 'files';
      readonly paths: readonly string[];
      readonly whole: boolean;
      /** The one file that was named; absent where they were found. */
      readonly named?: true;
      /** Absent where no folder was searched. */
      readonly searched?: Searched;
    }
  | { readonly type: 'stack'; readonly path: string; readonly notes: readonly string[] }
  | { readonly type: 'stdin' }
  | { readonly type: 'problem'; readonly problem: LocatedProblem; readonly notes: readonly string[] };

export interface Searched {
  /** Absolute. */
  readonly folder: string;
  /** Problems of files in it that cannot be read. */
  readonly problems: readonly LocatedProblem[];
  /** Notes on files that were left out although they hold manifests. */
  readonly notes: readonly string[];
}

export interface FindOptions {
  readonly bounds?: SearchBounds;
  /** Milliseconds, for durations. */
  readonly now?: () => number;
}

/** A folder that is no project, and holds no manifest: the wrong one, perhaps. */
export function emptyFolder(folder: string, cwd: string): LocatedProblem {
  const hint = 'Name a folder with YAML or JSON manifests, or with a stack.ts.';
  return inputProblem(displayPath(folder, cwd), 'input.empty', 'there is no manifest in it', hint);
}

/** A PATH that gives nothing. */
export function noInput(file: string, rule: string, message: string, hint = 'Check the path.'): Input {
  return { type: 'problem', problem: inputProblem(file, rule, message, hint), notes: [] };
}

/** The next step where too much is found. */
export const narrowSearch = 'Name the folder of the project, or leave folders out with .gantryignore.';

export function stoppedSearch({ path, message }: SearchStopped, cwd: string): Input {
  return noInput(
    displayPath(path, cwd),
    'input.too-many',
    `the search for manifests stopped here: ${message}`,
    narrowSearch,
  );
}
