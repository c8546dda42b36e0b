import type { JsonObject } from '../../../../src/base/json/json.ts';
import type { Route } from '../../../../src/server/http/dispatch/route.ts';
import { done } from '../callers.ts';
import { expectedFor, leavingOut, notMade, operationOf, otherKind } from './expectations.ts';
import { type Found, type Ground, gvc, location } from './ground.ts';

export interface Request {
  readonly path: string;
  readonly body?: unknown;
}

/** One way to use a route. */
export interface Scenario {
  readonly it: string;
  readonly route: Route;
  /** The kind whose permissions count. */
  readonly kind: string;
  readonly permission: string;
  /** The name of the record that the answer shows only to callers who can view it. */
  readonly leavesOut: string | undefined;
  /** Whether the status means that the permission was enough. */
  readonly isThrough: (status: number) => boolean;
  /** Uses a new record if the request is to succeed, else the one that no test changes. */
  readonly request: (through: boolean) => Promise<Request>;
}

/** Routes that change a record, so that each successful use needs a new one. */
const changing: ReadonlySet<string> = new Set([
  'delete',
  'edit',
  'replace',
  'upsert',
  'addKey',
  'answer',
  'answerInOrg',
]);

/** Statuses of allowed requests that cannot succeed here, for example because there is no such event or snapshot. */
const later: Readonly<Record<string, readonly number[]>> = {
  event: [404],
  'command.create stopReplica': [201, 404],
  'command.create deleteVolumeSnapshot': [404],
  'command.create restoreVolume': [404],
  'command.create deleteVolume': [201, 400, 409],
  'command.create shrinkVolume': [201, 400],
  'command.create replaceVolume': [201, 400, 409],
  // A command that has ended cannot be cancelled.
  'command.cancel': [200, 409],
  'command.delete': [202, 409],
};

/** Returns undefined if no expectation was written for the route. */
export function scenariosOf(route: Route, ground: Ground): readonly Scenario[] | undefined {
  const expected = expectedFor(route.id, route.kind);
  if (expected === undefined) return undefined;
  const operation = operationOf(route.id, route.kind);
  if (expected !== 'COMMAND') {
    const plain = scenario(route, ground, operation, expected);
    if (operation !== 'upsert' && operation !== 'replace') return [plain];
    if (route.kind === 'org' || notMade.has(route.kind ?? '')) return [plain];
    // A PUT of an absent record creates it.
    const making = scenario(route, ground, `${operation} of a new record`, 'create');
    return [plain, { ...making, request: async () => filled(route, ground, ground.absent(making.kind), operation) }];
  }
  const types = Object.entries(commands).filter(
    ([, { owner, begins }]) => owner === route.kind && (operation === 'command.create' || begins === true),
  );
  return types.map(([type]) => scenario(route, ground, `${operation} ${type}`, `exec.${type}`));
}

function scenario(route: Route, ground: Ground, what: string, permission: string): Scenario {
  const kind = otherKind[route.id] ?? route.kind ?? '';
  const operation = operationOf(route.id, route.kind);
  const allowed = later[what] ?? later[route.id] ?? later[operation];
  return {
    it: `${route.id}${what === operation ? '' : ` (${what})`}`,
    route,
    kind,
    permission,
    leavesOut: route.kind !== undefined && leavingOut.has(operation) ? ground.fixture(kind).name : undefined,
    isThrough: (status) => (allowed === undefined ? status < 300 : allowed.includes(status)),
    async request(through) {
      const own = through && changing.has(operation);
      const found =
        operation === 'create' ? ground.absent(kind) : own ? await ground.fresh(kind) : ground.fixture(kind);
      return filled(route, ground, found, what);
    },
  };
}

async function filled(route: Route, ground: Ground, found: Found, what: string): Promise<Request> {
  let path = route.path;
  for (const [, key = ''] of route.path.matchAll(/\{(\w+)\}/g)) {
    path = path.replace(`{${key}}`, await parameter(key, route, ground, found, what));
  }
  const query = leavingOut.has(operationOf(route.id, route.kind)) ? '?limit=1000' : '';
  const body = route.id === 'snapshot.load' ? await ground.snapshot() : bodyOf(route, found, what);
  return body === undefined ? { path: path + query } : { path: path + query, body };
}

async function parameter(key: string, route: Route, ground: Ground, found: Found, what: string): Promise<string> {
  const command = commandIn(what);
  switch (key) {
    case 'org':
      return 'local';
    case 'file':
      return 'page.js';
    case 'gvc':
      return gvc;
    case 'name':
      return route.id.startsWith('workload.command') ? 'cron' : route.id.startsWith('audit.') ? 'nothing' : found.name;
    case 'location':
      return location;
    case 'account':
      return 'local';
    case 'type':
      return 'opaque';
    case 'provider':
      return 'aws';
    case 'repository':
      return 'fixture-image';
    case 'email':
      return 'fixture@x.example';
    case 'ctx':
      return found.name;
    case 'eventId':
      return ground.firstId('/audit/org/local');
    case 'id':
      if (command !== undefined) return begun(ground, command);
      if (route.id.includes('.command.')) return begun(ground, defaultCommand(route.kind));
      return route.kind === 'task' && !route.path.includes('-eventlog') ? found.name : 'none';
    default:
      throw new Error(`nobody says what {${key}} stands for in ${route.path}`);
  }
}

