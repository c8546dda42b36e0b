import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';

/** What people may want to know on the way. No result depends on it. */
export type Notice =
  /** What was found, left out, or changed on this machine. */
  | { readonly type: 'note'; readonly text: string }
  /** A line that a stack wrote to its standard output or error. */
  | { readonly type: 'output'; readonly file: string; readonly line: string }
  /** What is wrong with manifests: warnings, and errors before they are thrown. */
  | { readonly type: 'problems'; readonly problems: readonly LocatedProblem[] }
  /** A request is sent again after this delay. */
  | { readonly type: 'retry'; readonly because: string; readonly delayMs: number };
