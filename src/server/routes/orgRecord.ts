import type { JsonObject } from '../../schema/json.ts';
import { gvcScopedKinds } from '../../schema/kinds.ts';
import type { Platform } from './platform.ts';

/** Every directive of a PATCH is honoured here: planners may use all list keys (design 2). */
export const discovery: JsonObject = { endpoints: {}, idp: {}, directives: 'all' };

/** What answers here; needs no token (protocol 1.4). */
export const about: JsonObject = { name: 'gantry' };

export function orgRecord({ org, store }: Platform): JsonObject {
  const created = store.fact('created') ?? '';
  return {
    kind: 'org',
    id: store.fact('orgId') ?? '',
    name: org,
    description: org,
    version: 1,
    tags: {},
    created,
    lastModified: created,
    links: [
      { rel: 'self', href: `/org/${org}` },
      ...['gvc', 'domain', ...gvcScopedKinds].map((kind) => ({ rel: kind, href: `/org/${org}/${kind}` })),
    ],
    spec: {},
    status: { active: true, endpointPrefix: org },
  };
}

/** The orgs that the caller may see: this one. */
export function orgList(platform: Platform): JsonObject {
  const links = [{ rel: 'self', href: '/org' }];
  return { kind: 'list', itemKind: 'org', items: [orgRecord(platform)], links };
}
