import type { JsonObject } from './json.ts';

interface State {
  /** The id of the record, which is another one after it was deleted and recreated. */
  readonly id: string;
  readonly created: number;
  readonly at: number;
  readonly version: number;
  readonly writer: string;
  /** Absent if the record is deleted. */
  readonly body: JsonObject | undefined;
}

export interface Entry {
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  readonly id: string;
  readonly created: number;
  states: readonly State[];
  /** When the version rises without a write. */
  rises: readonly number[];
  reads: number;
}
