import type { JsonObject, JsonValue } from '../../src/base/json/json.ts';
import { isCreatableKind } from '../../src/schema/record/kinds.ts';
import type { Route } from '../../src/server/http/dispatch/route.ts';
import { validPatch } from './records.ts';
import type { World } from './world.ts';

/** A request that should succeed. */
export interface ValidRequest {
  readonly path: string;
  readonly body?: JsonValue;
  /** The name of the created or deleted record. */
  readonly name?: string;
}

/** The operation: the part after the last dot. */
export function operationOf({ id }: Route): string {
  return id.split('.').at(-1) ?? id;
}

export async function validRequest(route: Route, world: World): Promise<ValidRequest> {
  const name = await nameFor(route, world);
  const path = await filled(route, world, name);
  const body = await bodyFor(route, world, name);
  return { path, ...(name === undefined ? {} : { name }), ...(body === undefined ? {} : { body }) };
}

async function nameFor(route: Route, world: World): Promise<string | undefined> {
  const { kind } = route;
  if (kind === undefined || kind === 'org') return undefined;
  if (/^(workload|volumeset)\.(command\.|simulate|bill)/.test(route.id)) {
    return kind === 'volumeset' ? world.ground.volumeSet : world.cron;
  }
  if (operationOf(route) === 'create') return world.fresh(kind);
  if (operationOf(route) === 'upsert' && world.dice.percent(50)) return world.fresh(kind);
  return route.path.includes('{name}') || route.body === 'record' ? world.existing(kind) : undefined;
}

async function filled(route: Route, world: World, name: string | undefined): Promise<string> {
  let path = route.path;
  for (const [, key = ''] of route.path.matchAll(/\{(\w+)\}/g)) {
    const value = await parameter(route, world, key, path, name);
    path = path.replace(`{${key}}`, encodeURIComponent(value));
  }
  return path;
}

async function parameter(
  route: Route,
  world: World,
  key: string,
  soFar: string,
  name: string | undefined,
): Promise<string> {
  switch (key) {
    case 'org':
      return 'local';
    case 'gvc':
      return world.ground.gvc;
    case 'name':
      return name ?? 'none';
    case 'location':
      return 'aws-us-east-1';
    case 'email':
      return 'admin@example.com';
    case 'type':
      return 'opaque';
    case 'repository':
      return (await world.existing('image')).split(':')[0] ?? 'none';
    case 'provider':
      return 'aws';
    case 'account':
      return 'local';
    case 'ctx':
      return world.existing('auditctx');
    case 'eventId':
      return (await world.firstId('/audit/org/local')) ?? 'none';
    case 'id':
      return (await idFor(route, world, soFar)) ?? 'none';
    default:
      return `no-${key}`;
  }
}

async function idFor(route: Route, world: World, soFar: string): Promise<string | undefined> {
  const [list = ''] = soFar.split('/{id}');
  if (list === '/task') return world.existing('task');
  if (route.id.includes('.command.')) {
    const body = JSON.stringify(command(route, world));
    const { location } = await world.wire.send({ method: 'POST', path: list, body });
    return location?.split('/').at(-1);
  }
  return list.startsWith('/audit') ? world.firstId('/org/local/gvc') : world.firstId(list);
}

async function bodyFor(route: Route, world: World, name: string | undefined): Promise<JsonValue | undefined> {
  const { kind, id, body } = route;
  if (body === undefined) return undefined;
  const special = specialBodies[id];
  if (special !== undefined) return special(world);
  if (id.endsWith('.command.create')) return command(route, world);
  if (id.endsWith('.command.cancel')) return { lifecycleStage: 'cancelled' };
  if (body === 'query') return query(world);
  if (body === 'patch') return validPatch(world.dice);
  if (body === 'record' && (kind === 'image' || kind === 'quota')) return { description: `d${world.dice.whole(99)}` };
  if (body === 'record' && kind !== undefined && isCreatableKind(kind)) return world.record(kind, name ?? '');
  throw new Error(`no valid request is known for the route ${id}`);
}

type Body = (world: World) => JsonValue | Promise<JsonValue>;

const specialBodies: Readonly<Record<string, Body>> = {
  'org.create': (world) => ({ name: world.fresh('org'), description: 'another' }),
  'org.createInAccount': (world) => ({ org: { name: world.fresh('org'), description: 'another' }, invitees: [] }),
  'org.replace': () => ({ name: 'local', description: 'the org', spec: {} }),
  'org.edit': (world) => ({ description: `the org ${world.dice.whole(99)}` }),
  'audit.write': (world) => ({
    resource: { id: `r${world.dice.whole(99)}`, type: 'order' },
    action: { type: 'create' },
  }),
  'serviceaccount.addKey': () => ({ description: 'a key' }),
  'workload.simulate': (world) => ({ runSeconds: world.dice.whole(9) + 1, exitCode: 0, times: 1 }),
  'volumeset.simulate': (world) => ({
    samples: [{ location: 'aws-us-east-1', volumeIndex: 0, usedGb: world.dice.whole(9) }],
  }),
  'clock.advance': (world) => ({ advance: `${world.dice.whole(60)}s` }),
  'faults.set': () => ({ seed: 'fuzz', faults: [] }),
  'snapshot.load': async (world) => {
    return (await world.wire.send({ method: 'GET', path: '/-snapshot?secrets=true' })).body;
  },
  'domain.simulateDns': () => ({ txt: [{ host: '_scheme.example.org', value: 'local' }] }),
  'domain.simulate': (world) => ({ dns: world.dice.one(['resolved', 'unresolved']) }),
  'image.simulate': (world) => ({ name: `${world.fresh('image')}:1` }),
  'user.invite': (world) => ({ emails: [`${world.fresh('user')}@example.com`] }),
  'task.answer': (world) => ({ answer: world.dice.one(['accept', 'reject']) }),
  'task.answerInOrg': (world) => ({ answer: world.dice.one(['accept', 'reject']) }),
  'task.simulate': () => ({ targetEmail: 'admin@example.com', type: 'question', description: 'yes?' }),
};

function command({ kind }: Route, { dice }: World): JsonObject {
  if (kind === 'org') return { type: 'echo', spec: { seconds: dice.whole(9) * 600 + 3600 } };
  if (kind === 'workload') return { type: 'runCronWorkload', spec: { location: 'aws-us-east-1' } };
  const snapshotName = `s${dice.whole(1_000_000)}`;
  return { type: 'createVolumeSnapshot', spec: { location: 'aws-us-east-1', volumeIndex: 0, snapshotName } };
}

function query({ dice }: World): JsonValue {
  return dice.one<JsonValue>([
    null,
    {},
    { spec: { match: 'all', terms: [{ op: '=', tag: 'team', value: 'a' }] } },
    {
      spec: {
        match: 'any',
        terms: [
          { op: '~', property: 'name', value: 'a' },
          { op: 'exists', tag: 'team' },
        ],
      },
    },
    {
      spec: { match: 'none', terms: [{ op: '>', property: 'version', value: 3 }], sort: { by: 'name', order: 'desc' } },
    },
    { fetch: 'links', spec: { terms: [{ op: '=~', property: 'name', value: '^[a-f].*$' }] } },
  ]);
}
