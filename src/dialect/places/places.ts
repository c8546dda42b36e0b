import type { Kind } from '../../schema/record/kinds.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { answerPlaces } from './answerPlaces.ts';
import { answerKeys } from './declared.ts';
import type { Place } from './place.ts';
import { queryPlace } from './queryPlace.ts';
import { recordPlaces } from './recordPlaces.ts';
import { simplePlaces } from './simplePlaces.ts';

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
