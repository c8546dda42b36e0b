import { present } from '../../base/json/present.ts';
import { withArticle } from '../../base/text/article.ts';
import { ToolError } from '../../base/toolError.ts';
import { ownNames } from '../../hcl/schema/ownAttributes.ts';
import { attributeOf, type ObjectValue, textAt, type Value } from '../../hcl/value.ts';
import { readRef, refForms } from '../../kinds/readRef.ts';
import { isGvcScoped, isOrg, type Kind } from '../../schema/record/kinds.ts';
import { formatRef, parseLink, type Ref, refTo } from '../../schema/record/ref.ts';
import { declaredTwice } from '../changes/changeContext.ts';
import { diagnosticMessage } from '../protocol/diagnostics.ts';
import type { RequestOf, ResponseOf } from '../protocol/messages.ts';
import { readJson, writeObject } from '../protocol/values.ts';
import type { ProviderSession } from './providerSession.ts';
import { type ResourceType, resourceTypeNamed } from './types.ts';

/** Called for every resource of a state by every command, even if nothing has to be upgraded. */
export function upgradeResourceState(
  { handled }: ProviderSession,
  { type_name: type, raw_state: raw }: RequestOf<'UpgradeResourceState'>,
): ResponseOf<'UpgradeResourceState'> {
  const { kind, attributes } = resourceTypeNamed(type);
  const state = readJson(raw?.json ?? new Uint8Array(), attributes);
  const [uid, name] = [textAt(state, 'id'), textAt(state, 'name') ?? ''];
  if (uid !== undefined && !handled.noteInState(uid)) throw declaredTwice({ kind, name });
  return { upgraded_state: writeObject(state, attributes) };
}

/** `moved` from a resource of the same kind, of this provider under another address. */
export function moveResourceState(request: RequestOf<'MoveResourceState'>): ResponseOf<'MoveResourceState'> {
  const { source_type_name: from = '', target_type_name: to = '', source_provider_address: provider } = request;
  const { attributes } = resourceTypeNamed(to);
  if (from !== to) {
    throw new ToolError({
      code: 'provider.move',
      message: `a ${from} of ${provider} cannot become a ${to}`,
      hint: `Write an import block for the ${to}, and a removed block with destroy = false for the ${from}.`,
    });
  }
  const { source_state: state, source_private: kept } = request;
  return {
    target_state: writeObject(readJson(state?.json ?? new Uint8Array(), attributes), attributes),
    ...present({ target_private: kept }),
  };
}

/** Marks an imported state, which has no hint of how its values were written. */
const imported = Buffer.from('{"imported":true}');

export function isImported(kept: Uint8Array | undefined): boolean {
  return kept !== undefined && Buffer.from(kept).equals(imported);
}

/** `[gvc/]name`, or a link. The state has only the name and the GVC; Terraform reads the rest. */
export function importResourceState(
  session: ProviderSession,
  { type_name: type = '', id = '' }: RequestOf<'ImportResourceState'>,
): ResponseOf<'ImportResourceState'> {
  const resource = resourceTypeNamed(type);
  const ref = importedRef(session, resource, id);
  if ('diagnostic' in ref) return { diagnostics: [diagnosticMessage(ref.diagnostic)] };
  const state: ObjectValue = { name: ref.name, ...present({ gvc: ref.gvc }) };
  return {
    imported_resources: [{ type_name: type, state: writeObject(state, resource.attributes), private: imported }],
  };
}

function importedRef(session: ProviderSession, { kind }: ResourceType, id: string) {
  if (id.startsWith('/')) return linkedRef(session, kind, id);
  const parts = id.split('/');
  const [last = ''] = parts.slice(-1);
  const wanted = isGvcScoped(kind) ? 'GVC/NAME' : 'NAME';
  const refused = (why: string) => ({
    diagnostic: {
      severity: 'error' as const,
      summary: `${JSON.stringify(id)} is not a valid ID to import ${withArticle(kind)}`,
      detail: `${why} Write ${wanted}${isGvcScoped(kind) ? ', or NAME with a gvc in the provider block' : ''}.`,
    },
  });
  if (parts.some((part) => part === '')) return refused('It is empty, or a part of it is.');
  if (isOrg(kind) && session.isConfigured && id !== session.settings.org) {
    return refused(`The provider is set to the org ${session.settings.org}.`);
  }
  if (!isGvcScoped(kind)) return parts.length === 1 ? { name: last } : refused(`The kind ${kind} is not in a GVC.`);
  if (parts.length > 2) return refused('It has too many parts.');
  const gvc = parts.length === 2 ? parts[0] : session.isConfigured ? session.settings.gvc : undefined;
  return gvc === undefined ? refused(`The kind ${kind} is in a GVC.`) : { name: last, gvc };
}

/**
 * Refuses a state of another org than the provider's: the record would seem deleted, or be mistaken for one with the
 * same name.
 */
export function requireOwnOrg(session: ProviderSession, { kind }: ResourceType, state: ObjectValue): void {
  const id = formatRef(refTo(kind, textAt(state, 'name') ?? '', textAt(state, ownNames.gvc)));
  requireOrgOfLink(session, id, attributeOf(state, ownNames.link));
}

/** The same for the link of any record. */
export function requireOrgOfLink({ settings }: ProviderSession, id: string, link: Value | undefined): void {
  const org = typeof link === 'string' ? parseLink(link, { org: settings.org })?.org : undefined;
  if (org === undefined || org === settings.org) return;
  throw new ToolError({
    code: 'provider.other-org',
    message: `${id} is in the org ${org}, and the provider is set to the org ${settings.org}`,
    hint:
      `To go on with what is in ${org}, set org in the provider block, or the variable GANTRY_ORG, to it. To have the ` +
      `same in ${settings.org} too, use another state: another folder, or \`terraform workspace new\`.`,
    resource: id,
  });
}

/** A link must name a record of this kind, in the org of the provider block. */
function linkedRef(session: ProviderSession, kind: Kind, id: string) {
  const configured = session.isConfigured ? session.settings.org : undefined;
  const read = readRef(id, { kinds: [kind], org: configured ?? /^\/org\/([^/]+)\//.exec(id)?.[1] ?? '' });
  if ('ref' in read) return read.ref;
  return {
    diagnostic: {
      severity: 'error' as const,
      summary: `${JSON.stringify(id)} is not a valid ID to import ${withArticle(kind)}`,
      detail: `${read.wrong.message}. Write ${refForms([kind])}.`,
    },
  };
}

/** The resource of a state; undefined if its name is not known. */
export function refOfState(
  { kind }: ResourceType,
  state: ObjectValue,
  gvcOfBlock: string | undefined,
): Ref | undefined {
  const name = textAt(state, 'name');
  if (name === undefined) return undefined;
  if (!isGvcScoped(kind)) return { kind, name };
  const gvc = textAt(state, 'gvc') ?? gvcOfBlock;
  return gvc === undefined ? undefined : { kind, name, gvc };
}
