import { Gvc, type Stack, Workload } from 'gantry';

export interface ServiceOptions {
  readonly image: string;
  /** The most replicas. */
  readonly maxScale?: number;
}

/** A web service that scales with its requests, down to none. */
export function addService(stack: Stack, { image, maxScale = 5 }: ServiceOptions): Workload {
  const gvc = new Gvc(stack, 'sample', { locations: ['aws-eu-central-1'] });
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
