/**
 * What the outside sees: one domain that routes by path, by pattern and by host, CORS, TLS with client certificates,
 * and addresses that stay the same. Try it with `npx gantry apply examples/edge --embedded`.
 */
import { App, Domain, Gvc, IpSet, Secret, Stack, Workload } from 'gantry';

const stack = new Stack(new App(), 'edge');

// Addresses that outlive the workloads, for those who allow only known ones. GVC and IP set name each other.
const gvc = new Gvc(stack, 'edge', {
  locations: ['aws-eu-central-1'],
  loadBalancer: { dedicated: true, ipSet: '//ipset/edge-addresses' },
});
new IpSet(stack, 'edge-addresses', {
  link: gvc,
  locations: [{ name: '//location/aws-eu-central-1', retentionPolicy: 'keep' }],
});

function service(name: string): Workload {
  return new Workload(gvc, name, {
    type: 'standard',
    containers: [{ name, image: `registry.example.com/edge/${name}:5.1`, ports: [{ number: 8080, protocol: 'http' }] }],
    defaultOptions: { autoscaling: { metric: 'cpu', target: 80, minScale: 2, maxScale: 8 } },
    firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'] } },
  });
}
const [site, api, legacy, tenants] = [service('site'), service('api'), service('legacy'), service('tenants')];

// A sub-domain whose DNS the platform answers (`ns`) needs its apex in the org.
new Domain(stack, 'example.com');

// The first route that matches a request takes it, so the narrow ones come first.
new Domain(stack, 'edge.example.com', {
  dnsMode: 'ns',
  acceptAllSubdomains: true,
  ports: [
    {
      number: 443,
      protocol: 'http2',
      cors: {
        allowOrigins: [{ exact: 'https://app.example.com' }],
        allowMethods: ['GET', 'POST'],
        allowHeaders: ['authorization', 'content-type'],
        maxAge: '24h',
        allowCredentials: true,
      },
      tls: { minProtocolVersion: 'TLSV1_2' },
    },
  ],
})
  .route('/', tenants, { port: 8080, hostRegex: '^[a-z0-9-]+\\.tenants\\.edge\\.example\\.com$' })
  .routeRegex('^/v[12]/.*', legacy, { port: 8080 })
  .route('/api', api, { port: 8080, replacePrefix: '/' })
  .route('/', site, { port: 8080 });

// Partners show a certificate of this authority, or are refused. Set EDGE_PARTNERS_CA for anything but development.
const partners = new Secret(stack, 'edge-partners', {
  type: 'tls',
  data: { cert: process.env['EDGE_PARTNERS_CA'] ?? '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n' },
});
new Domain(stack, 'partners.example.com', {
  dnsMode: 'cname',
  ports: [
    {
      number: 443,
      protocol: 'http2',
      tls: { minProtocolVersion: 'TLSV1_3', clientCertificate: { secretLink: partners } },
    },
  ],
}).route('/', api, { port: 8080 });
