import { expect } from 'vitest';
import { at, type Scenario } from '../../harness/scenario.ts';

export const scenario: Scenario = {
  number: 1,
  title: 'minimal GVC',
  steps: [
    {
      it: 'creates a GVC from its name alone; the service fills the rest (platform/concepts.filled)',
      manifests: `
kind: gvc
name: minimal
`,
      actions: { 'gvc/minimal': 'create' },
      order: ['POST /org/local/gvc'],
      live: {
        '/org/local/gvc/minimal': {
          name: 'minimal',
          description: 'minimal',
          tags: {},
          spec: { endpointNamingFormat: 'org' },
        },
      },
      after: async (platform) => {
        const { body } = await platform.call('GET', '/org/local/gvc/minimal');
        expect(at(body, 'alias')).toMatch(/^[a-z0-9]{13}$/);
        expect(at(body, 'version')).toBe(1);
      },
    },
    {
      it: 'adds a location, a pull secret and two variables as one minimal patch',
      manifests: `
kind: gvc
name: minimal
spec:
  staticPlacement:
    locationLinks: [//location/aws-us-west-2]
  pullSecretLinks: [//secret/registry]
  env:
    - {name: LEVEL, value: info}
    - {name: REGION, value: west}
---
kind: secret
name: registry
type: docker
data: '{"auths":{"registry.example.com":{"auth":"dXNlcjpwYXNz"}}}'
`,
      actions: { 'gvc/minimal': 'patch', 'secret/registry': 'create' },
      patches: {
        'gvc/minimal': {
          spec: {
            staticPlacement: { locationLinks: ['//location/aws-us-west-2'] },
            pullSecretLinks: ['//secret/registry'],
            env: [
              { name: 'LEVEL', value: 'info' },
              { name: 'REGION', value: 'west' },
            ],
          },
        },
      },
      order: ['POST /org/local/secret', 'PATCH /org/local/gvc/minimal'],
      live: {
        '/org/local/gvc/minimal': {
          name: 'minimal',
          description: 'minimal',
          tags: {},
          spec: {
            endpointNamingFormat: 'org',
            staticPlacement: { locationLinks: ['/org/local/location/aws-us-west-2'] },
            pullSecretLinks: ['/org/local/secret/registry'],
            env: [
              { name: 'LEVEL', value: 'info' },
              { name: 'REGION', value: 'west' },
            ],
          },
        },
      },
    },
    {
      it: 'destroys both, the GVC before the secret that it pulls with',
      actions: {},
      order: ['DELETE /org/local/gvc/minimal', 'DELETE /org/local/secret/registry'],
      live: { '/org/local/gvc/minimal': null, '/org/local/secret/registry': null },
    },
  ],
};
