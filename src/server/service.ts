import { hash, randomBytes, randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { listAt } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import { causeText, isMissingModule } from '../base/thrown.ts';
import { ToolError } from '../base/toolError.ts';
import { orgNameProblem } from '../kinds/org/rules.ts';
import { loadValidators } from '../kinds/validators.ts';
import { isOrg } from '../schema/record/kinds.ts';
import { superusers } from './access/decisions/membership.ts';
import { platformContext } from './audit/decisions/auditQuery.ts';
import type { Clock } from './core/clock.ts';
import { insertPlatformRecord, updatePlatformRecord } from './core/ownWrite.ts';
import type { Platform, Service, Settings } from './core/platform.ts';
import { ShownTexts } from './core/shownTexts.ts';
import { bootstrapUser } from './http/limits.ts';
import type { ServerOptions } from './options.ts';
import { builtInRecords, orgSeed, type Seed, userSeed } from './records/decisions/builtInRecords.ts';
import { countedStore, gbOf, storageFacts, withNewFacts } from './store/model/countedStore.ts';
import { dumpParts } from './store/model/opening.ts';
import { replayedText, replayedTime } from './store/model/replayedInputs.ts';
import type { Database, Loaded, Row, Store, Transaction, View } from './store/model/row.ts';
import type { Seal } from './store/model/seal.ts';
import { checkFact, checkOf, findSeal } from './store/model/secretKey.ts';
import { openSqlite } from './store/sqlite/open.ts';

/** The parts of the server that its routes use. */
export type RouteServices = Pick<Service, 'faults' | 'metrics' | 'stepTo'>;

/** The server on its database, with its home org. */
export async function openService(
  options: ServerOptions,
  clock: Clock,
  routeServices: RouteServices,
): Promise<Service> {
  const { org: home = 'local', data = ':memory:', store, users = [] } = options;
  if (orgNameProblem(home) !== undefined) {
    throw new ToolError({
      code: 'server.org-name',
      message: `${JSON.stringify(home)} cannot be the name of an org`,
      hint:
        'Lower-case letters, digits and -, beginning with a letter, at most 64 characters; not index, nor ' +
        'xserve-….',
    });
  }
  let database: Database | undefined;
  try {
    const file = data === ':memory:' ? undefined : `${data}.key`;
    database =
      store === undefined ? openSqlite(data, clock.now, () => requireNoKey(data, file)) : await openStore(store, clock);
    const orgs = await database.orgs();
    const [other] = orgs;
    if (other !== undefined && !orgs.includes(home)) {
      throw new ToolError({
        code: 'server.other-org',
        message: `this database contains the org ${orgs.join(', ')}, not ${home}`,
        hint: `Use --org ${other}, or another --data folder.`,
      });
    }
    // The key file is beside the database file; servers on a shared database share a passphrase instead.
    const seal = await findSeal(database, home, { secretKey: options.secretKey, file });
    if (options.from !== undefined && other !== undefined) throw notEmpty();
    const shared = { seal, settings: settingsOf(options), texts: new ShownTexts() };
    return await createService({ database, home, clock, routeServices }, shared, users);
  } catch (cause) {
    await database?.close();
    if (cause instanceof ToolError) throw cause;
    throw new ToolError({
      code: 'server.data',
      message: `the database ${store === undefined ? data : 'of --store'} cannot be used: ${causeText(cause)}`,
      hint:
        store === undefined
          ? 'Does its folder exist, is it writable, and has its disk free space? Restore a backup of a damaged file, ' +
            'or choose another folder with --data DIR.'
          : 'Is it postgres://user:password@host:port/database, is it running, and may the user create a schema?',
      cause,
    });
  }
}

/** A key is created after its database, so a key beside an empty database means that the data was lost. */
function requireNoKey(data: string, key: string | undefined): void {
  if (key === undefined || statSync(key, { throwIfNoEntry: false })?.isFile() !== true) return;
  throw new ToolError({
    code: 'server.emptied',
    message: `${data} is empty or missing, but its key ${key} exists: the database was lost or moved`,
    hint: `Restore a backup of the database. To start from scratch, remove ${key}.`,
  });
}

/** A flag must not delete existing data; `PUT /-snapshot` deletes it explicitly. */
function notEmpty(): ToolError {
  return new ToolError({
    code: 'server.not-empty',
    message: '--from needs a new database, and this one already contains an org',
    hint: 'Use --data :memory: or another folder; PUT /-snapshot replaces an existing state.',
  });
}

/** Loads the client of PostgreSQL, which is not installed with Gantry. Errors: `server.store-package`. */
async function openStore(store: string, { now, follow }: Clock): Promise<Database> {
  const [{ addressOf }, { openPostgres }] = await Promise.all([
    import('./store/postgres/connections.ts'),
    import('./store/postgres/open.ts'),
  ]).catch((cause: unknown) => {
    if (!isMissingModule(cause)) throw cause;
    throw new ToolError({
      code: 'server.store-package',
      message: '--store needs the packages pg and pg-boss, which are not installed',
      hint: 'npm install pg@8 pg-boss@12, with --global where Gantry is installed globally.',
    });
  });
  return openPostgres({ address: addressOf(store), now, follow });
}

/** The parts that the orgs of a server share. */
type Shared = Pick<Platform, 'seal' | 'settings' | 'texts'>;

interface ServiceParts extends Pick<Service, 'clock' | 'database' | 'home'> {
  readonly routeServices: RouteServices;
}

async function createService(
  { database, home, clock, routeServices }: ServiceParts,
  shared: Shared,
  users: readonly string[],
): Promise<Service> {
  const { seal } = shared;
  const platforms = new Map<string, Platform>();
  async function resetPlatforms(): Promise<void> {
    platforms.clear();
    await resumeTime(database.of(home), clock);
  }
  const service: Service = {
    ...routeServices,
    clock,
    view: async (withSecrets) => exportView(await database.view(), seal, withSecrets),
    async replace(content) {
      await database.replace(sealForStorage(content, seal, home, randomUUID));
      await resetPlatforms();
    },
    async load(dump) {
      const content = await Array.fromAsync(sealForStorage([dumpParts(dump)], seal, home, randomUUID));
      await database.load(content.flat());
      await resetPlatforms();
    },
    database,
    home,
    async of(org) {
      const known = platforms.get(org);
      if (known !== undefined) return known;
      // Another server on the same database may have created it.
      if (!(await database.orgs()).includes(org)) return undefined;
      const made = createPlatform(service, org, shared);
      platforms.set(org, made);
      return made;
    },
    createOrg: (record, afterInsert) =>
      createOrg(createPlatform(service, record.name, shared), record, [], afterInsert),
  };
  const platform = createPlatform(service, home, shared);
  await resumeTime(platform.store, clock);
  await createOrg(platform, { name: home, description: home, tags: {}, spec: {} }, users);
  return service;
}

/** Resumes the time at the last stored one: the database must not contain later times. */
async function resumeTime(store: Store, clock: Clock): Promise<void> {
  const { stoodAt: clockMs, last } = await store.read((tx) => ({
    stoodAt: tx.fact('clockMs'),
    // Clients write events of other contexts with their own times.
    last: tx.entries({ journal: 'audit', context: platformContext, limit: 1 })[0]?.atMs,
  }));
  if (clockMs !== undefined) clock.step?.(Number(clockMs));
  for (const ms of [Number(clockMs ?? 0), last ?? 0]) clock.observe(ms);
}

function createPlatform(service: Service, org: string, shared: Shared): Platform {
  return {
    service,
    store: countedStore(service.database.of(org), randomUUID),
    org,
    now: replayedTime(service.clock.now),
    newId: replayedText(() => randomUUID()),
    randomText: replayedText(randomText),
    digest: sha256,
    base64url: (text) => Buffer.from(text).toString('base64url'),
    textOfBase64url: (text) => Buffer.from(text, 'base64url').toString('utf8'),
    validatorsOf: (kind) => loadValidators([kind]),
    ...shared,
  };
}

function settingsOf(options: ServerOptions): Settings {
  const { expandLimit, tolerate } = options;
  return {
    readyAfterMs: options.readyAfterMs ?? 500,
    deletionDelayMs: options.deletionDelayMs ?? 0,
    lenient: options.lenient ?? false,
    answers: new Set(options.answers),
    seed: options.seed ?? 'gantry',
    dev: options.dev ?? true,
    proveOwnership: options.proveOwnership ?? false,
    commandStageMs: options.commandStageMs ?? 100,
    noAuth: options.noAuth ?? false,
    ...present({ expandLimit, tolerate }),
  };
}

export function sha256(text: string): string {
  return hash('sha256', text);
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('');
}

/**
 * Creates the built-in records of a new org and the requested users; existing records stay. `record`: the org's own
 * record. `afterInsert`: more work for the same transaction. Returns false if the org existed before.
 */
async function createOrg(
  platform: Platform,
  record: Seed['record'],
  users: readonly string[],
  afterInsert: (tx: Transaction, org: Row) => void = () => {},
): Promise<boolean> {
  // All records get the same time, so that lists sort them by name.
  const nowMs = platform.now();
  return platform.store.write((tx) => {
    const isNew = tx.fact('created') === undefined;
    if (isNew) {
      tx.setFact('orgId', platform.newId());
      tx.setFact('created', new Date(platform.now()).toISOString());
    }
    for (const seed of [orgSeed(record), ...users.map(userSeed), ...builtInRecords(platform.org)]) {
      if (tx.get({ kind: seed.kind, name: seed.record.name }) === undefined) insertSeed(platform, tx, seed, nowMs);
    }
    admitBootstrapUser(platform, tx);
    const org = tx.get({ kind: 'org', name: platform.org });
    if (isNew && org !== undefined) afterInsert(tx, org);
    return isNew;
  });
}

/**
 * Gives the bootstrap user access to an org whose group of superusers is empty, because its last member was deleted or
 * the org is older than its first member.
 */
function admitBootstrapUser(platform: Platform, tx: Transaction): void {
  const group = tx.get({ kind: 'group', name: superusers });
  if (group === undefined || listAt(group.record, 'memberLinks').length > 0) return;
  const memberLinks = [`/org/${platform.org}/user/${bootstrapUser}`];
  updatePlatformRecord({ platform, tx }, group, { record: { ...group.record, memberLinks } });
}

function insertSeed(platform: Platform, tx: Transaction, { kind, record, shown }: Seed, nowMs: number): void {
  // The id of an org is also stored as a fact, because it proves the ownership of domains (platform/domain.ownership).
  const uid = (isOrg(kind) ? tx.fact('orgId') : undefined) ?? platform.newId();
  insertPlatformRecord(
    { platform, tx },
    { kind, name: record.name, record, state: { shown } },
    { uid, createdMs: nowMs },
  );
}

/** A state for export: sealed values are opened or omitted; the check of the key is omitted. */
function exportView(view: View, seal: Seal, withSecrets: boolean): View {
  return {
    ...view,
    of(org) {
      const source = view.of(org);
      return {
        ...source,
        async facts() {
          const { [checkFact]: _, ...facts } = await source.facts();
          return facts;
        },
        async *records() {
          for await (const row of source.records()) {
            yield { ...row, hidden: withSecrets ? seal.open(row.hidden, row.uid) : {} };
          }
        },
      };
    },
  };
}

/** A state to store: sealed with the key of this server, without cached access facts. */
export async function* sealForStorage(
  content: AsyncIterable<readonly Loaded[]> | Iterable<readonly Loaded[]>,
  seal: Seal,
  home: string,
  newId: () => string,
): AsyncGenerator<readonly Loaded[]> {
  const storageGb = new Map<string, number>();
  for await (const items of content) {
    for (const item of items) {
      if (item.of === 'facts') storageGb.set(item.org, storageGb.get(item.org) ?? 0);
      if (item.of === 'record') storageGb.set(item.org, (storageGb.get(item.org) ?? 0) + gbOf(item.row));
    }
    yield items.map((item) => sealItem(item, seal, home, newId));
  }
  yield [...storageGb].map(([org, gb]) => ({ org, of: 'facts', facts: storageFacts(gb) }));
}

function sealItem(item: Loaded, seal: Seal, home: string, newId: () => string): Loaded {
  if (item.of === 'record') {
    return { ...item, row: { ...item.row, hidden: seal.seal(item.row.hidden, item.row.uid) } };
  }
  if (item.of !== 'facts') return item;
  const check = item.org === home ? { [checkFact]: checkOf(seal) } : {};
  return { ...item, facts: { ...withNewFacts(item.facts, newId), ...check } };
}
