import { suggest } from '../../src/base/text/suggest.ts';
import { ToolError } from '../../src/base/toolError.ts';
import { type BeingMade, isUnusableAs, reportUnusable } from '../mistakes.ts';

/** The names of all members of a union. */
type NameIn<Props> = Props extends unknown ? keyof Props : never;

/** The names of all props, and which are required: a missing one does not compile. */
export type PropNames<Props> = {
  readonly [Name in NameIn<Props>]: [Props] extends [Record<Name, unknown>] ? 'required' : true;
};

interface Checked {
  /** The service, or its prop: `a Database`, `storage`. */
  readonly what: string;
  readonly props: unknown;
  readonly names: Readonly<Record<string, true | 'required'>>;
}

/**
 * Stacks run without being compiled, so a name may be misspelt or missing, and an unknown one would be ignored
 * silently.
 *
 * Errors: `stack.props`.
 */
export function checkNames(made: BeingMade, { what, props, names }: Checked): void {
  if (isUnusableAs(made)) return; // reported by the service that this one uses
  const object = typeof props === 'object' && props !== null ? props : {};
  const unknown = Object.keys(object).filter((name) => !Object.hasOwn(names, name));
  for (const name of unknown) {
    const meant = suggest(name, Object.keys(names));
    const hint = meant === undefined ? `It has ${Object.keys(names).sort().join(', ')}.` : `Did you mean "${meant}"?`;
    reportUnusable(wrong(`${what} has no property ${JSON.stringify(name)}`, hint), made);
  }
  if (unknown.length > 0) return; // one of them may be the missing one
  const missing = Object.keys(names).filter((name) => names[name] === 'required' && Reflect.get(object, name) == null);
  if (missing.length === 0) return;
  const list = missing.map((name) => JSON.stringify(name)).join(' and ');
  reportUnusable(wrong(`${what} lacks ${list}`, 'Add it; the editor and the reference say what it is.'), made);
}

function wrong(message: string, hint: string): ToolError {
  return new ToolError({ code: 'stack.props', message, hint });
}

/** The props of every resource in a GVC. */
export const resourceNames = {
  description: true,
  gvc: true,
  lifecycle: true,
  name: true,
  renamedFrom: true,
  tags: true,
} as const;
