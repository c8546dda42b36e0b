import { isObject, type JsonObject, listAt, objectAt, own } from '../../../base/json/json.ts';
import { lastSegment } from '../../../schema/record/ref.ts';
import { readQuery } from '../../query/decisions/query.ts';
import { type Candidate, matches } from '../../query/decisions/queryMatch.ts';

/** An existing location with the fields for queries. */
export interface PlacedLocation extends Candidate {
  readonly name: string;
}

/** Do the locations of a GVC depend on the existing locations? */
export function asksForLocations(gvc: JsonObject): boolean {
  return isObject(own(objectAt(objectAt(gvc, 'spec'), 'staticPlacement'), 'locationQuery'));
}

/** The names of the locations of a GVC: those it lists, then those its query finds (platform/gvc). */
export function placement(gvc: JsonObject, locations: () => readonly PlacedLocation[]): readonly string[] {
  const placed = objectAt(objectAt(gvc, 'spec'), 'staticPlacement');
  const names = new Set(
    listAt(placed, 'locationLinks').flatMap((link) => (typeof link === 'string' ? [lastSegment(link)] : [])),
  );
  const stored = own(placed, 'locationQuery');
  if (isObject(stored)) {
    const query = readQuery(stored, 'location', []);
    for (const location of locations()) if (matches(location, query)) names.add(location.name);
  }
  return [...names];
}
