/** A service that keeps to the policies of its project. `gantry validate` asks them, and so do plan and apply. */
import { App, Domain, Gvc, Stack, Workload } from 'gantry';

const stack = new Stack(new App(), 'policies');
const gvc = new Gvc(stack, 'policies', { locations: ['aws-eu-central-1'] });
const resources = { cpu: '250m', memory: '256Mi' } as const;

const web = new Workload(gvc, 'web', {
  type: 'standard',
  tags: { owner: 'shop-team' },
  containers: [
    {
      name: 'web',
      image: 'registry.example.com/web:1.4.0',
      ...resources,
      ports: [{ number: 8080, protocol: 'http' }],
      readinessProbe: { httpGet: { path: '/ready' } },
      livenessProbe: { tcpSocket: { port: 8080 } },
    },
  ],
  firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'] } },
});

new Workload(gvc, 'cache', {
  type: 'standard',
  tags: { owner: 'shop-team' },
  containers: [{ name: 'cache', image: 'redis:7.4', ...resources }],
});

const domain = new Domain(stack, 'domain', { name: 'policies.example.com', dnsMode: 'cname' });
domain.route('/', web, { port: 8080 });
