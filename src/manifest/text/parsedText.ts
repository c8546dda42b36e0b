import type { ManifestDocument } from '../model/document.ts';
import type { LocatedProblem } from '../model/locatedProblem.ts';

/** What became of the text of one file: documents, and what is wrong with the text. */
export interface ParsedText {
  readonly documents: readonly ManifestDocument[];
  readonly problems: readonly LocatedProblem[];
}
