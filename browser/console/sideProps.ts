import type { JsonObject } from '../../src/base/json/json.ts';
import type { Place } from './address.ts';

/** The props of each view of a record. */
export interface SideProps {
  readonly place: Place;
  readonly record: JsonObject;
}
