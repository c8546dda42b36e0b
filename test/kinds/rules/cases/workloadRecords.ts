import type { JsonObject, JsonValue } from '../../../../src/base/json/json.ts';
import { other } from '../ruleCase.ts';

export const main = { name: 'main', image: 'web:1' };
export const http = { ...main, ports: [{ number: 8080 }] };

/** A workload of a type with one container. */
export const of = (
  type: string,
  container: JsonObject = {},
  spec: JsonObject = {},
  fields: JsonObject = {},
): JsonObject => ({
  name: 'web',
  ...fields,
  spec: {
    type,
    containers: [{ ...(type === 'serverless' ? http : main), ...container }],
    ...(type === 'cron' ? { job: { schedule: '* * * * *' } } : {}),
    ...spec,
  },
});
export const withContainers = (...containers: JsonObject[]): JsonObject => ({
  name: 'web',
  spec: { type: 'standard', containers },
});
export const scaled = (type: string, autoscaling: JsonObject, options: JsonObject = {}, container: JsonObject = {}) =>
  of(type, container, { defaultOptions: { ...options, autoscaling } });
export const options = (type: string, defaultOptions: JsonObject) => of(type, {}, { defaultOptions });
export const balancer = (type: string, loadBalancer: JsonObject) => of(type, {}, { loadBalancer });
export const external = (value: JsonObject) => of('standard', {}, { firewallConfig: { external: value } });
export const filter = (value: JsonObject) => external({ http: { inboundHeaderFilter: [{ key: 'x-a', ...value }] } });
export const mounts = (...volumes: [uri: string, path: string][]) =>
  of('standard', { volumes: volumes.map(([uri, path]) => ({ uri, path })) });
export const probe = (readinessProbe: JsonValue) => of('standard', { readinessProbe });
export const gpu = (model: string, cpu: string, memory: string, quantity = 1) =>
  of('standard', { cpu, memory, gpu: { nvidia: { model, quantity } } });
export const local = (...names: string[]) =>
  of('standard', {}, { localOptions: names.map((location) => ({ location, spot: true })) });
const trigger = { type: 'redis', name: 'queue', metadata: { list: 'jobs' } };
export const keda = (block: JsonObject, more: JsonObject = {}) => ({
  metric: 'keda',
  keda: { triggers: [trigger], ...block },
  ...more,
});
export const authenticated = (name: string) => keda({ triggers: [{ ...trigger, authenticationRef: { name } }] });

export const c = 'spec.containers.main';
export const scaling = 'spec.defaultOptions.autoscaling';
export const multi = [{ metric: 'cpu', target: 70 }];
export const shop = (spec: JsonObject) => other('gvc', 'shop', { spec });
export const kedaOn = shop({ keda: { enabled: true, secrets: ['//secret/queue'] } });
export const ext4 = other('volumeset', 'rows', { spec: { fileSystemType: 'ext4' } });
export const shared = other('volumeset', 'files', { spec: { fileSystemType: 'shared' } });
export const rows = { volumes: [{ uri: 'scheme://volumeset/rows', path: '/rows' }] };
export const files = { volumes: [{ uri: 'scheme://volumeset/files', path: '/files' }] };
export const placed = shop({ staticPlacement: { locationLinks: ['//location/aws-us-east-1'] } });
