import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { snapshotRequest } from '../../../src/gantry/loading/snapshotRequest.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import type { CreatableKind } from '../../../src/schema/record/kinds.ts';
import { formatRef } from '../../../src/schema/record/ref.ts';

function resource(kind: CreatableKind, name: string, record: JsonObject, gvc?: string): DesiredResource {
  const ref = gvc === undefined ? { kind, name } : { kind, name, gvc };
  const locate = () => ({ file: 'x.yaml', line: 1, column: 1 });
  return { ref, id: formatRef(ref), record: { name, ...record }, lifecycle: {}, locate };
}

test('requests the declared resources, and by name those that they refer to', () => {
  const identity = resource('identity', 'api', {}, 'shop');
  const workload = resource(
    'workload',
    'api',
    {
      spec: {
        type: 'standard',
        identityLink: '//identity/api',
        containers: [{ name: 'main', env: [{ name: 'KEY', value: 'scheme://secret/key.payload' }] }],
        firewallConfig: { internal: { inboundAllowWorkload: ['//gvc/other/workload/peer', 'scheme://internal/keda'] } },
      },
    },
    'shop',
  );
  const request = snapshotRequest([identity, workload], 'local', 'shop');

  expect(request.owner).toBe('shop');
  expect(request.declared.map(formatRef)).toEqual(['identity/shop/api', 'workload/shop/api']);
  expect(request.referenced.map(formatRef)).toEqual(['secret/key', 'workload/other/peer']);
});

test('requests nothing from another org', () => {
  const gvc = resource('gvc', 'shop', { spec: { pullSecretLinks: ['/org/other/secret/pull'] } });
  expect(snapshotRequest([gvc], 'local', 'shop').referenced).toEqual([]);
});
