import { isObject, type JsonValue, own } from '../schema/json/json.ts';
import { type Kind, kindNamed } from '../schema/record/kinds.ts';
import { problemText } from './messages.ts';
import { pathsBelow } from './paths.ts';
import { openApiPlace } from './places/openApiPlace.ts';
import { alone, type Member, type Place, placeOf } from './places/place.ts';
import type { Places } from './places/places.ts';
import type { Renaming, Way } from './words/renaming.ts';

/** What a request is about, by its neutral path. */
export interface Address {
  readonly segments: readonly string[];
  /** Of the collection or the item; undefined where the path knows none. */
  readonly kind: Kind | undefined;
  /** What follows: `-query`, `-command`. */
  readonly operation: string | undefined;
}

export function readAddress(address: string): Address {
  const path = address.split(/[?#]/, 1)[0] ?? '';
  const segments = path.split('/').slice(1);
  const first = segments.findIndex((segment) => segment.startsWith('-'));
  const record = first === -1 ? segments : segments.slice(0, first);
  const isItem = record.length % 2 === 0;
  const kind = record[0] === 'org' ? kindNamed(record.at(isItem ? -2 : -1)) : undefined;
  return { segments, kind, operation: first === -1 ? undefined : segments[first] };
}

/** Gantry's own: they carry its files, and those are the same in front of every installation. */
const local: ReadonlySet<string> = new Set(['-clock', '-faults', '-snapshot', '-health', '-metrics']);

export function isLocal({ segments }: Address): boolean {
  return local.has(segments[0] ?? '');
}

/** The body of a request. */
export function requestPlace(places: Places, { segments, kind, operation }: Address): Place {
  if (segments.at(-1) === '-query') return places.query(operation === '-query' ? kind : undefined);
  if (segments[0] === 'audit') return places.auditEvent;
  return operation === undefined && kind !== undefined ? places.record(kind) : places.answer;
}

/** The body of an answer that is no refusal: what it says itself that it is, else what was asked for. */
export function answerPlace(
  places: Places,
  { segments, kind, operation }: Address,
  body: JsonValue,
  way: Way,
  messages: Renaming,
): Place {
  const { answer } = places;
  const said = isObject(body) ? own(body, way === 'toWire' ? 'kind' : answer.keys.toWire('kind')) : undefined;
  const stated = kindNamed(said);
  if (stated !== undefined) return places.record(stated);
  if (said === 'auditevent') return places.auditEvent;
  if (said !== undefined) return answer;
  if (segments[0] === 'audit') return places.auditEvent;
  if (segments[0] === 'openapi.json') return openApiPlace(answer.keys, messages);
  return operation === undefined && kind !== undefined ? places.record(kind) : answer;
}

/** A refusal: the paths in it are those of the record that was sent (platform/errors.body). */
export function refusalPlace(places: Places, address: Address, names: Renaming): Place {
  const { answer } = places;
  const request = requestPlace(places, address);
  const paths = pathsBelow(request);
  function message(member: Member): Place {
    const text = (way: Way) => (said: string) => {
      const at = member('path');
      return problemText(said, typeof at === 'string' && at !== '' ? at : undefined, paths, names, way);
    };
    return placeOf({ text: { toWire: text('toWire'), toNeutral: text('toNeutral') } });
  }
  const path = placeOf({ text: paths });
  const problem: Place = placeOf({
    keys: answer.keys,
    text: answer.text,
    child(key, member) {
      if (key === 'path') return path;
      return key === 'message' ? message(member) : answer.child(key, member);
    },
  });
  const details = placeOf({
    keys: answer.keys,
    text: answer.text,
    child: (key, member) => (key === 'problems' ? problem : answer.child(key, member)),
  });
  return placeOf({
    keys: answer.keys,
    text: names,
    child(key) {
      if (key === 'message') return message(alone);
      return key === 'details' ? details : answer;
    },
  });
}
