import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';

/** News for people on the way. No result depends on it. */
export type Notice =
  /** A note on files that were found or left out, or on a change on this machine. */
  | { readonly type: 'note'; readonly text: string }
  /** A line that a stack wrote to its standard output or error. */
  | { readonly type: 'output'; readonly file: string; readonly line: string }
  /** The problems of manifests: warnings, and errors before they are thrown. */
  | { readonly type: 'problems'; readonly problems: readonly LocatedProblem[] }
  /** A request is sent again after this delay. */
  | { readonly type: 'retry'; readonly because: string; readonly delayMs: number };
