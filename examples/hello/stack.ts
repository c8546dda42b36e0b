/** The smallest stack: one GVC and one web service in it. Try it with `npx gantry apply examples/hello --embedded`. */
import { App, Gvc, Stack, Workload } from 'gantry';

const stack = new Stack(new App(), 'hello');
const gvc = new Gvc(stack, 'hello', { locations: ['aws-eu-central-1'] });

new Workload(gvc, 'web', {
  type: 'serverless',
  containers: [{ name: 'web', image: 'nginx:1.27', ports: [{ number: 80, protocol: 'http' }] }],
  firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'] } },
});
