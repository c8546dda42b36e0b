import type { JsonObject } from '../../src/base/json/json.ts';
import type { Place } from './address.ts';

/** What a side of a record is shown from. */
export interface SideProps {
  readonly place: Place;
  readonly record: JsonObject;
}
