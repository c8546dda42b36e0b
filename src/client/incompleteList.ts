import type { LiveResource } from '../manifest/live/snapshot.ts';
import { ApiError } from './http/apiError.ts';

/** A list of which it is known that records are missing. What it shows is there all the same. */
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
