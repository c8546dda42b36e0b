import type { JsonObject } from '../../base/json/json.ts';
import type { Ref } from '../../schema/record/ref.ts';

/** A record to write as configuration. */
export interface ConfiguredRecord {
  readonly ref: Ref;
  /** The record of the manifest or of the platform, with `lifecycle` where it is a manifest; no `kind`, no `gvc`. */
  readonly record: JsonObject;
  /** The record as the platform has it, without what is sensitive: what an import reads is written. @default it is not live */
  readonly live?: JsonObject;
  /** Paths that the schema does not know and that are not in `record`. @default those that are in it */
  readonly unknown?: readonly string[];
}
