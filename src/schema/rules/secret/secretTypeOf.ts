import type { JsonObject } from '../../json/json.ts';
import { own, stringAt } from '../../json/json.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { RecordContext } from '../../record/context.ts';
import { parseLink } from '../../record/links.ts';
import { show } from '../model/reading.ts';
import type { Related, Report } from '../model/rule.ts';

/** Reports a link to a secret whose type is known but not one of these (rules S3 to S6). */
export function checkSecretType(
  owner: JsonObject,
  key: string,
  allowed: readonly string[],
  at: Pointer,
  context: RecordContext,
  related: Related,
  report: Report,
): void {
  const link = own(owner, key);
  if (typeof link === 'string') checkSecretLink(link, allowed, [...at, key], context, related, report);
}

export function checkSecretLink(
  link: string,
  allowed: readonly string[],
  pointer: Pointer,
  context: RecordContext,
  related: Related,
  report: Report,
): void {
  const target = parseLink(link, context);
  if (target === undefined || target.ref.kind !== 'secret') return;
  const secret = related.get(target.ref);
  if (secret === undefined || secret === 'unknown') return;
  const type = stringAt(secret, 'type');
  if (type !== undefined && !allowed.includes(type)) {
    report(pointer, `the secret ${show(target.ref.name)} has the type ${show(type)}, not ${allowed.join(' or ')}`);
  }
}
