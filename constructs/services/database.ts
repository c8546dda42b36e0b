import type { Construct } from 'constructs';
import type { EnvRecord } from '../environment.ts';
import { Identity } from '../generated/kinds.ts';
import type { Grant, Principal } from '../grants.ts';
import { Secret } from '../kinds/secret.ts';
import { VolumeSet } from '../kinds/volumeSet.ts';
import { type Caller, Workload } from '../kinds/workload.ts';
import type { CpuQuantity, MemoryQuantity } from '../quantities.ts';
import type { GvcScopedProps } from '../resource.ts';
import { findGvc } from '../target.ts';
import { checkNames, type PropNames, resourceNames } from './propNames.ts';
import { containerName, firewallOf, resourceFields } from './serviceProps.ts';
import { type Storage, someStorage, storageNames, volumeSetName, volumeSetProps } from './storage.ts';

export interface DatabaseProps extends GvcScopedProps {
  /** Password of its user, for example `sensitive(process.env.DB_PASSWORD)`. */
  readonly password: string;
  /** Name of the user that owns the database. @default app */
  readonly user?: string | undefined;
  /** Name of the database. @default app */
  readonly database?: string | undefined;
  /** Version of PostgreSQL: the tag of the image `postgres`. @default 17 */
  readonly version?: string | undefined;
  /** Its volume. */
  readonly storage: Omit<Storage, 'path'>;
  /** CPU limit: cores (`0.5`) or millicores (`500m`). @default 250m */
  readonly cpu?: CpuQuantity | undefined;
  /** Memory limit: `512Mi`, `2Gi`. @default 512Mi */
  readonly memory?: MemoryQuantity | undefined;
  /** Workloads that may call it; `allowFrom` adds to them. @default none */
  readonly callers?: 'same-gvc' | readonly Caller[] | undefined;
}

const names: PropNames<DatabaseProps> = {
  ...resourceNames,
  callers: true,
  cpu: true,
  database: true,
  memory: true,
  password: 'required',
  storage: 'required',
  user: true,
  version: true,
};

const { path: _, ...ofStorage } = storageNames;

const port = 5432;
const dataPath = '/data';

/**
 * One PostgreSQL server with its volume, its login, and the identity that reads the login: a stateful workload, the
 * volume set `NAME-data`, the secret `GVC-NAME-login`, the identity `NAME`, and the policy that lets it read the
 * secret. It has one replica; set `storage.snapshots` for backups.
 *
 * ```ts
 * const database = new Database(gvc, 'orders', {
 *   password: sensitive(process.env.DB_PASSWORD),
 *   storage: { capacity: Size.gigabytes(20) },
 * });
 * const api = new StandardService(gvc, 'api', { image: 'api:1', identity: backend, env: { ...database.clientEnv } });
 * database.allowFrom(api);
 * database.grantLogin(backend);
 * ```
 *
 * ```yaml
 * kind: workload
 * name: orders
 * gvc: shop
 * spec:
 *   type: stateful
 *   identityLink: //identity/orders
 *   containers:
 *     - name: main
 *       image: postgres:17
 *       cpu: 250m
 *       memory: 512Mi
 *       ports: [{ number: 5432, protocol: tcp }]
 *       env:
 *         - { name: PGDATA, value: /data/postgres }
 *         - { name: POSTGRES_DB, value: app }
 *         - { name: POSTGRES_USER, value: 'scheme://secret/shop-orders-login.username' }
 *         - { name: POSTGRES_PASSWORD, value: 'scheme://secret/shop-orders-login.password' }
 *       volumes: [{ uri: 'scheme://volumeset/orders-data', path: /data }]
 *       readinessProbe: { exec: { command: [pg_isready] } }
 *       livenessProbe: { tcpSocket: { port: 5432 } }
 *   defaultOptions: { autoscaling: { minScale: 1, maxScale: 1 } }
 *   firewallConfig:
 *     internal: { inboundAllowType: workload-list, inboundAllowWorkload: [//gvc/shop/workload/api] }
 * ---
 * kind: volumeset
 * name: orders-data
 * gvc: shop
 * spec: { performanceClass: general-purpose-ssd, initialCapacity: 20 }
 * ---
 * kind: secret
 * name: shop-orders-login
 * type: userpass
 * data: { username: app, password: … }
 * ---
 * kind: policy
 * name: grants--secret--shop-orders-login
 * targetKind: secret
 * targetLinks: [//secret/shop-orders-login]
 * bindings:
 *   - { permissions: [reveal], principalLinks: [//gvc/shop/identity/backend, //gvc/shop/identity/orders] }
 * ---
 * kind: identity
 * name: orders
 * gvc: shop
 * ```
 */
export class Database extends Workload<'stateful'> {
  /** User name and password. */
  readonly login: Secret<'userpass'>;
  readonly volumeSet: VolumeSet;
  /** The identity that reads the login. */
  readonly identity: Identity;
  readonly #database: string;

  constructor(scope: Construct, id: string, props: DatabaseProps) {
    const made = { scope, id };
    checkNames(made, { what: 'a Database', props, names });
    const { database = 'app', gvc, name = id, password, storage = someStorage, user = 'app' } = props;
    checkNames(made, { what: 'storage', props: storage, names: ofStorage });
    const around = findGvc(gvc, scope);
    const login = `${around === undefined ? '' : `${around}-`}${name}-login`;
    super(scope, id, {
      ...resourceFields(props),
      type: 'stateful',
      identity: `//identity/${name}`,
      containers: [
        {
          name: containerName,
          image: `postgres:${props.version ?? '17'}`,
          cpu: props.cpu ?? '250m',
          memory: props.memory ?? '512Mi',
          ports: [{ number: port, protocol: 'tcp' }],
          env: {
            PGDATA: `${dataPath}/postgres`, // the top of a volume contains a folder, lost+found
            POSTGRES_DB: database,
            POSTGRES_USER: `scheme://secret/${login}.username`,
            POSTGRES_PASSWORD: `scheme://secret/${login}.password`,
          },
          volumes: [{ uri: `scheme://volumeset/${volumeSetName(name)}`, path: dataPath }],
          readinessProbe: { exec: { command: ['pg_isready'] } },
          livenessProbe: { tcpSocket: { port } },
        },
      ],
      defaultOptions: { autoscaling: { minScale: 1, maxScale: 1 } },
      firewallConfig: firewallOf(props),
    });
    this.#database = database;
    this.volumeSet = new VolumeSet(this, 'data', {
      name: volumeSetName(name),
      gvc,
      ...volumeSetProps({ ...storage, path: dataPath }),
    });
    this.login = new Secret(this, 'login', { name: login, type: 'userpass', data: { username: user, password } });
    this.identity = new Identity(this, 'identity', { name, gvc });
    this.login.grantReveal(this.identity);
  }

  /** The variables for clients of PostgreSQL: `env: { ...database.clientEnv }`. Their identity needs `grantLogin`. */
  get clientEnv(): EnvRecord {
    return {
      PGHOST: this.internalHost,
      PGPORT: port,
      PGDATABASE: this.#database,
      PGUSER: this.login.key('username'),
      PGPASSWORD: this.login.key('password'),
    };
  }

  /** Lets an identity read the user name and password. */
  grantLogin(principal: Principal): Grant {
    return this.login.grantReveal(principal);
  }
}
