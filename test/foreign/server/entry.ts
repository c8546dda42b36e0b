import type { JsonObject } from './json.ts';

interface State {
  /** Of the record, which is another one once it was deleted and created again. */
  readonly id: string;
  readonly created: number;
  readonly at: number;
  readonly version: number;
  readonly writer: string;
  /** Absent when it is deleted. */
  readonly body: JsonObject | undefined;
}

export interface Entry {
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  readonly id: string;
  readonly created: number;
  states: readonly State[];
  /** When the version rises without a writer. */
  rises: readonly number[];
  reads: number;
}
