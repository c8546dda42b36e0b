import type { Report } from '../model/report.ts';

/**
 * The first line of a comment, which nobody sees: the same for each report of a stack in an environment, whatever the
 * command. Parts are percent-encoded, so nothing ends the comment early; `*` stands for what is not known.
 */
export function marker({ subject, plans }: Pick<Report, 'subject' | 'plans'>): string {
  const { stack = plans.map(({ document }) => document.stack).join('+'), environment = '' } = subject;
  return `<!-- gantry report stack=${part(stack)} env=${part(environment)} -->`;
}

function part(text: string): string {
  return text === '' ? '*' : encodeURIComponent(text.toWellFormed());
}
