import { isObject, type JsonObject, listAt, stringAt } from '../../src/base/json/json.ts';
import {
  type CreatableKind,
  creatableKinds,
  isCreatableKind,
  isGvcScoped,
  type Kind,
} from '../../src/schema/record/kinds.ts';
import type { Dice } from './dice.ts';
import { type Ground, validRecord } from './records.ts';
import type { Answered, Wire } from './wire.ts';

const most = 25;
const admin = 'admin@example.com';

/** The records that one worker knows. Its names are its own, so workers do not interfere. */
export class World {
  readonly dice: Dice;
  readonly wire: Wire;
  readonly prefix: string;
  readonly ground: Ground;
  readonly #names = new Map<Kind, string[]>();
  #count = 0;

  constructor(wire: Wire, dice: Dice, prefix: string) {
    this.wire = wire;
    this.dice = dice;
    this.prefix = prefix;
    this.ground = {
      gvc: `${prefix}-ground`,
      secret: `${prefix}-secret`,
      identity: `${prefix}-id`,
      volumeSet: `${prefix}-set`,
    };
  }

  /** Creates the target of all references, again if a request deleted it. */
  async prepare(): Promise<void> {
    const { gvc, secret, identity, volumeSet } = this.ground;
    const locations = ['//location/aws-us-east-1', '//location/aws-us-west-2'];
    await this.#put('gvc', { name: gvc, spec: { staticPlacement: { locationLinks: locations } } });
    await this.#put('secret', { name: secret, type: 'opaque', data: { payload: 'p' } });
    await this.#put('identity', { name: identity });
    const spec = { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 20 };
    await this.#put('volumeset', { name: volumeSet, spec });
    const volumes = [{ uri: `scheme://volumeset/${volumeSet}`, path: '/data' }];
    const containers = [{ name: 'main', image: 'db:1', volumes }];
    await this.#put('workload', { name: this.database, spec: { type: 'stateful', containers } });
    const job = { name: 'main', image: 'job:1' };
    const cron = { type: 'cron', containers: [job], job: { schedule: '0 0 1 1 *' } };
    await this.#put('workload', { name: this.cron, spec: cron });
  }

  get database(): string {
    return `${this.prefix}-db`;
  }

  get cron(): string {
    return `${this.prefix}-cron`;
  }

  fresh(kind: Kind): string {
    this.#count += 1;
    const name = `${this.prefix}-${this.#count}`;
    return kind === 'domain' ? `${name}.example.org` : name;
  }

  record(kind: CreatableKind, name: string): JsonObject {
    return validRecord(kind, name, this.dice, this.ground);
  }

  /** The name of an existing record: a known one, or a new one. */
  async existing(kind: Kind): Promise<string> {
    if (kind === 'image') return this.#seeded('image/-simulate', { name: `${this.fresh(kind)}:1` }, 'name');
    if (kind === 'task') return this.#seeded('task/-simulate', { targetEmail: admin, type: 'question' }, 'id');
    if (kind === 'user') return this.#invited();
    if (!isCreatableKind(kind)) return (await this.#listed(kind)) ?? 'none';
    const known = this.dice.any(this.#names.get(kind) ?? []);
    if (known !== undefined && this.dice.percent(80)) return known;
    const name = this.fresh(kind);
    const { status } = await this.#put(kind, this.record(kind, name));
    if (status === 201) this.made(kind, name);
    return name;
  }

  made(kind: Kind, name: string): void {
    this.#names.set(kind, [...(this.#names.get(kind) ?? []), name]);
  }

  gone(kind: Kind, name: string): void {
    this.#names.set(
      kind,
      (this.#names.get(kind) ?? []).filter((known) => known !== name),
    );
  }

  /** Deletes the oldest records, so that a long run does not fill the platform. */
  async tidy(): Promise<void> {
    for (const kind of creatableKinds) {
      const names = this.#names.get(kind) ?? [];
      if (names.length <= most) continue;
      for (const name of names.slice(0, names.length - most)) {
        if (kind !== 'auditctx') await this.wire.send({ method: 'DELETE', path: `${this.collection(kind)}/${name}` });
        this.gone(kind, name);
      }
    }
  }

  collection(kind: Kind): string {
    return isGvcScoped(kind) ? `/org/local/gvc/${this.ground.gvc}/${kind}` : `/org/local/${kind}`;
  }

  /** The id of the first item of a list. */
  async firstId(path: string): Promise<string | undefined> {
    const { body } = await this.wire.send({ method: 'GET', path });
    const [first] = listAt(body, 'items');
    return isObject(first) ? stringAt(first, 'id') : undefined;
  }

  async #seeded(path: string, record: JsonObject, key: 'id' | 'name'): Promise<string> {
    const answer = await this.wire.send({ method: 'POST', path: `/org/local/${path}`, body: JSON.stringify(record) });
    return stringAt(answer.body, key) ?? 'none';
  }

  /** A person who was invited and has accepted. */
  async #invited(): Promise<string> {
    const email = `${this.fresh('user')}@example.com`;
    const body = JSON.stringify({ emails: [email] });
    await this.wire.send({ method: 'POST', path: '/org/local/user/-invite', body });
    const query = JSON.stringify({ spec: { terms: [{ property: 'targetEmail', value: email }] } });
    const { body: found } = await this.wire.send({ method: 'POST', path: '/org/local/task/-query', body: query });
    const [task] = listAt(found, 'items');
    const id = isObject(task) ? (stringAt(task, 'id') ?? '') : '';
    await this.wire.send({ method: 'POST', path: `/org/local/task/${id}`, body: '{"answer":"accept"}' });
    return email;
  }

  async #listed(kind: Kind): Promise<string | undefined> {
    const { body } = await this.wire.send({ method: 'GET', path: this.collection(kind) });
    const [first] = listAt(body, 'items');
    return isObject(first) ? (stringAt(first, 'name') ?? stringAt(first, 'id')) : undefined;
  }

  #put(kind: CreatableKind, record: JsonObject): Promise<Answered> {
    return this.wire.send({ method: 'PUT', path: this.collection(kind), body: JSON.stringify(record) });
  }
}
