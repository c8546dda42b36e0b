import { knownKinds } from '../../src/schema/record/kinds.ts';

/** What a part of the source may depend on. ARCHITECTURE.md says why. */
export interface Area {
  /** Other areas, never in a circle; every area may import `src/base/`. */
  readonly areas: readonly string[];
  /** Packages and `node:` modules; a trailing `*` stands for anything. */
  readonly packages: readonly string[];
  /** No I/O, no clock, no randomness, no timers, no console, no environment: neither here nor in what is imported. */
  readonly isPure: boolean;
  /** Every folder of the area, from the top to the bottom: a folder imports only from folders below it. */
  readonly rooms: readonly string[];
}

const any = ['*'];

/** Those whose rules look into others; the rest know nothing of each other's. */
const kindsInOrder: readonly string[] = ['domain', 'workload', 'volumeset', 'gvc'];

/** The house, from the ground up. */
export const areas: Readonly<Record<string, Area>> = {
  // What knows nothing of the platform: JSON, texts, errors, the one reader of objects.
  'src/base': { areas: [], packages: [], isPure: true, rooms: ['form', 'text', 'json', '.'] },
  // The interpreter without doors, for expressions of the platform and for policies.
  'src/sandbox': {
    areas: [],
    packages: ['node:fs', 'quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync'],
    isPure: false,
    rooms: ['.'],
  },
  // The language of facts: definitions, shapes, references, the engine of rules.
  'src/schema': { areas: [], packages: ['typebox'], isPure: true, rooms: ['rules', 'shape', 'facts', 'record'] },
  // What is assumed of a platform, and what has been learnt of one.
  'src/capabilities': {
    areas: ['src/schema', 'src/kinds'],
    packages: [],
    isPure: true,
    rooms: ['doctor', '.', 'rows'],
  },
  // A folder for each kind, and what follows from all of them.
  'src/kinds': {
    areas: ['src/schema'],
    packages: ['typebox', 'tldts', '#validators/*', '#kinds', '#published-kinds'],
    isPure: true,
    rooms: [
      'published',
      'check',
      'validation',
      'normalForm',
      'shape',
      '.',
      ...knownKinds.filter((kind) => !kindsInOrder.includes(kind)),
      ...kindsInOrder,
      'common/proxy',
      'common',
    ],
  },
  'src/dialect': { areas: ['src/schema', 'src/kinds'], packages: [], isPure: true, rooms: ['.'] },
  'src/manifest': {
    areas: ['src/schema', 'src/kinds', 'src/capabilities'],
    packages: ['js-yaml'],
    isPure: true,
    rooms: ['check', 'values', 'read', 'text', 'live', 'code', 'model'],
  },
  'src/patch': {
    areas: ['src/schema', 'src/kinds', 'src/capabilities'],
    packages: [],
    isPure: true,
    rooms: ['.', 'apply', 'reconcile', 'judge', 'show', 'write', 'model'],
  },
  constructs: {
    areas: ['src/schema', 'src/kinds', 'src/manifest', 'generated'],
    packages: ['constructs'],
    isPure: true,
    rooms: ['services', 'kinds', 'generated', '.', 'values', 'aspects'],
  },
  'src/plan': {
    areas: ['src/schema', 'src/kinds', 'src/capabilities', 'src/manifest', 'src/patch'],
    packages: [],
    isPure: true,
    rooms: [
      '.',
      'checks',
      'impact',
      'consequences',
      'draft',
      'part',
      'order',
      'rename',
      'references',
      'model',
      'claims',
      'record',
    ],
  },
  // What is said about a plan.
  'src/change': {
    areas: ['src/schema', 'src/kinds', 'src/capabilities', 'src/manifest', 'src/patch', 'src/plan'],
    packages: [],
    isPure: true,
    rooms: ['.', 'access', 'adopt', 'documents', 'promotion', 'drift', 'explain', 'status', 'undo', 'saved'],
  },
  // Terraform's language as text: below the platform and the provider, and it reaches no planner.
  'src/hcl': {
    areas: ['src/schema', 'src/kinds', 'src/manifest', 'src/patch'],
    packages: [],
    isPure: true,
    rooms: ['migration', 'configuration', 'values', 'schema', '.'],
  },
  'src/report': {
    areas: ['src/schema', 'src/kinds', 'src/capabilities', 'src/manifest', 'src/plan', 'src/change'],
    packages: ['diff', '@dagrejs/dagre', 'd3-shape', '#report-page'],
    isPure: true,
    rooms: ['.', 'markdown', 'tree', 'model', 'picture'],
  },
  'src/apply': {
    areas: ['src/schema', 'src/kinds', 'src/capabilities', 'src/manifest', 'src/plan'],
    packages: [],
    isPure: false,
    rooms: ['.', 'steps', 'run', 'port', 'schedule', 'report', 'reply'],
  },
  'src/client': {
    areas: ['src/schema', 'src/kinds', 'src/capabilities', 'src/manifest', 'src/dialect'],
    packages: any,
    isPure: false,
    rooms: ['.', 'read', 'http'],
  },
  // The platform by feature; the tables of all routes and jobs are at the top.
  'src/server': {
    areas: ['src/schema', 'src/kinds', 'src/patch', 'src/dialect', 'src/hcl', 'src/sandbox'],
    packages: any,
    isPure: false,
    rooms: [
      '.',
      'store/postgres',
      'store/sqlite',
      'volumes/routes',
      'api/routes',
      'api/exporters',
      'domains/routes',
      'workloads/routes',
      'commands/routes',
      'audit/routes',
      'records/routes',
      'access/routes',
      'tasks/routes',
      'tasks',
      'query/pages',
      'records',
      'commands',
      'workloads',
      'volumes',
      'records/derived',
      'domains',
      'volumes/state',
      'cron',
      'api/snapshot',
      'http/dispatch',
      'audit',
      'commands/decisions',
      'audit/decisions',
      'api/openapi',
      'access',
      'tasks/decisions',
      'records/shown',
      'domains/decisions',
      'core',
      'store/sealing',
      'records/decisions',
      'workloads/decisions',
      'cron/decisions',
      'store/model',
      'volumes/decisions',
      'access/decisions',
      'query/decisions',
      'http',
      'http/faults',
    ],
  },
  'src/rehearsal': {
    areas: [
      'src/schema',
      'src/kinds',
      'src/capabilities',
      'src/manifest',
      'src/plan',
      'src/change',
      'src/apply',
      'src/client',
      'src/server',
    ],
    packages: any,
    isPure: false,
    rooms: ['.'],
  },
  // What is known before a plan is made: settings, inputs, the stack, the way to the platform.
  'src/project': {
    areas: [
      'src/schema',
      'src/kinds',
      'src/capabilities',
      'src/manifest',
      'src/dialect',
      'src/plan',
      'src/change',
      'src/apply',
      'src/client',
      'src/server',
      'constructs',
    ],
    packages: any,
    isPure: false,
    rooms: ['platform', 'settings', 'inputs', 'stack', 'outside', 'files', 'process', 'session'],
  },
  'src/signing': { areas: ['src/plan', 'src/change', 'src/project'], packages: any, isPure: false, rooms: ['.'] },
  'src/policies': {
    areas: [
      'src/schema',
      'src/kinds',
      'src/capabilities',
      'src/manifest',
      'src/patch',
      'src/plan',
      'src/change',
      'constructs',
      'generated',
      'src/sandbox',
      'src/project',
    ],
    packages: any,
    isPure: false,
    rooms: ['sandbox', 'run', 'verdict', 'settings', 'rules', 'starter', 'model'],
  },
  'src/integrations': {
    areas: ['src/schema', 'src/plan', 'src/client', 'src/project'],
    packages: any,
    isPure: false,
    rooms: ['.'],
  },
  // The steps that commands, programs and tests take.
  'src/gantry': {
    areas: [
      'src/schema',
      'src/kinds',
      'src/capabilities',
      'src/manifest',
      'src/patch',
      'src/dialect',
      'src/plan',
      'src/change',
      'src/hcl',
      'src/apply',
      'src/client',
      'src/server',
      'src/rehearsal',
      'src/project',
      'src/signing',
      'src/policies',
      'constructs',
    ],
    packages: any,
    isPure: false,
    rooms: ['.', 'adopting', 'reading', 'terraform', 'savedPlan', 'applying', 'loading', 'planning'],
  },
  // `gantry reconcile`: keeps stacks as their code says.
  'src/reconcile': {
    areas: [
      'src/schema',
      'src/kinds',
      'src/manifest',
      'src/plan',
      'src/change',
      'src/apply',
      'src/client',
      'src/project',
      'src/signing',
      'src/policies',
      'src/report',
      'src/integrations',
      'src/gantry',
    ],
    packages: any,
    isPure: false,
    rooms: ['http', 'work', 'operations', 'webhooks', 'sources', 'store', 'decisions', '.'],
  },
  // The process that Terraform starts.
  'src/provider': {
    areas: [
      'src/schema',
      'src/kinds',
      'src/capabilities',
      'src/manifest',
      'src/patch',
      'src/dialect',
      'src/plan',
      'src/change',
      'src/hcl',
      'src/apply',
      'src/client',
      'src/server',
      'src/project',
    ],
    packages: any,
    isPure: false,
    rooms: ['.', 'services', 'parts', 'changes', 'plan', 'platform', 'host', 'protocol'],
  },
  // What a command line is made of: options, answers, the terminal, the process.
  'src/terminal': {
    areas: ['src/schema', 'src/manifest', 'src/project'],
    packages: any,
    isPure: false,
    rooms: ['line', 'answer', '.', 'process'],
  },
  // `gantry KIND VERB`.
  'src/commands': {
    areas: [
      'src/schema',
      'src/kinds',
      'src/capabilities',
      'src/manifest',
      'src/patch',
      'src/dialect',
      'src/change',
      'src/client',
      'src/project',
      'src/terminal',
    ],
    packages: any,
    isPure: false,
    rooms: ['.', 'table', 'run', 'output', 'call'],
  },
  'src/testing': {
    areas: [
      'src/schema',
      'src/kinds',
      'src/manifest',
      'src/patch',
      'src/plan',
      'src/change',
      'src/automation.ts',
      'constructs',
      'generated',
    ],
    packages: ['constructs', 'node:assert', 'node:fs', '#validators/*'],
    isPure: false,
    rooms: ['.'],
  },
  'src/runners': { areas: ['src/testing.ts'], packages: ['vitest', '@jest/globals'], isPure: false, rooms: ['.'] },
  'src/cli': {
    areas: [
      'src/schema',
      'src/kinds',
      'src/capabilities',
      'src/manifest',
      'src/patch',
      'src/dialect',
      'src/plan',
      'src/change',
      'src/hcl',
      'src/apply',
      'src/client',
      'src/server',
      'src/rehearsal',
      'src/project',
      'src/signing',
      'src/policies',
      'src/integrations',
      'src/gantry',
      'src/reconcile',
      'src/provider',
      'src/report',
      'src/terminal',
      'src/commands',
      'constructs',
    ],
    packages: any,
    isPure: false,
    rooms: [
      '.',
      'executable',
      'commands/schema',
      'commands/terraform',
      'commands/add',
      'commands/convert',
      'commands/adopt',
      'commands/ci',
      'commands/apply',
      'commands/approve',
      'commands/destroy',
      'commands/dev',
      'commands/doctor',
      'commands/drift',
      'commands/explain',
      'commands/help',
      'commands/init',
      'commands/plan',
      'commands/policy',
      'commands/promote',
      'commands/reconcile',
      'commands/graph',
      'commands/rules',
      'commands/serve',
      'commands/show',
      'commands/output',
      'commands/status',
      'commands/synth',
      'commands/undo',
      'commands/validate',
      'newFiles',
      'completion',
      'savedPlan',
      'applying',
      'notifying',
      'planText',
      'reports',
      'line',
    ],
  },
  browser: {
    areas: ['src/schema', 'src/kinds', 'src/patch', 'src/plan', 'src/change', 'src/report', 'src/reconcile'],
    packages: ['preact', 'd3-selection', 'd3-shape', 'd3-zoom', 'diff'],
    isPure: false,
    rooms: ['console', 'fleet', 'live', 'report', 'report/plan', 'report/picture', 'report/parts'],
  },
  // The entries of the package: a file each.
  'src/index.ts': {
    areas: ['src/schema', 'src/kinds', 'src/manifest', 'src/plan', 'constructs', 'generated'],
    packages: [],
    isPure: true,
    rooms: ['.'],
  },
  'src/policies.ts': {
    areas: ['src/schema', 'src/plan', 'src/change', 'src/policies'],
    packages: [],
    isPure: true,
    rooms: ['.'],
  },
  'src/automation.ts': {
    areas: ['src/manifest', 'src/plan', 'src/change', 'src/apply', 'src/rehearsal', 'src/project', 'src/gantry'],
    packages: [],
    isPure: false,
    rooms: ['.'],
  },
  'src/testing.ts': { areas: ['src/testing', 'constructs'], packages: [], isPure: false, rooms: ['.'] },
};

