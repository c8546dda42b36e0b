import { present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import { isCode } from '../../client/http/apiError.ts';
import type { Diagnostic } from '../../hcl/diagnostic.ts';
import { domainRoute as names } from '../../hcl/schema/domainRoute.ts';
import { type PartTypeName, partTypes } from '../../hcl/schema/names.ts';
import { ownNames } from '../../hcl/schema/ownAttributes.ts';
import { attributeOf, type ObjectValue, textAt } from '../../hcl/value.ts';
import { sha256 } from '../../project/files/sha256.ts';
import { formatRef } from '../../schema/record/ref.ts';
import type { ChangeContext } from '../changes/changeContext.ts';
import { domainRoute } from '../changes/domainRoute.ts';
import type { CreatedPart, PartType } from '../changes/part.ts';
import { refusals } from '../changes/runChange.ts';
import { serviceAccountKey } from '../changes/serviceAccountKey.ts';
import { declaredInBoth, usualPort } from '../plan/routes.ts';
import { diagnosticMessage, diagnosticOf, pathMessage } from '../protocol/diagnostics.ts';
import type { RequestOf, ResponseOf } from '../protocol/messages.ts';
import { readJson, readObject, writeObject } from '../protocol/values.ts';
import { contextOf } from './applyChange.ts';
import type { ProviderSession } from './providerSession.ts';
import { requireOrgOfLink } from './state.ts';

/** The resources that are parts of records. */
const parts: { readonly [T in PartTypeName]: PartType } = {
  [partTypes.key]: serviceAccountKey,
  [partTypes.route]: domainRoute,
};

export async function validatePart(
  type: PartTypeName,
  { config }: RequestOf<'ValidateResourceConfig'>,
): Promise<ResponseOf<'ValidateResourceConfig'>> {
  const { schema, validate } = parts[type];
  const problems = await validate(readObject(config, schema.attributes) ?? {});
  return { diagnostics: problems.map((each) => diagnosticMessage(each, schema.attributes)) };
}

export function upgradePart(
  type: PartTypeName,
  { raw_state: raw }: RequestOf<'UpgradeResourceState'>,
): ResponseOf<'UpgradeResourceState'> {
  const { attributes } = parts[type].schema;
  return { upgraded_state: writeObject(readJson(raw?.json ?? new Uint8Array(), attributes), attributes) };
}

export function importPart(
  type: PartTypeName,
  { id = '' }: RequestOf<'ImportResourceState'>,
): ResponseOf<'ImportResourceState'> {
  const { schema, imported, importForm } = parts[type];
  const state = imported(id);
  if (state !== undefined) {
    return { imported_resources: [{ type_name: type, state: writeObject(state, schema.attributes) }] };
  }
  const summary = `${JSON.stringify(id)} is not a valid ID to import a ${type}`;
  return { diagnostics: [diagnosticMessage({ severity: 'error', summary, detail: `Write ${importForm}.` })] };
}

export async function readPart(
  session: ProviderSession,
  type: PartTypeName,
  { current_state: current }: RequestOf<'ReadResource'>,
): Promise<ResponseOf<'ReadResource'>> {
  const { schema, read } = parts[type];
  const state = readObject(current, schema.attributes);
  if (state === undefined) return { new_state: writeObject(undefined, schema.attributes) };
  requireOwnOrg(session, parts[type], state);
  const { records, client } = await session.platform();
  const found = await read(records, state, client.org);
  if (found !== undefined) await session.creations.end(creationOf(type, found, client.org)); // a state has it
  session.log('debug', `${found === undefined ? 'gone' : 'read'}: a ${type} of ${idOf(parts[type], state)}`);
  return { new_state: writeObject(found, schema.attributes) };
}

export async function planPart(
  session: ProviderSession,
  type: PartTypeName,
  request: RequestOf<'PlanResourceChange'>,
): Promise<ResponseOf<'PlanResourceChange'>> {
  const { schema, plan } = parts[type];
  const { attributes } = schema;
  const proposed = readObject(request.proposed_new_state, attributes);
  const prior = readObject(request.prior_state, attributes);
  if (prior !== undefined) requireOwnOrg(session, parts[type], prior);
  const { org, gvc, maxRisk } = session.settings;
  const config = proposed === undefined ? undefined : readObject(request.config, attributes);
  const { planned, requiresReplace, diagnostics } = plan(config, prior, {
    org,
    ...present({ gvc, maxRisk }),
  });
  return {
    planned_state: writeObject(planned, attributes),
    requires_replace: requiresReplace.map((path) => pathMessage(path, attributes)),
    diagnostics: [...diagnostics, ...routesInBoth(session, type, config)].map((each) =>
      diagnosticMessage(each, attributes),
    ),
  };
}

function routesInBoth(
  { handled }: ProviderSession,
  type: PartTypeName,
  config: ObjectValue | undefined,
): readonly Diagnostic[] {
  const domain = textAt(config, names.domain);
  const port = config === undefined ? null : (attributeOf(config, names.domainPort) ?? usualPort);
  if (type !== partTypes.route || domain === undefined || typeof port !== 'number') return [];
  return handled.noteRoutes(domain, port, 'route') ? [declaredInBoth(domain, port)] : [];
}

export async function applyPart(
  session: ProviderSession,
  type: PartTypeName,
  request: RequestOf<'ApplyResourceChange'>,
): Promise<ResponseOf<'ApplyResourceChange'>> {
  const part = parts[type];
  const { attributes } = part.schema;
  const prior = readObject(request.prior_state, attributes);
  const planned = readObject(request.planned_state, attributes);
  // A saved plan may be of another org, too.
  for (const each of [prior, planned]) if (each !== undefined) requireOwnOrg(session, part, each);
  const config = readObject(request.config, attributes) ?? {};
  const { records } = await session.platform();
  const verb = planned === undefined ? 'delete' : prior === undefined ? 'create' : 'update';
  const of = idOf(part, planned ?? prior ?? {});
  const context = await contextOf(session);
  const change = async (): Promise<Partial<CreatedPart>> => {
    if (planned === undefined) return prior === undefined ? {} : part.remove(context, prior).then(() => ({}));
    if (prior === undefined) return createPart(session, context, type, config);
    if (part.update === undefined) throw new Error(`a ${type} cannot be changed in place`);
    return { state: await part.update(context, config, prior) };
  };
  try {
    const { state, diagnostics = [] } = await records.write(() => session.finish(change()));
    session.log('info', `did ${verb} a ${type} of ${of}`, { resource: of });
    return {
      new_state: writeObject(state, attributes),
      diagnostics: diagnostics.map((each) => diagnosticMessage(each, attributes)),
    };
  } catch (error) {
    const said: Diagnostic = diagnosticOf(error, 'ApplyResourceChange');
    session.log('error', `failed to ${verb} a ${type} of ${of}`, { resource: of, failed: said.summary });
    return { new_state: writeObject(prior, attributes), diagnostics: [diagnosticMessage(said, attributes)] };
  }
}

async function createPart(
  { creations, settings }: ProviderSession,
  context: ChangeContext,
  type: PartTypeName,
  config: ObjectValue,
): Promise<CreatedPart> {
  const request = creationOf(type, config, context.client.org);
  const wasLeft = settings.takesOver || (await creations.wasLeft(request));
  await creations.begin(request);
  try {
    const created = await parts[type].create(context, config, wasLeft);
    creations.answered(request);
    return created;
  } catch (error) {
    if (!wasLeft && createdNothing(error)) await creations.end(request);
    throw error;
  }
}

const refusalsOfParts: readonly string[] = ['provider.no-domain', 'provider.no-port', 'provider.route-exists'];

function createdNothing(error: unknown): boolean {
  return isCode(error, ...refusals) || (error instanceof ToolError && refusalsOfParts.includes(error.code));
}

/** The name of its creation. A part has no tag for a random one, so it follows from the configuration. */
function creationOf(type: PartTypeName, state: ObjectValue, org: string): string {
  return sha256(JSON.stringify([type, org, idOf(parts[type], state), parts[type].identity(state)])).slice(0, 32);
}

function requireOwnOrg(session: ProviderSession, part: PartType, state: ObjectValue): void {
  requireOrgOfLink(session, idOf(part, state), state[ownNames.link]);
}

/** The record that it is a part of. */
function idOf(part: PartType, state: ObjectValue): string {
  const ref = part.recordOf(state);
  return ref === undefined ? 'a record that is not known yet' : formatRef(ref);
}
