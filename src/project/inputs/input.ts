import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import { displayPath, inputProblem } from '../files/fileRefusal.ts';
import type { SearchBounds, SearchStopped } from './bounds.ts';

/** One PATH argument, resolved. */
export type Input =
  | {
      readonly type: 'files';
      readonly paths: readonly string[];
      readonly isProject: boolean;
      /** Whether the user named this one file; absent if files were searched. */
      readonly named?: true;
      /** Absent if no folder was searched. */
      readonly searched?: Searched;
    }
  | { readonly type: 'stack'; readonly path: string; readonly notes: readonly string[] }
  | { readonly type: 'stdin' }
  | { readonly type: 'problem'; readonly problem: LocatedProblem; readonly notes: readonly string[] };

export interface Searched {
  /** Absolute. */
  readonly folder: string;
  /** Problems of unreadable files in it. */
  readonly problems: readonly LocatedProblem[];
  /** Notes on omitted files that contain manifests. */
  readonly notes: readonly string[];
}

export interface FindOptions {
  readonly bounds?: SearchBounds;
  /** Milliseconds, for durations. */
  readonly now?: () => number;
}

/** A folder that is not a project and contains no manifest: perhaps the wrong one. */
export function emptyFolder(folder: string, cwd: string): LocatedProblem {
  const hint = 'Name a folder with YAML or JSON manifests, or with a stack.ts.';
  return inputProblem(displayPath(folder, cwd), 'input.empty', 'there is no manifest in it', hint);
}

/** A PATH without input. */
export function noInput(file: string, rule: string, message: string, hint = 'Check the path.'): Input {
  return { type: 'problem', problem: inputProblem(file, rule, message, hint), notes: [] };
}

/** The hint for a search that finds too much. */
export const narrowSearch = 'Name the folder of the project, or leave folders out with .gantryignore.';

export function stoppedSearch({ path, message }: SearchStopped, cwd: string): Input {
  return noInput(
    displayPath(path, cwd),
    'input.too-many',
    `the search for manifests stopped here: ${message}`,
    narrowSearch,
  );
}
