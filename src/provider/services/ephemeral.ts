import { isObject, stringAt } from '../../base/json/json.ts';
import { ToolError } from '../../base/toolError.ts';
import { partTypes } from '../../hcl/schema/names.ts';
import { ephemeralSchema } from '../../hcl/schema/providerSchema.ts';
import { ephemeralServiceAccountKey, key } from '../../hcl/schema/serviceAccountKey.ts';
import { attributeOf, textAt } from '../../hcl/value.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import { addKey, descriptionProblems, removeKey } from '../changes/serviceAccountKey.ts';
import { diagnosticMessage } from '../protocol/diagnostics.ts';
import type { RequestOf, ResponseOf } from '../protocol/messages.ts';
import { readObject, writeObject } from '../protocol/values.ts';
import type { ProviderSession } from './providerSession.ts';
import { readOne } from './readDataSource.ts';
import { resourceTypeNamed } from './types.ts';

const keyAttributes = ephemeralServiceAccountKey.attributes;

export function validateEphemeralResource({
  type_name: name,
  config,
}: RequestOf<'ValidateEphemeralResourceConfig'>): ResponseOf<'ValidateEphemeralResourceConfig'> {
  const problems = name === partTypes.key ? descriptionProblems(readObject(config, keyAttributes) ?? {}) : [];
  return { diagnostics: problems.map((each) => diagnosticMessage(each, keyAttributes)) };
}

export function openEphemeralResource(
  session: ProviderSession,
  request: RequestOf<'OpenEphemeralResource'>,
): Promise<ResponseOf<'OpenEphemeralResource'>> {
  return request.type_name === partTypes.key ? openKey(session, request) : openRecord(session, request);
}

/** Removes the created key. A record needs no closing. */
export async function closeEphemeralResource(
  session: ProviderSession,
  { type_name: type, private: kept }: RequestOf<'CloseEphemeralResource'>,
): Promise<ResponseOf<'CloseEphemeralResource'>> {
  if (type !== partTypes.key || kept === undefined) return {};
  const { account, name } = readKept(kept);
  const { client, records } = await session.platform();
  const ref = { kind: 'serviceaccount', name: account } as const;
  await records.write(() => session.finish(removeKey(client, ref, name)));
  return {};
}

/** The values of a key that its end needs. */
interface KeptKey {
  readonly account: string;
  readonly name: string;
}

function readKept(bytes: Uint8Array): KeptKey {
  const kept: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
  const [account, name] = isObject(kept) ? [stringAt(kept, 'account'), stringAt(kept, 'name')] : [];
  if (account === undefined || name === undefined) throw new Error('what was kept of the key cannot be read');
  return { account, name };
}

const usualDescription = 'Terraform, for one command';

async function openKey(
  session: ProviderSession,
  { config }: RequestOf<'OpenEphemeralResource'>,
): Promise<ResponseOf<'OpenEphemeralResource'>> {
  const asked = readObject(config, keyAttributes) ?? {};
  const account = textAt(asked, key.account) ?? '';
  const { client, records } = await session.platform();
  const ref = { kind: 'serviceaccount', name: account } as const;
  const description = textAt(asked, key.description) ?? usualDescription;
  const made = await records.write(() => session.finish(addKey(client, ref, description)));
  const kept: KeptKey = { account, name: textAt(made, key.name) ?? '' };
  return { result: writeObject(made, keyAttributes), private: Buffer.from(JSON.stringify(kept)) };
}

/** The record with the value that other reads hide. */
async function openRecord(
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
