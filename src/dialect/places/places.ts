import { type Kind, kindNamed } from '../../schema/record/kinds.ts';
import type { Renaming } from '../words/renaming.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { answerPlaces } from './answerPlaces.ts';
import { answerKeys } from './declared.ts';
import { type Place, placeOf } from './place.ts';
import { recordPlaces } from './recordPlaces.ts';
import { type SimplePlaces, simplePlaces } from './simplePlaces.ts';

/** The places where a document begins. */
export interface Places {
  readonly record: (kind: Kind) => Place;
  /** The body of a query over a kind; undefined: over commands and the like. */
  readonly query: (kind: Kind | undefined) => Place;
  /** What the platform answers, where no schema describes it: lists, commands, reports, status. */
  readonly answer: Place;
  readonly auditEvent: Place;
}

/** Records hold answers (their status), and answers hold records (lists): each is made when it is met. */
export function placesOf(vocabulary: Vocabulary): Places {
  const keys = answerKeys(vocabulary);
  const simple = simplePlaces(vocabulary, keys);
  const query = (kind: Kind | undefined): Place => queryPlace(simple, keys, kind);
  const record = recordPlaces({ vocabulary, simple, query, answer: () => answer });
  const { answer, auditEvent } = answerPlaces({ simple, keys, containers: vocabulary.containers, record, query });
  return { record, query, answer, auditEvent };
}

/**
 * A query over records of a kind, stored or sent (platform/query); undefined: the query may say itself over which.
 * What it selects by is a name; what it compares with is a value, but for the name of an audit context.
 */
function queryPlace(simple: SimplePlaces, keys: Renaming, kind: Kind | undefined): Place {
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
