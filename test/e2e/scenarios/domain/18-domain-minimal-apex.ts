import { tmpdir } from 'node:os';
import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { cipherSuites } from '../../../cipherSuites.ts';
import { inProcess } from '../../harness/inProcess.ts';
import type { Scenario } from '../../harness/scenario.ts';

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
      it: 'fills cname, port 443 over http2, and its TLS settings (platform/domain.tls)',
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
            ports: [{ number: 443, protocol: 'http2', tls: { minProtocolVersion: 'TLSV1_2', cipherSuites } }],
          },
        },
      },
    },
    {
      it: 'the filled fields, written out with the suites in another order, are no change',
      manifests: stack(`{minProtocolVersion: TLSV1_2, cipherSuites: [${[...cipherSuites].reverse().join(', ')}]}`),
      actions: {},
    },
    { it: 'a domain without a spec means the same', manifests: '\nkind: domain\nname: apex-shop.com\n', actions: {} },
    {
      it: 'another TLS version is a change of one leaf, by the port number',
      manifests: stack('{minProtocolVersion: TLSV1_3}'),
      actions: { 'domain/apex-shop.com': 'patch' },
      patches: {
        'domain/apex-shop.com': { spec: { '$patch/ports': [{ number: 443, tls: { minProtocolVersion: 'TLSV1_3' } }] } },
      },
    },
    {
      it: 'import writes the shortest manifest: it omits filled fields and comments on them',
      manifests: stack('{minProtocolVersion: TLSV1_3}'),
      actions: {},
      after: async (platform) => {
        const ports = (tls: JsonObject) => ({ ports: [{ tls }] });
        const domains = [
          { name: 'plain-shop.com', spec: ports({}), is: '' },
          {
            name: 'strict-shop.com',
            spec: ports({ minProtocolVersion: 'TLSV1_3' }),
            is: 'spec:\n  ports:\n    - number: 443\n      tls:\n        minProtocolVersion: TLSV1_3\n',
          },
        ];
        for (const { name, spec, is } of domains) {
          expect((await platform.call('POST', '/org/local/domain', { name, spec })).status).toBe(201);
          const imported = await inProcess(platform, ['adopt', `domain/${name}`], { cwd: tmpdir() });
          expect(imported.stderr).not.toContain('error');
          expect(imported.stdout).toBe(`kind: domain\nname: ${name}\n${is}`);
        }
      },
    },
  ],
};
