import { ToolError } from '../base/toolError.ts';
import type { Environment } from '../project/session/session.ts';

/** A comment on a change, written by the pipeline itself. */
export interface ForgeComment {
  readonly id: string;
  readonly text: string;
  /** For users. */
  readonly url: string | undefined;
}

/** A pipeline's requests to its forge. A change is a pull request, or a merge request. */
export interface Forge {
  readonly name: 'GitHub' | 'GitLab';
  /** The number of the pipeline's change. Errors: `ci.change`. */
  change(): string;
  /** Comments that this pipeline may replace: its own. Errors: `ci.forge`. */
  ownComments(change: string): Promise<readonly ForgeComment[]>;
  addComment(change: string, text: string): Promise<ForgeComment>;
  replaceComment(change: string, id: string, text: string): Promise<ForgeComment>;
  /**
   * The files that the last pipeline of a change kept under a name, if this pipeline's commit merged that change.
   * Errors: `ci.change`, `ci.kept`, `ci.forge`.
   */
  keptFiles(name: string, files: KeptNames): Promise<Kept>;
}

export interface KeptNames {
  readonly required: string;
  /** Fetched if it was kept too. */
  readonly optional: string;
}

export interface Kept {
  readonly required: Uint8Array;
  readonly optional: Uint8Array | undefined;
  /** The change that they were kept for. */
  readonly change: string;
  /** The commit from which they were made. */
  readonly commit: string;
}

/** A variable that the forge sets for each job. Errors: `ci.environment`. */
export function ciVariable(environment: Environment, name: string, hint = jobHint): string {
  const value = environment[name];
  if (value !== undefined && value !== '') return value;
  throw new ToolError({ code: 'ci.environment', message: `${name} is not set`, hint });
}

const jobHint = 'Run this in a job of GitHub Actions or GitLab CI, which set it.';

/** There is no pull or merge request that a plan could be for. */
export function noChange(message: string): ToolError {
  return new ToolError({
    code: 'ci.change',
    message,
    hint: 'Only what a pull or merge request planned is applied. Open one, and let its pipeline plan.',
  });
}

/** There is a change, but no plan that may be applied for it. */
export function notKept(message: string): ToolError {
  return new ToolError({
    code: 'ci.kept',
    message,
    hint: 'Open a new pull or merge request, so that its pipeline plans again. Nothing was applied.',
  });
}
