/** What a part of the source may depend on. ARCHITECTURE.md says why. */
export interface Area {
  /** Other areas; every area may import `src/errors/`. */
  readonly areas: readonly string[];
  /** Packages and `node:` modules; a trailing `*` stands for anything. */
  readonly packages: readonly string[];
  /** No I/O, no clock, no randomness, no timers, no console, no environment: neither here nor in what is imported. */
  readonly isPure: boolean;
  /** Every folder of the area, from the top to the bottom: a folder imports only from folders below it. */
  readonly rooms?: readonly string[];
}

const any = ['*'];

export const areas: Readonly<Record<string, Area>> = {
  'src/errors': { areas: [], packages: [], isPure: true, rooms: ['.'] },
  'src/schema': {
    areas: [],
    packages: ['typebox', 'tldts', '#validators/*'],
    isPure: true,
    rooms: [
      'published',
      'rules',
      'rules/access',
      'rules/org',
      'rules/secret',
      'rules/domain',
      'rules/workload',
      'rules/gvc',
      'rules/volumeset',
      'rules/common',
      'rules/model',
      'validation',
      'normalForm',
      'shape',
      'kinds',
      'kinds/workload',
      'kinds/proxy',
      'kinds/parts',
      'facts',
      'record',
      'text',
      'json',
    ],
  },
  'src/manifest': {
    areas: ['src/schema'],
    packages: ['js-yaml'],
    isPure: true,
    rooms: ['check', 'outside', 'read', 'text', 'live', 'model'],
  },
  'src/patch': {
    areas: ['src/schema'],
    packages: [],
    isPure: true,
    rooms: ['.', 'apply', 'reconcile', 'show', 'write', 'model'],
  },
  'src/dialect': { areas: ['src/schema'], packages: [], isPure: true, rooms: ['.', 'places', 'words'] },
  constructs: {
    areas: ['src/schema', 'src/manifest'],
    packages: ['constructs'],
    isPure: true,
    rooms: ['kinds', '.'],
  },
  'src/plan': { areas: ['src/schema', 'src/manifest', 'src/patch'], packages: [], isPure: true },
  'src/apply': {
    areas: ['src/schema', 'src/manifest', 'src/plan'],
    packages: [],
    isPure: false,
    rooms: ['.', 'steps', 'run', 'port', 'schedule', 'report', 'reply'],
  },
  'src/client': {
    areas: ['src/schema', 'src/manifest', 'src/dialect'],
    packages: any,
    isPure: false,
    rooms: ['.', 'read', 'http'],
  },
  'src/server': {
    areas: ['src/schema', 'src/patch', 'src/dialect'],
    packages: any,
    isPure: false,
    rooms: [
      '.',
      'jobs',
      'routes',
      'routes/oneKind',
      'routes/everyKind',
      'routes/pages',
      'routes/service',
      'dispatch',
      'records',
      'access',
      'commands',
      'state',
      'journals',
      'presenter',
      'core',
      'sealing',
      'access/matching',
      'rules/commands',
      'rules/domains',
      'rules/exporters',
      'rules/openapi',
      'rules/records',
      'rules/kinds',
      'rules/snapshot',
      'rules/workloads',
      'rules/cron',
      'store/postgres',
      'store/sqlite',
      'store/postgres/sql',
      'store/postgres/overlay',
      'rules/journals',
      'store',
      'http',
      'rules/access',
      'rules/faults',
      'rules/query',
      'rules/volumes',
      'rules',
    ],
  },
  'src/rehearsal': {
    areas: ['src/schema', 'src/manifest', 'src/plan', 'src/apply', 'src/client', 'src/server'],
    packages: any,
    isPure: false,
    rooms: ['.'],
  },
  'src/cli': {
    areas: [
      'src/schema',
      'src/manifest',
      'src/patch',
      'src/dialect',
      'src/plan',
      'src/apply',
      'src/client',
      'src/server',
      'src/rehearsal',
      'constructs',
    ],
    packages: any,
    isPure: false,
  },
};

/** Pure folders of areas that are not. */
export const pureFolders: readonly string[] = ['src/server/rules'];
