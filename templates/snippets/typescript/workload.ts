import { type Gvc, Workload } from 'gantry';

/** A web server of two to four replicas that anybody can reach. */
export function addSample(gvc: Gvc): Workload {
  return new Workload(gvc, 'sample', {
    type: 'standard',
    containers: [
      {
        name: 'main',
        image: 'registry.example.com/sample:1.0.0',
        cpu: '250m',
        memory: '256Mi',
        ports: [{ number: 8080, protocol: 'http' }],
        readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
      },
    ],
    defaultOptions: { autoscaling: { metric: 'cpu', target: 80, minScale: 2, maxScale: 4 }, capacityAI: false },
    firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'] } },
  });
}
