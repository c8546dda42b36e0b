import { ToolError } from '../base/toolError.ts';
import type { Ref } from '../schema/record/ref.ts';
import { refNamed } from '../schema/record/refNamed.ts';

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
