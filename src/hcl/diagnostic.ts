/** The way to a value: names of attributes and keys of maps as texts, places in lists as numbers. */
export type AttributePath = readonly (string | number)[];

/**
 * A message that Terraform shows at the user's line: the summary says what is wrong, the detail why and how to mend it.
 */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail: string;
  readonly path?: AttributePath;
}
