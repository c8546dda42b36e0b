import { type JsonValue, stringAt } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { parseLink } from '../../schema/record/links.ts';
import { show } from '../../schema/rules/reading.ts';
import type { Related, Report, Subject } from '../../schema/rules/rule.ts';

/** Reports a link to a secret whose type is known and not allowed. */
export type SecretTypeCheck = (link: JsonValue | undefined, pointer: Pointer, allowed: readonly string[]) => void;

/** The check for the secrets of a record (rules S3 to S6). */
export function secretTypeCheck({ context }: Subject, related: Related, report: Report): SecretTypeCheck {
  return (link, pointer, allowed) => {
    const target = typeof link === 'string' ? parseLink(link, context) : undefined;
    if (target === undefined || target.ref.kind !== 'secret') return;
    const secret = related.get(target.ref);
    if (secret === undefined || secret === 'unknown') return;
    const type = stringAt(secret, 'type');
    if (type !== undefined && !allowed.includes(type)) {
      report(
        pointer,
        `the secret ${show(target.ref.name)} must have the type ${allowed.join(' or ')}, not ${show(type)}`,
      );
    }
  };
}
