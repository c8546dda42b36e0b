import type { LiveResource } from '../manifest/live/snapshot.ts';
import { ApiError } from './http/apiError.ts';

/** A list that is known to lack records. Those in `records` exist. */
export class IncompleteList extends ApiError {
  readonly records: readonly LiveResource[];
  /** In words, without what was listed. */
  readonly why: string;

  constructor(what: string, why: string, records: readonly LiveResource[]) {
    super({
      code: 'api.incomplete-list',
      message: `${what}: the list is not complete: ${why}`,
      hint: 'What you name is read by its name. Nothing is done that needs to know all records.',
    });
    this.records = records;
    this.why = why;
  }
}
