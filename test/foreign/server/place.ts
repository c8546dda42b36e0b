/** The meaning of a path of section 4. */
export interface Place {
  readonly org: string;
  readonly gvc: string | undefined;
  readonly kind: string;
  readonly name: string | undefined;
  readonly operation: string | undefined;
}

/** Returns undefined for a path that has none of the forms of section 4. */
export function placeOf(path: string): Place | undefined {
  const [empty, first, org, ...rest] = path.split('/').map(decodeURIComponent);
  if (empty !== '' || first !== 'org' || org === undefined || org === '') return undefined;
  const [kind, name, ...below] = rest;
  if (kind === undefined) return undefined;
  const isInside = kind === 'gvc' && name !== undefined && below[0] !== undefined && !below[0].startsWith('-');
  if (isInside) return inPlace(org, name, below[0] ?? '', below.slice(1));
  return inPlace(org, undefined, kind, rest.slice(1));
}

function inPlace(
  org: string,
  gvc: string | undefined,
  kind: string,
  [name, ...below]: readonly string[],
): Place | undefined {
  if (name === undefined) return { org, gvc, kind, name, operation: undefined };
  if (name.startsWith('-')) return below.length > 0 ? undefined : { org, gvc, kind, name: undefined, operation: name };
  const [operation, ...others] = below;
  if (others.length > 0) return undefined;
  return { org, gvc, kind, name, operation };
}
