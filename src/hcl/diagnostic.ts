/** The path to a value: names of attributes and keys of maps as texts, list positions as numbers. */
export type AttributePath = readonly (string | number)[];

/**
 * A message that Terraform shows at the user's line: the summary names the problem, the detail the reason and the fix.
 */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail: string;
  readonly path?: AttributePath;
}
