import { type Gvc, Workload } from 'gantry';

export interface ServiceOptions {
  readonly image: string;
  /** The most replicas. */
  readonly maxScale?: number;
}

/** A web service that scales with its requests, down to none. */
export function addService(gvc: Gvc, { image, maxScale = 5 }: ServiceOptions): Workload {
  return new Workload(gvc, 'web', {
    type: 'serverless',
    containers: [
      {
        name: 'web',
        image,
        cpu: '100m',
        memory: '128Mi',
        ports: [{ number: 8080, protocol: 'http' }],
        readinessProbe: { httpGet: { path: '/', port: 8080 } },
      },
    ],
    defaultOptions: { autoscaling: { metric: 'concurrency', target: 100, minScale: 0, maxScale } },
    firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'] } },
  });
}
