import { expect } from 'vitest';
import type { Scenario } from '../harness/scenario.ts';
import { addressStates } from './addressStates.ts';

const stack = (link: string, loadBalancer: string) => `
kind: ipset
name: front
spec:
${link}  locations:
    - {name: /org/local/location/aws-us-west-2, retentionPolicy: keep}
    - {name: //location/gcp-us-east1, retentionPolicy: free}
---
kind: gvc
name: balanced
spec:
  staticPlacement: {locationLinks: [//location/aws-us-west-2, //location/gcp-us-east1]}
  loadBalancer: ${loadBalancer}
`;

const locations = [
  { name: '/org/local/location/aws-us-west-2', retentionPolicy: 'keep' },
  { name: '/org/local/location/gcp-us-east1', retentionPolicy: 'free' },
];
const path = '/org/local/ipset/front';

export const scenario: Scenario = {
  number: 24,
  title: 'IP set both ways',
  steps: [
    {
      it: 'the set links to a GVC whose load balancer points back: a cycle of soft edges',
      manifests: stack('  link: //gvc/balanced\n', '{dedicated: true, ipSet: //ipset/front}'),
      actions: { 'gvc/balanced': 'create', 'ipset/front': 'create' },
      live: {
        [path]: { name: 'front', description: 'front', tags: {}, spec: { link: '/org/local/gvc/balanced', locations } },
        '/org/local/gvc/balanced': {
          name: 'balanced',
          description: 'balanced',
          tags: {},
          spec: {
            endpointNamingFormat: 'org',
            staticPlacement: {
              locationLinks: ['/org/local/location/aws-us-west-2', '/org/local/location/gcp-us-east1'],
            },
            loadBalancer: { dedicated: true, ipSet: '/org/local/ipset/front' },
          },
        },
      },
      // Each side names the other, so that an address is in use in each location, and DELETE is refused
      // (platform/ipset).
      async after(platform) {
        expect(addressStates(await platform.call('GET', path))).toEqual(['bound', 'bound']);
        expect((await platform.call('DELETE', path)).status).toBe(400);
        expect((await platform.call('GET', path)).status).toBe(200);
      },
    },
    {
      it: 'one retention policy changes, by its location',
      manifests: stack('  link: //gvc/balanced\n', '{dedicated: true, ipSet: //ipset/front}').replace(
        'retentionPolicy: free',
        'retentionPolicy: keep',
      ),
      actions: { 'ipset/front': 'patch' },
      patches: {
        'ipset/front': {
          spec: { '$patch/locations': [{ name: '/org/local/location/gcp-us-east1', retentionPolicy: 'keep' }] },
        },
      },
    },
    {
      it: 'unlinks both ways',
      manifests: stack('', '{dedicated: true}').replace('retentionPolicy: free', 'retentionPolicy: keep'),
      actions: { 'gvc/balanced': 'patch', 'ipset/front': 'patch' },
      patches: {
        'ipset/front': { spec: { $drop: ['link'] } },
        'gvc/balanced': { spec: { loadBalancer: { $drop: ['ipSet'] } } },
      },
    },
    { it: 'and deletes', actions: {}, live: { [path]: null, '/org/local/gvc/balanced': null } },
  ],
};
