import { isObject, type JsonObject, listAt, stringAt } from '../../../../src/base/json/json.ts';
import { done, type Guarded, guarded } from '../callers.ts';
import { kinds, permissionsOf } from './expectations.ts';

/** A record in a path. */
export interface Found {
  readonly name: string;
  /** The body of the PUT that creates it. */
  readonly body: JsonObject;
}

export const gvc = 'fixture-gvc';
export const location = 'aws-us-east-1';

const spareUsers = 60;

/** The token of the caller with one permission on every record of a kind. */
export function tokenOf(kind: string, permission: string): string {
  return `token-${kind}-${permission}`;
}

export const nobody = 'token-of-nobody';
/** The token of a caller who manages everything but is not the bootstrap user. */
export const superuser = 'token-of-superuser';

/** A platform with a caller for each permission of each kind, and with records for every operation. */
export class Ground {
  readonly platform: Guarded;
  /** The id of the task that no test changes. */
  #task = '';
  #count = 0;

  private constructor(platform: Guarded) {
    this.platform = platform;
  }

  static async open(): Promise<Ground> {
    const accounts = kinds.flatMap((kind) =>
      permissionsOf(kind).map((permission, index) => ({ kind, permission, name: `holds-${kind}-${index}` })),
    );
    const platform = await guarded({
      clock: 'virtual',
      metrics: true,
      users: ['fixture@x.example', ...Array.from({ length: spareUsers }, (_, index) => `spare-${index}@x.example`)],
      tokens: [
        ...accounts.map(({ kind, permission, name }) => ({
          token: tokenOf(kind, permission),
          principal: `//serviceaccount/${name}`,
        })),
        { token: nobody, principal: '//serviceaccount/nobody' },
        { token: superuser, principal: '//serviceaccount/superuser' },
      ],
    });
    const ground = new Ground(platform);
    await ground.#prepare();
    for (const { kind, permission, name } of accounts) {
      await ground.add('serviceaccount', { name });
      const bindings = [{ permissions: [permission], principalLinks: [`//serviceaccount/${name}`] }];
      await ground.add('policy', { name, targetKind: kind, target: 'all', bindings });
    }
    return ground;
  }

  close(): Promise<void> {
    return this.platform.close();
  }

  /** The record for requests that must be refused, so that it never changes. */
  fixture(kind: string): Found {
    const name = kind === 'task' ? this.#task : fixtureName(kind);
    return { name, body: bodyOf(kind, name) };
  }

  /** A new record, or the only one if there can only be one. */
  async fresh(kind: string): Promise<Found> {
    if (kind === 'org' || kind === 'quota') return this.fixture(kind);
    if (kind === 'task') return { name: await this.#newTask(), body: {} };
    this.#count += 1;
    if (kind === 'user') return { name: `spare-${this.#count % spareUsers}@x.example`, body: {} };
    const name = nameOf(kind, `fresh-${this.#count}`);
    await this.#make(kind, name);
    return { name, body: bodyOf(kind, name) };
  }

  /** An unused name, and a record for it. */
  absent(kind: string): Found {
    this.#count += 1;
    const name = nameOf(kind, `new-${this.#count}`);
    return { name, body: bodyOf(kind, name) };
  }

  /** The path of the collection of a kind, below the org. */
  collection(kind: string): string {
    return ['workload', 'identity', 'volumeset'].includes(kind) ? `gvc/${gvc}/${kind}` : kind;
  }

  async add(kind: string, body: JsonObject): Promise<void> {
    await done(this.platform.admin('POST', this.collection(kind), body));
  }

  async #prepare(): Promise<void> {
    const made = ['gvc', ...kinds.filter((kind) => !['gvc', 'org', 'quota', 'task', 'user'].includes(kind))];
    for (const kind of made) await this.#make(kind, fixtureName(kind));
    this.#task = await this.#newTask();
    const volumes = [{ uri: `scheme://volumeset/${fixtureName('volumeset')}`, path: '/data' }];
    await this.add('workload', {
      name: 'mounting',
      spec: { type: 'stateful', containers: [{ name: 'main', image: 'db:1', volumes }] },
    });
    const cron = { type: 'cron', containers: [{ name: 'main', image: 'job:1' }], job: { schedule: '0 0 1 1 *' } };
    await this.add('workload', { name: 'cron', spec: cron });
    await this.add('serviceaccount', { name: 'nobody' });
    await this.add('serviceaccount', { name: 'superuser' });
    await done(
      this.platform.admin('PATCH', 'group/superusers', { '$append/memberLinks': ['//serviceaccount/superuser'] }),
    );
  }

  async #newTask(): Promise<string> {
    const task = { targetEmail: 'fixture@x.example', type: 'question', description: 'yes?' };
    const { body } = await done(this.platform.admin('POST', 'task/-simulate', task));
    return stringAt(body, 'id') ?? '';
  }

  async #make(kind: string, name: string): Promise<void> {
    if (kind === 'image') await done(this.platform.admin('POST', 'image/-simulate', { name }));
    else await this.add(kind, bodyOf(kind, name));
  }

  /** The whole state, for a later load. */
  async snapshot(): Promise<JsonObject> {
    return (await done(this.platform.admin('GET', '/-snapshot?secrets=true'))).body;
  }

  /** The id of the first item of a list, read by the bootstrap user. */
  async firstId(path: string): Promise<string> {
    const { body } = await done(this.platform.admin('GET', path));
    const [first] = listAt(body, 'items');
    return (isObject(first) ? stringAt(first, 'id') : undefined) ?? '';
  }
}

function fixtureName(kind: string): string {
  if (kind === 'org') return 'local';
  if (kind === 'quota') return 'gvcs';
  return kind === 'user' ? 'fixture@x.example' : nameOf(kind, `fixture-${kind}`);
}

function nameOf(kind: string, name: string): string {
  if (kind === 'domain') return `${name}.com`;
  return kind === 'image' ? `${name}:v1` : name;
}

/** The smallest valid record. */
function bodyOf(kind: string, name: string): JsonObject {
  switch (kind) {
    case 'org':
      return { name, description: name, spec: {} };
    case 'gvc':
      return { name, spec: { staticPlacement: { locationLinks: [`//location/${location}`] } } };
    case 'workload':
      return { name, spec: { type: 'standard', containers: [{ name: 'main', image: 'web:1' }] } };
    case 'volumeset':
      return { name, spec: { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 20 } };
    case 'cloudaccount':
      return { name, provider: 'aws', data: { roleArn: 'arn:aws:iam::123456789012:role/shop' } };
    case 'secret':
      return { name, type: 'opaque', data: { payload: 'hidden' } };
    case 'policy':
      return { name, targetKind: 'gvc', target: 'all', bindings: [] };
    case 'location':
      return { name, provider: 'byok' };
    case 'quota':
      return { name, max: 1_000 };
    case 'domain':
    case 'ipset':
      return { name, spec: {} };
    default:
      return { name };
  }
}
