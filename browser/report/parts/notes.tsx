import type { VNode } from 'preact';
import { Text } from './text.tsx';

/** The notes of a plan or a change beside its facts; nothing where there are none. */
export function Notes({ of: notes }: { readonly of: readonly string[] }): VNode | null {
  if (notes.length === 0) return null;
  return (
    <ul class="notes">
      {notes.map((note) => (
        <li key={note}>
          <Text of={note} />
        </li>
      ))}
    </ul>
  );
}
