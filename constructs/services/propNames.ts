import { ToolError } from '../../src/errors/toolError.ts';
import { suggest } from '../../src/schema/text/suggest.ts';

/** The names of props, all of them: one that is missing does not compile. */
export type PropNames<Props> = Readonly<Record<Props extends unknown ? keyof Props : never, true>>;

/**
 * Stacks run without being compiled, so a name may be misspelt; what a service does not know would be left out in
 * silence.
 *
 * Errors: `stack.props`.
 */
export function checkNames(what: string, props: unknown, names: Readonly<Record<string, true>>): void {
  if (typeof props !== 'object' || props === null) return;
  const unknown = Object.keys(props).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) return;
  const meant = suggest(unknown, Object.keys(names));
  throw new ToolError({
    code: 'stack.props',
    message: `${what} has no property ${JSON.stringify(unknown)}`,
    hint: meant === undefined ? `It has ${Object.keys(names).sort().join(', ')}.` : `Did you mean "${meant}"?`,
  });
}

/** Those of every resource in a GVC. */
export const resourceNames = {
  description: true,
  gvc: true,
  lifecycle: true,
  name: true,
  renamedFrom: true,
  tags: true,
} as const;
