/**
 * A component that teams share: PublicApi is one line in a stack, and six resources on the platform. Its own test is
 * beside it: `node --test examples/components/publicApi.test.ts`. Try the stack with `npx gantry apply examples/components --embedded`.
 */
import { App, Gvc, Secret, Stack } from 'gantry';
import { PublicApi } from './publicApi.ts';

const stack = new Stack(new App(), 'components');
const gvc = new Gvc(stack, 'components', { locations: ['aws-eu-central-1'] });
const payments = new Secret(stack, 'payments-key', {
  type: 'opaque',
  data: { payload: process.env['PAYMENTS_KEY'] ?? 'development-only' },
});

new PublicApi(gvc, 'orders', {
  image: 'registry.example.com/orders:3.2',
  host: 'orders.example.com',
  secrets: { PAYMENTS_KEY: payments },
});
new PublicApi(gvc, 'catalog', {
  image: 'registry.example.com/catalog:1.8',
  host: 'catalog.example.com',
  replicas: { min: 3, max: 12 },
});
