import { catalogue } from '../catalogue.ts';

/**
 * The permission that a route needs, written by hand from platform/audit.trail, platform/access.permissions and the
 * decisions, never from the routes. `token`: any valid token. `none`: no token. `admin`: the bootstrap token.
 * `COMMAND`: `exec.<type of the command>`.
 */
export type Expected = string;

/** Operations that several kinds have, by the part of the route's id after the kind. */
const byOperation: Readonly<Record<string, Expected>> = {
  list: 'view',
  listInOrg: 'view',
  query: 'view',
  queryInOrg: 'view',
  read: 'view',
  create: 'create',
  edit: 'edit',
  replace: 'edit',
  upsert: 'edit',
  delete: 'delete',
  events: 'view',
  event: 'view',
  accessReport: 'view',
  permissions: 'token',
  'export.terraform': 'view',
  'exportAll.terraform': 'view',
  'exportAllInOrg.terraform': 'view',
  'export.crd': 'view',
  'exportAll.crd': 'view',
  'exportAllInOrg.crd': 'view',
  'command.list': 'view',
  'command.query': 'view',
  'command.read': 'view',
  'command.create': 'COMMAND',
  'command.cancel': 'COMMAND',
  'command.delete': 'COMMAND',
};

/** Single routes, which win over operations. */
const byRoute: Readonly<Record<string, Expected>> = {
  about: 'none',
  discovery: 'none',
  health: 'none',
  metrics: 'none',
  openapi: 'none',
  'console.page': 'none',
  'console.pageFile': 'none',
  'openapi.page': 'none',
  'openapi.pageFile': 'none',
  'user.self': 'token',
  'account.list': 'token',
  'account.read': 'token',
  'org.list': 'token',
  'org.create': 'admin',
  'org.createInAccount': 'admin',
  'org.accessReport': 'viewAccessReport',
  'audit.list': 'readAudit',
  'audit.listById': 'readAudit',
  'audit.listByName': 'readAudit',
  'audit.read': 'readAudit',
  'audit.write': 'writeAudit',
  'workload.deployments': 'view',
  'workload.deployment': 'view',
  'secret.reveal': 'reveal',
  'secret.forType': 'view',
  'serviceaccount.addKey': 'addKey',
  'workload.replicas': 'view',
  'volumeset.usage': 'view',
  'image.latest': 'view',
  'agent.info': 'view',
  // Texts that contain nothing of the org.
  'cloudaccount.instructions': 'token',
  'location.install': 'view',
  'location.uninstall': 'view',
  'user.forEmail': 'view',
  'user.invite': 'invite',
  'task.forMe': 'token',
  'task.forMeEverywhere': 'token',
  'task.listMine': 'token',
  'org.logs': 'readLogs',
  'task.readMine': 'view',
  'task.answer': 'edit',
  'task.answerInOrg': 'edit',
  'image.simulate': 'admin',
  'task.simulate': 'admin',
  'domain.simulate': 'admin',
  'domain.simulateDns': 'admin',
  'workload.simulate': 'admin',
  'volumeset.simulate': 'admin',
  'volumeset.bill': 'admin',
  'clock.read': 'admin',
  'clock.advance': 'admin',
  'faults.read': 'admin',
  'faults.set': 'admin',
  'faults.clear': 'admin',
  'snapshot.read': 'admin',
  'snapshot.load': 'admin',
};

/** Routes that answer every caller and omit records that it cannot view. */
export const leavingOut: ReadonlySet<string> = new Set([
  'list',
  'listInOrg',
  'query',
  'queryInOrg',
  'exportAll.terraform',
  'exportAllInOrg.terraform',
  'exportAll.crd',
  'exportAllInOrg.crd',
  'forType',
]);

/** Routes that the addressee of the record can always use, so that the table of routes requires only a token. */
export const alsoForAddressee: ReadonlySet<string> = new Set(['task.readMine', 'task.answer']);

/** Kinds that a PUT cannot create (platform/concepts.kinds). */
export const notMade: ReadonlySet<string> = new Set(['image', 'quota']);

/** The kind whose permission counts, if it is not the kind of the route. */
export const otherKind: Readonly<Record<string, string>> = {
  'audit.list': 'auditctx',
  'audit.listById': 'auditctx',
  'audit.listByName': 'auditctx',
  'audit.read': 'auditctx',
};

/** Returns undefined if no expectation was written for the route. */
export function expectedFor(id: string, kind: string | undefined): Expected | undefined {
  const single = Object.hasOwn(byRoute, id) ? byRoute[id] : undefined;
  if (single !== undefined) return single;
  const operation = operationOf(id, kind);
  return Object.hasOwn(byOperation, operation) ? byOperation[operation] : undefined;
}

export function operationOf(id: string, kind: string | undefined): string {
  const prefix = `${kind ?? id.split('.')[0]}.`;
  return id.startsWith(prefix) ? id.slice(prefix.length) : id;
}

export const kinds: readonly string[] = Object.keys(catalogue);

export function permissionsOf(kind: string): readonly string[] {
  return (catalogue[kind] ?? '').split(' ').filter((name) => name !== '');
}

/** Whether a permission is or implies the wanted one (platform/access.permissions). */
export function gives(kind: string, held: string, wanted: string): boolean {
  if (held === wanted || held === 'manage') return true;
  if (wanted === 'view') return held === 'create' || held === 'edit' || held === 'delete';
  if (wanted === 'reveal') return kind === 'secret' && held === 'edit';
  return held === 'exec' && wanted.startsWith('exec.');
}
