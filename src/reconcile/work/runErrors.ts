import { causeText } from '../../base/thrown.ts';
import { type ErrorCause, ToolError } from '../../base/toolError.ts';
import { placeText } from '../../report/findings.ts';
import type { RunDetails } from '../store/rows.ts';

/** Errors of a saved plan that lead to a new plan. */
export const notAsApproved: ReadonlySet<string> = new Set([
  'plan.stale',
  'plan.fact',
  'saved.secret-changed',
  'saved.signature-expired',
  'policies.missing',
]);

/** The message with the first cause and its place, which are more useful than the number of causes. */
export function sentenceOf({ message, causes: [first] }: ToolError): string {
  return first === undefined ? message : `${message}: ${atItsPlace(first, first.message)}`;
}

/** The message of a policy begins with its place already. */
function atItsPlace({ place }: ErrorCause, said: string): string {
  const at = place === undefined ? '' : `${placeText(place)}: `;
  return said.startsWith(at) ? said : `${at}${said}`;
}

export function severalStacks(): ToolError {
  return new ToolError({
    code: 'stack.choose',
    message: 'the code has several stacks, and a stack of reconcile.yaml is one of them',
    hint: 'Name one of them with stack: NAME, and list the others beside it.',
  });
}

export function leaseLost(): ToolError {
  return new ToolError({ code: 'reconcile.lost', message: 'another worker has taken the stack over' });
}

export function asToolError(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  const message = causeText(error);
  return new ToolError({ code: 'reconcile.mistake', message, cause: error });
}

const mostCauses = 20;

/** The stored form. `hidden`: removes secrets from a text. */
export function errorDocument(
  { code, message, hint, causes }: ToolError,
  hidden: (text: string) => string,
): NonNullable<RunDetails['error']> {
  const lines = [
    message,
    ...causes.slice(0, mostCauses).map((each) => atItsPlace(each, `${each.resource ?? ''} ${each.message}`.trim())),
  ];
  return { code, message: hidden(lines.join('\n')), ...(hint === undefined ? {} : { hint: hidden(hint) }) };
}
