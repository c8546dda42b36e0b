import type { JsonObject } from '../../../../src/base/json/json.ts';
import { batch, container, specOf } from '../../harness/fixtures.ts';

/** A record that a rule refuses. */
export interface Refusal {
  readonly rule: string;
  readonly wrong: JsonObject;
  /** The same record with the least change that makes it valid; undefined if another row covers that. */
  readonly right?: JsonObject;
}

const one = (more: JsonObject): JsonObject => ({ containers: [container(more)] });
const standard = (more: JsonObject): JsonObject => specOf('standard', more);
const side: JsonObject = { name: 'side', image: 'shop/side:1' };
const options = (more: JsonObject): JsonObject => ({ defaultOptions: more });
const gpu = { gpu: { nvidia: { model: 't4', quantity: 1 } } };

/** Refusals of workloads (platform/workload.rules). */
// biome-ignore format: one case a line
export const workloadRefusals: readonly Refusal[] = [
  { rule: 'W3 port and ports', wrong: standard(one({ port: 8081 })) },
  { rule: 'W4 a port twice', wrong: standard({ containers: [container(), { ...side, ports: [{ number: 8080 }] }] }),
    right: standard({ containers: [container(), { ...side, ports: [{ number: 8081 }] }] }) },
  { rule: 'W6 serverless with ports on two containers',
    wrong: specOf('serverless', { containers: [container(), { ...side, ports: [{ number: 8081 }] }] }),
    right: specOf('serverless', { containers: [container(), side] }) },
  { rule: 'W7 serverless with another PORT', wrong: specOf('serverless', one({ env: [{ name: 'PORT', value: '80' }] })),
    right: specOf('serverless', one({ env: [{ name: 'PORT', value: '8080' }] })) },
  { rule: 'W9 cron with a probe', wrong: specOf('cron', { containers: [
    batch({ livenessProbe: { exec: { command: ['true'] } } })] }) },
  { rule: 'W12 cron with minCpu', wrong: specOf('cron', { containers: [batch({ minCpu: '25m' })] }) },
  { rule: 'W16 stateful to zero', wrong: specOf('stateful',
    options({ capacityAI: false, autoscaling: { metric: 'cpu', minScale: 0 } })) },
  { rule: 'W17 minScale above maxScale', wrong: standard(options({ autoscaling: { minScale: 4, maxScale: 3 } })),
    right: standard(options({ autoscaling: { minScale: 3, maxScale: 3 } })) },
  { rule: 'W20 Capacity AI with metric cpu',
    wrong: standard(options({ capacityAI: true, autoscaling: { metric: 'cpu' } })),
    right: standard(options({ capacityAI: false, autoscaling: { metric: 'cpu' } })) },
  { rule: 'W22 minCpu above cpu', wrong: standard(one({ cpu: '50m', minCpu: '60m' })),
    right: standard(one({ cpu: '60m', minCpu: '60m' })) },
  { rule: 'W23 too much memory for the CPU', wrong: standard(one({ cpu: '50m', memory: '401Mi' })),
    right: standard(one({ cpu: '50m', memory: '400Mi' })) },
  { rule: 'W25 a GPU with too little CPU', wrong: standard(one({ cpu: '1', memory: '7Gi', ...gpu })),
    right: standard(one({ cpu: '2', memory: '7Gi', ...gpu })) },
  { rule: 'W28 a volume at a reserved path', wrong: standard(one({ volumes: [{ uri: 's3://a', path: '/tmp' }] })),
    right: standard(one({ volumes: [{ uri: 's3://a', path: '/mnt' }] })) },
  { rule: 'W28 a volume at a relative path', wrong: standard(one({ volumes: [{ uri: 's3://a', path: 'mnt' }] })) },
  { rule: 'W29 a volume below another',
    wrong: standard(
      one({ volumes: [{ uri: 's3://a', path: '/a' }, { uri: 's3://b', path: '/a/b' }] })),
    right: standard(
      one({ volumes: [{ uri: 's3://a', path: '/a' }, { uri: 's3://b', path: '/ab' }] })) },
  { rule: 'W32 a variable twice', wrong: standard(
    one({ env: [{ name: 'A', value: '1' }, { name: 'A', value: '2' }] })) },
  { rule: 'W32 a reserved variable', wrong: standard(one({ env: [{ name: 'K_SERVICE', value: '1' }] })) },
  { rule: 'W32 a name with a space', wrong: standard(one({ env: [{ name: 'A B', value: '1' }] })) },
  { rule: 'W35 geo location without a header', wrong: standard({ loadBalancer: { geoLocation: { enabled: true } } }),
    right: standard({ loadBalancer: { geoLocation: { enabled: true, headers: { country: 'x-country' } } } }) },
  { rule: 'W38 a location twice',
    wrong: standard({ localOptions: [{ location: 'aws-us-east-1' }, { location: '//location/aws-us-east-1' }] }),
    right: standard({ localOptions: [{ location: 'aws-us-east-1' }, { location: 'gcp-us-east1' }] }) },
  { rule: 'W41 resources as in clusters', wrong: standard(one({ resources: { limits: { cpu: '1' } } })) },
  { rule: 'serverless beyond 600 seconds', wrong: specOf('serverless', options({ timeoutSeconds: 601 })),
    right: specOf('serverless', options({ timeoutSeconds: 600 })) },
  { rule: 'rollout with an unknown policy', wrong: standard({ rolloutOptions: { scalingPolicy: 'Random' } }),
    right: standard({ rolloutOptions: { scalingPolicy: 'Parallel', minReadySeconds: 5 } }) },
  { rule: 'a user id beyond 65534', wrong: standard({ securityOptions: { runAsUser: 65535 } }),
    right: standard({ securityOptions: { runAsUser: 65534, filesystemGroupId: 1 } }) },
  { rule: 'W39 maxUnavailableReplicas of stateful',
    wrong: specOf('stateful', { rolloutOptions: { maxUnavailableReplicas: '1' } }),
    right: standard({ rolloutOptions: { maxUnavailableReplicas: '1' } }) },
  { rule: 'a direct port that is too low', wrong: standard(direct(21)), right: standard(direct(22)) },
];

function direct(externalPort: number): JsonObject {
  return {
    loadBalancer: {
      direct: { enabled: true, ports: [{ externalPort, protocol: 'TCP', scheme: 'tcp', containerPort: 8080 }] },
    },
  };
}
