import type { Problem } from '../../../schema/record/problem.ts';

/** The header with the warnings about an accepted write (platform/errors.warnings). */
export const warningHeaderName = 'x-scheme-warning';

/** Clients and proxies accept about 8 KiB of headers: further warnings are only counted. */
const mostBytes = 6_000;
const longestText = 300;

/**
 * The warnings of rules as a header value: an ASCII list in the form of RFC 8941. An item is the id of the rule with
 * two parameters, `W19;path="spec.defaultOptions.autoscaling.target";message="…"`; items are joined by `, `. In texts
 * `\"` and `\\` stand for `"` and `\`; `%` and all that is not printable ASCII is percent-encoded UTF-8. If not all
 * fit, the last item is `more;count=N`. Undefined: there are no warnings.
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
  // Clipping may cut a surrogate pair, and half of it has no UTF-8.
  const encoded = clipped.toWellFormed().replaceAll(/[^\x20-\x7e]|%/gu, encodeURIComponent);
  return `"${encoded.replaceAll(/["\\]/g, '\\$&')}"`;
}
