import type { JsonObject } from '../../../base/json/json.ts';
import type { Kind } from '../../../schema/record/kinds.ts';

/** A record to export: the client's part, never the values of a secret. */
export interface Exported {
  readonly kind: Kind;
  readonly name: string;
  /** For GVC-scoped kinds only. */
  readonly gvc?: string;
  readonly org: string;
  readonly record: JsonObject;
}
