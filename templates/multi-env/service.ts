import { type Gvc, Workload } from 'gantry';

/** What differs from one environment to the next: `values` in gantry.yaml. */
export interface Values {
  readonly version: string;
  readonly locations: readonly string[];
  /** The most replicas in each location. */
  readonly maxScale: number;
}

/** The same service in every environment. */
export function addService(gvc: Gvc, environment: string, { version, maxScale }: Values): Workload {
  return new Workload(gvc, 'web', {
    type: 'serverless',
    containers: [
      {
        name: 'web',
        image: `registry.example.com/sample:${version}`,
        cpu: '100m',
        memory: '128Mi',
        ports: [{ number: 8080, protocol: 'http' }],
        env: [{ name: 'ENVIRONMENT', value: environment }],
        readinessProbe: { httpGet: { path: '/', port: 8080 } },
      },
    ],
    defaultOptions: { autoscaling: { metric: 'concurrency', target: 100, minScale: 0, maxScale } },
    firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'] } },
  });
}
