import { App, Gvc, Stack, Workload } from 'gantry';

const app = new App();
const stack = new Stack(app, 'hello');
const gvc = new Gvc(stack, 'hello', { locations: ['aws-eu-central-1'] });

new Workload(gvc, 'web', {
  type: 'serverless',
  containers: [{ name: 'main', image: 'registry.example.com/hello:1', ports: [{ number: 8080, protocol: 'http' }] }],
  firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'] } },
});

export default app;
