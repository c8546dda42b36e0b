/** A note on a change, for people. `isDoubt`: that something stays although nobody may need it; the result repeats it. */
export type Note = string | { readonly text: string; readonly isDoubt: true };

export function noteText(note: Note): string {
  return typeof note === 'string' ? note : note.text;
}

/** The texts of those that say a doubt. */
export function doubtsIn(notes: readonly Note[]): readonly string[] {
  return notes.flatMap((note) => (typeof note === 'string' ? [] : [note.text]));
}