function bodyOf(route: Route, found: Found, what: string): unknown {
  const operation = operationOf(route.id, route.kind);
  if (Object.hasOwn(bodies, route.id)) return bodies[route.id];
  const command = commandIn(what);
  if (command !== undefined && operation === 'command.create') return { type: command, spec: specOf(command) };
  if (operation === 'command.cancel') return { lifecycleStage: 'cancelled' };
  if (route.body === 'patch') return { description: `changed ${found.name}` };
  if (route.body === 'record') return found.body;
  if (route.body === 'query' || route.body === undefined) return undefined;
  throw new Error(`nobody says what to send to ${route.id}`);
}

const bodies: Readonly<Record<string, unknown>> = {
  'audit.write': { resource: { id: 'r1', type: 'order' }, action: { type: 'create' } },
  'serviceaccount.addKey': { description: 'for the matrix' },
  'user.invite': { emails: ['invited@x.example'] },
  'org.create': { name: 'made-org', description: 'made' },
  'org.createInAccount': { org: { name: 'billed-org', description: 'made' }, invitees: [] },
  'workload.simulate': { runSeconds: 1, exitCode: 0 },
  'volumeset.simulate': { samples: [{ location, volumeIndex: 0, usedGb: 1 }] },
  'domain.simulate': {},
  'domain.simulateDns': {},
  'clock.advance': { advance: '1s' },
  'faults.set': { seed: 'x', faults: [] },
  'task.answer': { answer: 'accept' },
  'task.answerInOrg': { answer: 'accept' },
  'image.simulate': { name: 'pushed:v1' },
  'task.simulate': { targetEmail: 'fixture@x.example', type: 'question', description: 'yes?' },
};

interface Command {
  readonly owner: string;
  readonly spec: JsonObject;
  /** Whether it can always be started, and so be cancelled. */
  readonly begins?: boolean;
}

/** Every command that a client may send (platform/commands). */
const commands: Readonly<Record<string, Command>> = {
  echo: { owner: 'org', spec: {}, begins: true },
  runCronWorkload: { owner: 'workload', spec: { location }, begins: true },
  stopReplica: { owner: 'workload', spec: { location, replica: 'none' } },
  expandVolume: { owner: 'volumeset', spec: { location, volumeIndex: 0, newStorageCapacity: 30 }, begins: true },
  shrinkVolume: { owner: 'volumeset', spec: { location, volumeIndex: 0, newStorageCapacity: 10 } },
  createVolumeSnapshot: { owner: 'volumeset', spec: { location, volumeIndex: 0 }, begins: true },
  deleteVolumeSnapshot: { owner: 'volumeset', spec: { location, volumeIndex: 0, snapshotName: 'none' } },
  restoreVolume: { owner: 'volumeset', spec: { location, volumeIndex: 0, snapshotName: 'none' } },
  deleteVolume: { owner: 'volumeset', spec: { location, volumeIndex: 0 } },
  replaceVolume: { owner: 'volumeset', spec: { location, volumeIndex: 0 } },
};

function commandIn(what: string): string | undefined {
  const [operation, type] = what.split(' ');
  return operation?.startsWith('command.') === true && type !== undefined ? type : undefined;
}

let specs = 0;

/** A spec that no other command has: capacities rise, and names of snapshots are new. */
function specOf(type: string): JsonObject {
  specs += 1;
  const spec = commands[type]?.spec ?? {};
  if (type === 'expandVolume') return { ...spec, newStorageCapacity: 30 + specs };
  return type === 'createVolumeSnapshot' ? { ...spec, snapshotName: `snapshot-${specs}` } : spec;
}

function defaultCommand(kind: string | undefined): string {
  if (kind === 'org') return 'echo';
  return kind === 'workload' ? 'runCronWorkload' : 'createVolumeSnapshot';
}

/** Starts a command of this type; returns its id. */
async function begun(ground: Ground, type: string): Promise<string> {
  const owner = commands[type]?.owner;
  const path =
    owner === 'org'
      ? '/org/local'
      : `gvc/${gvc}/${owner === 'workload' ? 'workload/cron' : 'volumeset/fixture-volumeset'}`;
  const answer = await done(ground.platform.admin('POST', `${path}/-command`, { type, spec: specOf(type) }));
  return answer.headers.get('location')?.split('/').at(-1) ?? '';
}
