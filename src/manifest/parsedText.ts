import type { ManifestDocument } from './document.ts';
import type { LocatedProblem } from './locatedProblem.ts';

/** What became of the text of one file: either documents, or the reason why there are none. */
export interface ParsedText {
  readonly documents: readonly ManifestDocument[];
  readonly problems: readonly LocatedProblem[];
}
