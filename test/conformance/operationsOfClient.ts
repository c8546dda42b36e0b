/**
 * The operations of a command-line client and their options, copied by hand from section 4.6 of the specification.
 * Each has a row that runs it (`rows/clients/commands.ts`).
 */
export interface Operation {
  /** KIND of `gantry KIND VERB`. */
  readonly kind: string;
  readonly verb: string;
  readonly options?: readonly string[];
  /** The row that runs it. */
  readonly row: string;
}

/** Subcommands of kinds, including those that some kinds lack. */
const generic: readonly Omit<Operation, 'kind'>[] = [
  { verb: 'access-report', row: 'access-report' },
  { verb: 'audit', options: ['--subject', '--context', '--since', '--from', '--to'], row: 'audit' },
  { verb: 'clone', options: ['--name'], row: 'clone' },
  { verb: 'create', row: 'create' },
  { verb: 'delete', row: 'delete' },
  { verb: 'edit', options: ['--replace'], row: 'edit' },
  { verb: 'eventlog', row: 'eventlog' },
  { verb: 'get', row: 'get' },
  { verb: 'patch', options: ['--file'], row: 'patch' },
  { verb: 'permissions', row: 'permissions' },
  { verb: 'query', options: ['--match', '--property', '--tag', '--rel'], row: 'query' },
  { verb: 'tag', row: 'tag' },
  { verb: 'update', row: 'update' },
];

/** The kinds that have all of them. */
const full = ['gvc', 'workload', 'domain', 'volumeset', 'identity', 'ipset', 'group', 'serviceaccount', 'auditctx'];

// biome-ignore format: a row is a case
const special: readonly Operation[] = [
  { kind: 'gvc', verb: 'add-location', row: 'gvc add-location' },
  { kind: 'gvc', verb: 'remove-location', row: 'gvc add-location' },
  { kind: 'gvc', verb: 'delete-all-workloads', row: 'gvc delete-all-workloads' },
  { kind: 'gvc', verb: 'create', options: ['--name', '--location', '--env', '--tag', '--description'], row: 'gvc create' },
  { kind: 'gvc', verb: 'delete', options: ['--force'], row: 'gvc delete --force' },
  { kind: 'ipset', verb: 'add-location', row: 'ipset locations' },
  { kind: 'ipset', verb: 'remove-location', row: 'ipset locations' },
  { kind: 'ipset', verb: 'update-location', row: 'ipset locations' },
  { kind: 'ipset', verb: 'create', options: ['--link', '--location'], row: 'ipset create' },
  { kind: 'group', verb: 'add-member', options: ['--email', '--serviceaccount'], row: 'group add-member' },
  { kind: 'group', verb: 'remove-member', row: 'group add-member' },
  { kind: 'group', verb: 'create',
    options: ['--query-match', '--query-property', '--query-tag', '--query-rel', '--query-kind'], row: 'group create' },
  { kind: 'serviceaccount', verb: 'add-key', options: ['--description'], row: 'serviceaccount keys' },
  { kind: 'serviceaccount', verb: 'remove-key', row: 'serviceaccount keys' },
  { kind: 'identity', verb: 'get', options: ['--all-gvcs'], row: 'identity' },
  { kind: 'task', verb: 'complete', options: ['--answer'], row: 'task' },
  { kind: 'task', verb: 'delete', row: 'task' },
  { kind: 'task', verb: 'get', row: 'get' },
  { kind: 'task', verb: 'get-mine', row: 'task' },
  { kind: 'task', verb: 'permissions', row: 'permissions' },
  { kind: 'task', verb: 'query', row: 'query' },
  { kind: 'auditctx', verb: 'audit', row: 'auditctx audit' },
];

/** Whether the command exists: the platform deletes no audit context, so that has none (platform/clients.kinds). */
function isPossible(kind: string, verb: string): boolean {
  return kind !== 'auditctx' || verb !== 'delete';
}

export const operationsOfClient: readonly Operation[] = [
  ...full.flatMap((kind) =>
    generic.filter(({ verb }) => isPossible(kind, verb)).map((operation) => ({ ...operation, kind })),
  ),
  ...special,
];

/** Options of all commands, with their defaults. */
export const globalOptions: readonly { readonly option: string; readonly defaultText?: string }[] = [
  { option: '--profile' },
  { option: '--org' },
  { option: '--gvc' },
  { option: '--output' },
  { option: '-o' },
  { option: '--color' },
  { option: '--ts' },
  { option: '--max', defaultText: '50' },
  { option: '--token' },
  { option: '--endpoint' },
  { option: '--insecure' },
  { option: '-k' },
  { option: '--verbose' },
  { option: '-v' },
  { option: '--debug' },
  { option: '-d' },
];
