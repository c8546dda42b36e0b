import type { JsonObject } from '../../../base/json/json.ts';

/**
 * The service names that clients look up. All are served at this address (platform/wire.discovery), exporters below
 * their own path.
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
 * The service addresses for a client that uses `base` (`http://127.0.0.1:4480`; relative if empty). `directives`: all
 * directives of a PATCH are supported, so that plans may use all list keys. `preconditions`: a PATCH with a different
 * `id` or `version` is refused, so that clients need not check first. `dryRun`: a write of records with `?dryRun=true`
 * stores nothing. `reveal`: secrets have `-reveal`. `versions`: a new record has version 1, and each write that changes
 * it adds one. `items`: lists and queries show whole records. `values`: defaults are as documented and values are
 * stored as written, so that clients need not infer other behavior from records. `status`: the status of a ready
 * workload belongs to its version.
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
    reveal: 'honoured',
    versions: 'plus-one',
    items: 'whole',
    values: 'documented',
    status: 'with-readiness',
  };
}
