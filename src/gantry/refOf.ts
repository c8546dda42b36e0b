import { ToolError } from '../base/toolError.ts';
import { isGvcScoped, kindNamed } from '../schema/record/kinds.ts';
import type { Ref } from '../schema/record/ref.ts';

/** The resource that an id names: `kind/[gvc/]name`; without a GVC in it, in `gvc`. Undefined: it is no id. */
export function refNamed(id: string, gvc?: string): Ref | undefined {
  const [kindName = '', first = '', second, ...rest] = id.split('/');
  const kind = kindNamed(kindName);
  const name = second ?? first;
  if (kind === undefined || first === '' || name === '' || rest.length > 0) return undefined;
  if (!isGvcScoped(kind)) return second === undefined ? { kind, name } : undefined;
  const of = second === undefined ? gvc : first;
  return of === undefined ? undefined : { kind, gvc: of, name };
}

/** Errors: `automation.resource`. */
export function refOf(id: string): Ref {
  const ref = refNamed(id);
  if (ref !== undefined) return ref;
  throw new ToolError({
    code: 'automation.resource',
    message: `${JSON.stringify(id)} is not the id of a resource`,
    hint: 'Write kind/name, and for what lives in a GVC kind/gvc/name.',
  });
}