/**
 * Arrows that the areas do not allow and that are there, direct ones and those by way of another area. The list only
 * shrinks: an entry that nothing needs any more is refused.
 */
export const exceptions: readonly (readonly [from: string, to: string])[] = [
  // Options of a command are permits of a plan, and problems are written in the form of documents.
  ['src/terminal', 'src/plan'],
  ['src/terminal', 'src/change'],
  // `gantry KIND edit` writes as a run does: the forms of a PATCH, and the check of its reply.
  ['src/commands', 'src/plan'],
  ['src/commands', 'src/apply'],
];

/**
 * The features of the platform that decide something, and who decides by it too: the folders of `src/server/` that import
 * the decisions of a feature beside their own. What else is behind a feature, its routes and its jobs, only the tables of
 * all routes and all jobs import.
 */
export const decisionsUsed: Readonly<Record<string, readonly string[]>> = {
  access: ['records', 'store'],
  audit: ['api', 'commands', 'http', 'query', 'store', 'volumes', 'workloads'],
  commands: ['audit', 'cron', 'volumes'],
  cron: ['volumes', 'workloads'],
  domains: ['records'],
  query: ['access', 'commands', 'records'],
  records: ['audit', 'core'],
  tasks: ['access', 'records'],
  volumes: ['audit', 'records', 'store'],
  workloads: ['core', 'records'],
};

/** Pure folders of areas that are not. */
// biome-ignore format: a row is an area
export const pureFolders: readonly string[] = [
  'src/policies/model', 'src/policies/rules', 'src/policies/settings', 'src/policies/starter', 'src/policies/verdict',
  'src/policies/run', ...Object.keys(decisionsUsed).map((feature) => `src/server/${feature}/decisions`),
  'src/reconcile/decisions', 'src/server/api/exporters', 'src/server/api/openapi', 'src/server/api/snapshot',
  'src/server/http/faults',
];
