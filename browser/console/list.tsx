import type { VNode } from 'preact';
import { wordsOf } from '../../src/kinds/kindWords.ts';
import { kindNamed } from '../../src/schema/record/kinds.ts';
import { Shown } from '../live/shown.tsx';
import { useLive } from '../live/useLive.ts';
import { seen } from '../report/parts/text.tsx';
import type { Place } from './address.ts';
import { Rows } from './rows.tsx';

/** The records of one kind. */
export function ListView({ place: { link, kind } }: { readonly place: Place }): VNode {
  const live = useLive(link, (api, signal) => api.list(link, signal));
  return (
    <section class="panel" aria-labelledby="list-title">
      <h1 id="list-title">{manyOf(kind)}</h1>
      <Shown of={live}>{({ items, more }) => <Rows of={items} more={more} />}</Shown>
    </section>
  );
}

/** The plural of a kind, capitalised. */
export function manyOf(kind: string): string {
  const known = kindNamed(kind);
  const word = known === undefined ? seen(kind) : wordsOf(known).plural;
  return word.charAt(0).toUpperCase() + word.slice(1);
}
