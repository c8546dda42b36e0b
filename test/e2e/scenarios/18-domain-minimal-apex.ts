import type { Scenario } from '../harness/scenario.ts';

const suites = [
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'AES256-GCM-SHA384',
  'AES128-GCM-SHA256',
];

const stack = (tls: string) => `
kind: domain
name: apex-shop.com
spec: {ports: [{tls: ${tls}}]}
`;

export const scenario: Scenario = {
  number: 18,
  title: 'domain, minimal apex',
  steps: [
    {
      it: 'fills cname, port 443 over http2, and its TLS settings (resources A.7, D20)',
      manifests: stack('{}'),
      actions: { 'domain/apex-shop.com': 'create' },
      live: {
        '/org/local/domain/apex-shop.com': {
          name: 'apex-shop.com',
          description: 'apex-shop.com',
          tags: {},
          spec: {
            dnsMode: 'cname',
            acceptAllHosts: false,
            acceptAllSubdomains: false,
            ports: [{ number: 443, protocol: 'http2', tls: { minProtocolVersion: 'TLSV1_2', cipherSuites: suites } }],
          },
        },
      },
    },
    {
      it: 'the refill, written out with the suites in another order, is no change',
      manifests: stack(`{minProtocolVersion: TLSV1_2, cipherSuites: [${[...suites].reverse().join(', ')}]}`),
      actions: {},
    },
    {
      it: 'a domain without any spec means the same',
      manifests: '\nkind: domain\nname: apex-shop.com\n',
      actions: {},
    },
    {
      it: 'another TLS version is a change of one leaf, by the port number',
      manifests: stack('{minProtocolVersion: TLSV1_3}'),
      actions: { 'domain/apex-shop.com': 'patch' },
      patches: {
        'domain/apex-shop.com': {
          spec: { '$patch/ports': [{ number: 443, tls: { minProtocolVersion: 'TLSV1_3' } }] },
        },
      },
    },
  ],
  pending: [{ it: 'import gives the same manifest', reason: 'gantry adopt comes with the guarantees issue' }],
};
