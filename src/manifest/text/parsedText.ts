import type { ManifestDocument } from '../model/document.ts';
import type { LocatedProblem } from '../model/locatedProblem.ts';

/** The parsed text of one file: its documents and its problems. */
export interface ParsedText {
  readonly documents: readonly ManifestDocument[];
  readonly problems: readonly LocatedProblem[];
}
