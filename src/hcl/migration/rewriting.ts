import type { Counterpart, Counterparts } from './counterparts.ts';
import type { Edits } from './edits.ts';
import type { Note } from './references.ts';

/** One resource that is rewritten. */
export interface Rewriting {
  readonly text: string;
  readonly edits: Edits;
  readonly note: Note;
  readonly counterpart: Counterpart;
  /** Of what is referred to. */
  readonly counterparts: Counterparts;
}
