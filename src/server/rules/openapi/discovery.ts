import type { JsonObject } from '../../../schema/json/json.ts';

/**
 * Everything that clients look for answers here (platform/wire.discovery); the exporters have a path of their own below
 * it.
 */
const names = [
  'audit',
  'billing',
  'billing-ng',
  'browser',
  'byok',
  'console',
  'grafana',
  'hub',
  'logs',
  'mcp',
  'metering',
  'metrics',
  'metrics-ng',
  'registry',
  'tracing',
] as const;

/** Appended to the base address; a self link follows (`GET {url}{selfLink}`, platform/wire.discovery). */
export const terraformPath = '/-exporter/terraform';
export const customResourcePath = '/-exporter/crd';

/**
 * Where the services are, for a client that reached us under `base` (`http://127.0.0.1:4480`; empty: relative).
 * `directives`: every directive of a PATCH is honoured here, so that planners may use all list keys. `preconditions`: a
 * PATCH with another `id` or `version` than the record's is refused, so that appliers need not ask. `dryRun`: a PUT
 * with `?dryRun=true` stores nothing, so that appliers can try a creation.
 */
export function discovery(base: string): JsonObject {
  const endpoints: [string, string][] = [
    ...names.map((name): [string, string] => [name, base]),
    ['terraform-exporter', `${base}${terraformPath}`],
    ['k8s-crd-exporter', `${base}${customResourcePath}`],
  ];
  return {
    endpoints: Object.fromEntries(endpoints),
    idp: { apiKey: '', authDomain: '', projectId: '' },
    directives: 'all',
    preconditions: 'honoured',
    dryRun: 'honoured',
  };
}
