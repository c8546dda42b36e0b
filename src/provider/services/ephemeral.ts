import { ToolError } from '../../base/toolError.ts';
import { ephemeralSchema } from '../../hcl/schema/providerSchema.ts';
import { attributeOf, textAt } from '../../hcl/value.ts';
import { hiddenField } from '../../schema/facts/kindFacts.ts';
import type { RequestOf, ResponseOf } from '../protocol/messages.ts';
import { readObject, writeObject } from '../protocol/values.ts';
import type { ProviderSession } from './providerSession.ts';
import { readOne } from './readDataSource.ts';
import { resourceTypeNamed } from './types.ts';

/** The record with the value that others hide. It stays valid, so there is nothing to renew and nothing to close. */
export async function openEphemeralResource(
  session: ProviderSession,
  { type_name: name, config }: RequestOf<'OpenEphemeralResource'>,
): Promise<ResponseOf<'OpenEphemeralResource'>> {
  const { kind } = resourceTypeNamed(name);
  const { attributes } = ephemeralSchema(kind);
  const asked = readObject(config, attributes) ?? {};
  const found = await readOne(session, { kind, lists: false, attributes }, { ...asked, reveal: true });
  const hidden = hiddenField(kind);
  if (hidden !== undefined && attributeOf(found, hidden) === null) throw unrevealed(`${kind}/${textAt(asked, 'name')}`);
  return { result: writeObject({ ...asked, ...found }, attributes) };
}

function unrevealed(id: string): ToolError {
  return new ToolError({
    code: 'provider.unrevealed',
    message: `the value of ${id} cannot be read`,
    hint: 'This token needs the permission reveal on it.',
  });
}
