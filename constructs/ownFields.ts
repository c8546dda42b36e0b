/** Props without what `ResourceProps` and the construct itself deal with; what is taken out is left as `undefined`. */
export function ownFields(props: object, ...taken: readonly string[]): { readonly [field: string]: unknown } {
  const own: Record<string, unknown> = { ...props };
  for (const key of envelope) if (key in own) own[key] = undefined;
  for (const key of taken) if (key in own) own[key] = undefined;
  return own;
}

const envelope = ['name', 'description', 'tags', 'lifecycle', 'gvc', 'renamedFrom'] as const;
