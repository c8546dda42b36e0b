import { type JsonObject, objectAt, stringAt } from '../../base/json/json.ts';
import type { Kind } from '../record/kinds.ts';
import { isContainer } from '../record/kinds.ts';
import type { Ref } from '../record/ref.ts';

/** The domain that a GVC names: a reference, although the field is text and no link (platform/deletion.references). */
export function namedDomain(kind: Kind, record: JsonObject): readonly Ref[] {
  const domain = isContainer(kind) ? stringAt(objectAt(record, 'spec'), 'domain') : undefined;
  return domain === undefined || domain === '' ? [] : [{ kind: 'domain', name: domain }];
}
