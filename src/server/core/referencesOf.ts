import { type JsonObject, objectAt, stringAt } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { isNamedByEmail } from '../../kinds/kindFacts.ts';
import { references } from '../../kinds/references.ts';
import { isContainer, type Kind } from '../../schema/record/kinds.ts';
import { contextOf, type Ref } from '../../schema/record/ref.ts';

/** The references of a record, including the domain of a GVC, which is text (platform/deletion.references). */
export function referencesOf(ref: Ref, record: JsonObject, org: string): readonly Ref[] {
  const targets = references(ref.kind, record, contextOf(ref, org)).map(({ target }) => sameCase(target));
  return compact([...targets, namedDomain(ref.kind, record)]);
}

/** Matches a user by e-mail address in any case (platform/group.members). */
function sameCase(target: Ref): Ref {
  return isNamedByEmail(target.kind) ? { ...target, name: target.name.toLowerCase() } : target;
}

/** The domain that a GVC names: a reference, although the field is plain text (platform/deletion.references). */
export function namedDomain(kind: Kind, record: JsonObject): Ref | undefined {
  const domain = isContainer(kind) ? stringAt(objectAt(record, 'spec'), 'domain') : undefined;
  return domain === undefined || domain === '' ? undefined : { kind: 'domain', name: domain };
}
