import { type JsonObject, objectAt, stringAt } from '../../schema/json.ts';
import type { Ref } from '../../schema/ref.ts';
import { references } from '../../schema/references.ts';
import { contextOf } from './findRow.ts';

/** What a record names, by its references, and the domain of a GVC, which is text (resources D 18). */
export function targetsOf(ref: Ref, record: JsonObject, org: string): readonly Ref[] {
  const targets = references(ref.kind, record, contextOf(ref, org)).map(({ target }) => target);
  const domain = ref.kind === 'gvc' ? stringAt(objectAt(record, 'spec'), 'domain') : undefined;
  return domain === undefined ? targets : [...targets, { kind: 'domain', name: domain }];
}
