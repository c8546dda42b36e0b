import type { Problem } from '../../../schema/record/problem.ts';

/** The header of the answer to a write that was taken, but is warned of (platform/errors.warnings). */
export const warningHeaderName = 'x-scheme-warning';

/** Clients and proxies take about 8 KiB of headers: what does not fit is counted. */
const mostBytes = 6_000;
const longestText = 300;

/**
 * What the rules warn of, as a header value: a list in the form of RFC 8941, in ASCII. An entry is the id of the rule
 * with two parameters, `W19;path="spec.defaultOptions.autoscaling.target";message="…"`; entries are joined by `, `. In
 * a text `\"` and `\\` stand for `"` and `\`; what is not printable ASCII, and `%`, is percent-encoded UTF-8. The last
 * entry is `more;count=N` where not all of them fit. Undefined: there is nothing to say.
 */
export function warningHeader(warnings: readonly Problem[]): string | undefined {
  if (warnings.length === 0) return undefined;
  const entries: string[] = [];
  let bytes = 0;
  for (const { rule, path, message } of warnings) {
    const entry = `${rule};path=${quoted(path)};message=${quoted(message)}`;
    bytes += entry.length + 2;
    if (bytes > mostBytes) {
      entries.push(`more;count=${warnings.length - entries.length}`);
      break;
    }
    entries.push(entry);
  }
  return entries.join(', ');
}

function quoted(text: string): string {
  const clipped = text.length <= longestText ? text : `${text.slice(0, longestText)}...`;
  // A lone half of a surrogate pair, which clipping may leave, has no UTF-8.
  const encoded = clipped.toWellFormed().replaceAll(/[^\x20-\x7e]|%/gu, encodeURIComponent);
  return `"${encoded.replaceAll(/["\\]/g, '\\$&')}"`;
}
