import type { Report } from '../model/report.ts';

/**
 * The first line of a comment, which nobody sees: the same for each report of a stack (or of the same stacks) in an
 * environment, whatever the command. Parts are percent-encoded, so nothing ends the comment early; `*` stands for what is not known.
 */
export function marker({
  subject: { stack = '', stacks = [stack], environment = '' },
}: Pick<Report, 'subject'>): string {
  return `<!-- gantry report stack=${part(stacks.toSorted().join('+'))} env=${part(environment)} -->`;
}

function part(text: string): string {
  return text === '' ? '*' : encodeURIComponent(text.toWellFormed());
}
