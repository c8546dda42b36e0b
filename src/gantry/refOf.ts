import { ToolError } from '../base/toolError.ts';
import { isGvcScoped, kindNamed } from '../schema/record/kinds.ts';
import type { Ref } from '../schema/record/ref.ts';

/** The resource that an id names. Errors: `automation.resource`. */
export function refOf(id: string): Ref {
  const [kindName = '', first = '', second, ...rest] = id.split('/');
  const kind = kindNamed(kindName);
  const isScoped = kind !== undefined && isGvcScoped(kind);
  if (kind === undefined || first === '' || second === '' || isScoped !== (second !== undefined) || rest.length > 0) {
    throw new ToolError({
      code: 'automation.resource',
      message: `${JSON.stringify(id)} is not the id of a resource`,
      hint: 'Write kind/name, and for what lives in a GVC kind/gvc/name.',
    });
  }
  return second === undefined ? { kind, name: first } : { kind, gvc: first, name: second };
}
