import { type Kind, kindNamed } from '../../schema/record/kinds.ts';
import type { Renaming } from '../words/renaming.ts';
import { type Place, placeOf } from './place.ts';
import type { SimplePlaces } from './simplePlaces.ts';

/**
 * A query over records of a kind, stored or sent (platform/query); undefined: the query may say itself over which.
 * What it selects by is a name; what it compares with is a value, but for the name of an audit context.
 */
export function queryPlace(simple: SimplePlaces, keys: Renaming, kind: Kind | undefined): Place {
  const { free, name } = simple;
  const { text } = free;
  const term: Place = placeOf({
    keys,
    text,
    child(key, member) {
      if (key === 'tag') return name.tag;
      if (key === 'property') return name.property;
      const named = kind === 'auditctx' && /^(?:name|description)$/.test(String(member('property')));
      return key === 'value' && named ? name.context : free;
    },
  });
  const terms = placeOf({ text, item: () => term });
  const sort = placeOf({ keys, text, child: (key) => (key === 'by' ? name.property : free) });
  const spec = placeOf({
    keys,
    text,
    child: (key) => (key === 'terms' ? terms : key === 'sort' ? sort : free),
  });
  return placeOf({
    keys,
    text,
    child(key, member) {
      if (key !== 'spec') return free;
      const said = kindNamed(member('kind'));
      return kind === undefined && said !== undefined ? queryPlace(simple, keys, said).child(key, member) : spec;
    },
  });
}
