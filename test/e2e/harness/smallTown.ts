import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Platform } from './platform.ts';
import { clientView } from './scenario.ts';

/**
 * A stack with every kind of dependency: a GVC that refers to its own child (two steps), secrets before the policy that
 * reveals them before the workload that reads them, a volume set, an IP set, and a record that cannot be deleted.
 */
export function smallTown(image = 'registry.example.com/town:1', fileSystem = 'ext4'): string {
  return `
kind: secret
name: town-key
type: opaque
data: {payload: t0wn-k3y}
---
kind: group
name: town-people
---
kind: auditctx
name: town-ledger
lifecycle: {adopt: true}
---
kind: ipset
name: town-front
---
kind: gvc
name: town
description: ${image}
spec:
  staticPlacement:
    locationLinks: [//location/aws-us-west-2]
  keda:
    enabled: true
    identityLink: //gvc/town/identity/mayor
---
kind: identity
name: mayor
gvc: town
---
kind: policy
name: town-secrets
targetKind: secret
targetLinks: [//secret/town-key]
bindings:
  - permissions: [reveal]
    principalLinks: [//gvc/town/identity/mayor]
---
kind: volumeset
name: archive
gvc: town
lifecycle: {replace: true}
spec: {fileSystemType: ${fileSystem}, performanceClass: general-purpose-ssd, initialCapacity: 10}
---
kind: workload
name: hall
gvc: town
spec:
  type: stateful
  identityLink: //gvc/town/identity/mayor
  containers:
    - name: main
      image: ${image}
      cpu: 50m
      memory: 128Mi
      env:
        - {name: KEY, value: scheme://secret/town-key.payload}
      volumes:
        - {uri: scheme://volumeset/archive, path: /archive}
      ports: [{number: 80, protocol: tcp}]
  defaultOptions:
    capacityAI: false
---
kind: workload
name: market
gvc: town
spec:
  type: standard
  containers:
    - {name: main, image: '${image}', cpu: 50m, memory: 128Mi}
  defaultOptions:
    capacityAI: false
`;
}

/** Collections that the stack could have left records in. */
const collections = [
  '/org/local/secret',
  '/org/local/group',
  '/org/local/auditctx',
  '/org/local/ipset',
  '/org/local/gvc',
  '/org/local/identity',
  '/org/local/policy',
  '/org/local/volumeset',
  '/org/local/workload',
];

/** Every record with an owner by path, without fields of the server and tags of Gantry. */
export async function ownedRecords(platform: Platform): Promise<Readonly<Record<string, JsonObject>>> {
  const found: Record<string, JsonObject> = {};
  for (const path of collections) {
    const { body } = await platform.call('GET', path);
    const items = Array.isArray(body['items']) ? body['items'] : [];
    for (const item of items) {
      if (JSON.stringify(item.tags ?? {}).includes('gantry/stack')) {
        const [self] = item.links.filter((link: { rel: string }) => link.rel === 'self');
        found[self.href] = clientView(item);
      }
    }
  }
  return found;
}
