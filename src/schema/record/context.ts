/** Where a record lives; what short links are resolved against. */
export interface RecordContext {
  readonly org: string;
  /** The record's own GVC, for GVC-scoped kinds; for a GVC, its own name. */
  readonly gvc?: string;
}
