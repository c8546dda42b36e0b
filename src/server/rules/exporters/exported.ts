import type { JsonObject } from '../../../schema/json/json.ts';
import type { Kind } from '../../../schema/record/kinds.ts';

/** One record to export: what its client owns, never the values of a secret. */
export interface Exported {
  readonly kind: Kind;
  readonly name: string;
  /** Only of GVC-scoped kinds. */
  readonly gvc?: string;
  readonly org: string;
  readonly record: JsonObject;
}
