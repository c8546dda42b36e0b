/** What every record carries: set through `ResourceProps`, or by the platform. */
type EnvelopeField =
  | 'alias'
  | 'created'
  | 'description'
  | 'gvc'
  | 'health'
  | 'id'
  | 'keys'
  | 'kind'
  | 'lastModified'
  | 'links'
  | 'name'
  | 'origin'
  | 'region'
  | 'status'
  | 'tags'
  | 'version';

/** The fields of a record that are the kind's own. */
export type Own<Record> = Omit<Record, EnvelopeField>;

/** Props without what `ResourceProps` and the construct itself deal with; what is taken out is left as `undefined`. */
export function ownFields(props: object, ...taken: readonly string[]): { readonly [field: string]: unknown } {
  const own: Record<string, unknown> = { ...props };
  for (const key of envelope) if (key in own) own[key] = undefined;
  for (const key of taken) if (key in own) own[key] = undefined;
  return own;
}

const envelope = ['name', 'description', 'tags', 'lifecycle', 'gvc', 'renamedFrom'] as const;
