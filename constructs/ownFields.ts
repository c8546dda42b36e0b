/** Props without those of `ResourceProps` and those that the construct handles itself, which become `undefined`. */
export function ownFields(props: object, ...taken: readonly string[]): { readonly [field: string]: unknown } {
  const own: Record<string, unknown> = { ...props };
  for (const key of envelope) if (key in own) own[key] = undefined;
  for (const key of taken) if (key in own) own[key] = undefined;
  return own;
}

const envelope = ['name', 'description', 'tags', 'lifecycle', 'gvc', 'renamedFrom'] as const;
