import { isObject, listAt, own, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { compareText } from '../../base/text/compareText.ts';
import { ToolError } from '../../base/toolError.ts';
import type { Client } from '../../client/client.ts';
import { fetchNamed } from '../../client/collections.ts';
import type { QuerySpec } from '../../client/reader.ts';
import { queryForm } from '../../hcl/schema/providerSchema.ts';
import { type ObjectValue, textAt } from '../../hcl/value.ts';
import { jsonOfForm } from '../../hcl/values/manifestOf.ts';
import { dataOf } from '../../hcl/values/stateOf.ts';
import { isNamedByEmail } from '../../kinds/kindFacts.ts';
import { aKind } from '../../kinds/kindWords.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { isGvcScoped, isOfWorkload, isOrg } from '../../schema/record/kinds.ts';
import { formatRef, lastSegment } from '../../schema/record/ref.ts';
import { validateData } from '../plan/validateConfig.ts';
import { diagnosticMessage } from '../protocol/diagnostics.ts';
import type { RequestOf, ResponseOf } from '../protocol/messages.ts';
import { readObject, writeObject } from '../protocol/values.ts';
import type { ProviderSession } from './providerSession.ts';
import { type DataSourceType, dataSourceTypeNamed } from './types.ts';

/** One record by its name, or the records that a query finds. */
export async function readDataSource(
  session: ProviderSession,
  { type_name: name, config }: RequestOf<'ReadDataSource'>,
): Promise<ResponseOf<'ReadDataSource'>> {
  const type = dataSourceTypeNamed(name);
  const asked = readObject(config, type.attributes) ?? {};
  const problems = validateData(asked);
  if (problems.length > 0) return { diagnostics: problems.map((each) => diagnosticMessage(each, type.attributes)) };
  const state = type.lists ? await list(session, type, asked) : await readOne(session, type, asked);
  return { state: writeObject({ ...asked, ...state }, type.attributes) };
}

export async function readOne(
  session: ProviderSession,
  type: DataSourceType,
  asked: ObjectValue,
): Promise<ObjectValue> {
  const { client, records } = await session.platform();
  const { kind } = type;
  const gvc = gvcOf(session, type, asked);
  const name = textAt(asked, 'name') ?? '';
  const ref = { kind, name, ...present({ gvc }) };
  const found = isNamedByEmail(kind)
    ? (await fetchNamed(client, kind, [ref])).resources[0]
    : isOrg(kind)
      ? await readOrg(client, name)
      : isOfWorkload(kind)
        ? (await deployments(client, gvc, asked)).find(({ ref: { name: location } }) => location === name)
        : await records.read({ ref, reveal: asked['reveal'] === true });
  if (found === undefined) throw notFound(formatRef(ref), client.org);
  return dataOf(kind, found.record, { org: client.org, ...present({ gvc }) });
}

async function list(session: ProviderSession, type: DataSourceType, asked: ObjectValue): Promise<ObjectValue> {
  const { client } = await session.platform();
  const { kind } = type;
  const gvc = gvcOf(session, type, asked);
  const query = querySpec(asked);
  const found = isOfWorkload(kind)
    ? await deployments(client, gvc, asked)
    : isOrg(kind)
      ? await orgs(client)
      : query === undefined
        ? await client.list(kind, gvc)
        : await client.query(kind, query);
  const inGvc = gvc === undefined ? found : found.filter(({ ref }) => ref.gvc === undefined || ref.gvc === gvc);
  const sorted =
    query?.sort === undefined
      ? inGvc.toSorted((a, b) => compareText(a.ref.name, b.ref.name) || compareText(a.id, b.id))
      : inGvc; // in the platform's order
  return {
    names: sorted.map(({ ref }) => ref.name),
    items: sorted.map(({ ref, record }) => dataOf(kind, record, { org: client.org, ...present({ gvc: ref.gvc }) })),
  };
}

/** A record is read in its GVC; a list of all GVCs has none. */
function gvcOf(session: ProviderSession, { kind, lists }: DataSourceType, asked: ObjectValue): string | undefined {
  if (!isGvcScoped(kind) && !isOfWorkload(kind)) return undefined;
  const gvc = textAt(asked, 'gvc') ?? session.settings.gvc;
  if (gvc !== undefined || (lists && !isOfWorkload(kind))) return gvc;
  throw new ToolError({
    code: 'provider.gvc',
    message: `${aKind(kind)} belongs to a GVC, and none was given`,
    hint: 'Set gvc here, or in the provider block.',
  });
}

/** In the platform's form; undefined to list everything. */
function querySpec(asked: ObjectValue): QuerySpec | undefined {
  const query = asked['query'] ?? null;
  const spec = query === null ? undefined : jsonOfForm(queryForm(), query);
  if (!isObject(spec)) return undefined;
  const match = stringAt(spec, 'match');
  const sort = own(spec, 'sort');
  return {
    match: match === 'any' || match === 'none' ? match : 'all',
    terms: listAt(spec, 'terms').filter(isObject),
    ...(isObject(sort) ? { sort } : {}),
  };
}

/** The deployments of one workload; they have no records of their own, so the location is the name. */
async function deployments(
  client: Client,
  gvc: string | undefined,
  asked: ObjectValue,
): Promise<readonly Pick<LiveResource, 'ref' | 'id' | 'record'>[]> {
  const workload = textAt(asked, 'workload') ?? '';
  const found = await client.deployments({ kind: 'workload', name: workload, ...present({ gvc }) });
  return found.map((record) => {
    const ref = { kind: 'deployment', name: lastSegment(stringAt(record, 'name') ?? '') } as const;
    return { ref, id: formatRef(ref), record: { ...record, name: ref.name } };
  });
}

/** The org is the root of every path, in no collection. */
async function readOrg(client: Client, name: string): Promise<Pick<LiveResource, 'record'> | undefined> {
  return name === client.org ? (await orgs(client))[0] : undefined;
}

/** There is only the org of the provider. */
async function orgs({ org, get }: Client): Promise<readonly Pick<LiveResource, 'ref' | 'id' | 'record'>[]> {
  const ref = { kind: 'org', name: org } as const;
  return [{ ref, id: formatRef(ref), record: await get(`/org/${encodeURIComponent(org)}`) }];
}

function notFound(id: string, org: string): ToolError {
  return new ToolError({
    code: 'provider.not-found',
    message: `${id} does not exist in the org ${org}, or this token cannot view it`,
    hint: 'Check the name, and the gvc and org that it is looked for in.',
  });
}
