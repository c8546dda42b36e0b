import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { cipherSuites } from '../../../cipherSuites.ts';
import { at, type Scenario } from '../../harness/scenario.ts';

const services = `
kind: gvc
name: wide
spec:
  staticPlacement: {locationLinks: [//location/aws-us-west-2]}
  loadBalancer: {dedicated: true}
---
kind: gvc
name: plain
---
kind: workload
gvc: wide
name: web
spec: {type: serverless, containers: [{name: main, image: "registry.example.com/web:1", ports: [{number: 8080}]}]}
---
kind: workload
gvc: wide
name: next
spec: {type: serverless, containers: [{name: main, image: "registry.example.com/web:2", ports: [{number: 8080}]}]}
---
kind: workload
gvc: wide
name: store
spec: {type: stateful, containers: [{name: main, image: "registry.example.com/db:1", ports: [{number: 5432, protocol: tcp}]}]}
---
kind: workload
gvc: plain
name: other
spec: {type: standard, containers: [{name: main, image: "registry.example.com/other:1", ports: [{number: 8080}]}]}
---
`;

const stack = (percent: number) => `${services}
kind: domain
name: extras-shop.com
spec:
  dnsMode: cname
  acceptAllSubdomains: true
  ports:
    - number: 443
      protocol: http2
      routes:
        - prefix: /
          hostPrefix: app.
          workloadLink: //gvc/wide/workload/web
          mirror: [{workloadLink: //gvc/wide/workload/next, percent: ${percent}}]
        - prefix: /beta
          workloadLink: //gvc/wide/workload/web
          canaries:
            - {workloadLink: //gvc/wide/workload/next, weight: 50}
            - {workloadLink: //gvc/wide/workload/web, weight: 0}
    - number: 5432
      protocol: tcp
      routes: [{prefix: /, workloadLink: //gvc/wide/workload/store, replica: 0}]
`;

const bad = (spec: string, name = 'bad-shop.com') => `${services}
kind: domain
name: ${name}
spec: ${spec}
`;

const web = '/org/local/gvc/wide/workload/web';
const next = '/org/local/gvc/wide/workload/next';
const tls = { minProtocolVersion: 'TLSV1_2', cipherSuites };

const live = (percent: number): JsonObject => ({
  name: 'extras-shop.com',
  description: 'extras-shop.com',
  tags: {},
  spec: {
    dnsMode: 'cname',
    acceptAllHosts: false,
    acceptAllSubdomains: true,
    ports: [
      {
        number: 443,
        protocol: 'http2',
        tls,
        routes: [
          {
            prefix: '/beta',
            workloadLink: web,
            canaries: [
              { workloadLink: next, weight: 50 },
              { workloadLink: web, weight: 0 },
            ],
          },
          { prefix: '/', hostPrefix: 'app.', workloadLink: web, mirror: [{ workloadLink: next, percent }] },
        ],
      },
      {
        number: 5432,
        protocol: 'tcp',
        routes: [{ prefix: '/', workloadLink: '/org/local/gvc/wide/workload/store', replica: 0 }],
      },
    ],
  },
});

const path = '/org/local/domain/extras-shop.com';
const route = (workload: string) => `{prefix: /, workloadLink: ${workload}}`;

export const scenario: Scenario = {
  number: 20,
  title: 'domain extras',
  steps: [
    {
      it: 'mirror, canaries, a TCP port without TLS, and a host prefix',
      manifests: stack(25.5),
      actions: {
        'domain/extras-shop.com': 'create',
        'gvc/plain': 'create',
        'gvc/wide': 'create',
        'workload/plain/other': 'create',
        'workload/wide/store': 'create',
        'workload/wide/next': 'create',
        'workload/wide/web': 'create',
      },
      live: { [path]: live(25.5) },
    },
    {
      it: 'the mirrored share changes by port, route and workload',
      manifests: stack(50),
      actions: { 'domain/extras-shop.com': 'patch' },
      live: { [path]: live(50) },
    },
    {
      it: 'a route to a workload that does not exist is accepted, with a warning (D18)',
      manifests: `${stack(50).replace('//gvc/wide/workload/store, replica: 0', '//gvc/wide/workload/ghost')}`,
      actions: { 'domain/extras-shop.com': 'patch' },
      after: async (platform) => {
        const { body } = await platform.call('GET', path);
        expect(at(body, 'status', 'status')).toBe('warning');
      },
    },
  ],
  doubtful: [
    {
      it: 'both accept-all switches (D8)',
      manifests: bad('{acceptAllHosts: true, acceptAllSubdomains: true}'),
      warnings: ['D8'],
    },
  ],
  negatives: [
    {
      it: 'gvcLink beside routes (D2)',
      manifests: bad(`{gvcLink: //gvc/wide, ports: [{routes: [${route('//gvc/wide/workload/web')}]}]}`),
      rules: ['D2'],
    },
    { it: 'an apex in ns mode (D4)', manifests: bad('{dnsMode: ns}'), rules: ['D4'] },
    {
      it: 'ns with http01 (D5)',
      manifests: bad('{dnsMode: ns, certChallengeType: http01}', 'sub.bad-shop.com'),
      rules: ['D5'],
    },
    {
      it: 'a workload link to a workload that is not stateful (D7)',
      manifests: bad(
        `{workloadLink: //gvc/wide/workload/web, certChallengeType: dns01, ports: [{routes: [${route('//gvc/wide/workload/web')}]}]}`,
      ),
      rules: ['D7'],
    },
    {
      it: 'a host prefix without an accept-all switch (D9)',
      manifests: bad('{ports: [{routes: [{prefix: /, hostPrefix: a., workloadLink: //gvc/wide/workload/web}]}]}'),
      rules: ['D9'],
    },
    {
      it: 'prefix and regex together, and the same prefix twice (D10)',
      manifests: bad(
        `{ports: [{routes: [{prefix: /a, regex: "/b", workloadLink: //gvc/wide/workload/web}, ${route('//gvc/wide/workload/web')}, ${route('//gvc/wide/workload/next')}]}]}`,
      ),
      rules: ['D10'],
    },
    {
      it: 'routes into two GVCs (D3)',
      manifests: bad(
        `{ports: [{routes: [${route('//gvc/wide/workload/web')}, {prefix: /b, workloadLink: //gvc/plain/workload/other}]}]}`,
      ),
      rules: ['D3'],
    },
  ],
};
