import type { Client } from './client.ts';
import type { SnapshotSource } from './fetchSnapshot.ts';
import { viewsEverything } from './views.ts';

/** Without the other content of GVCs, and without the endpoint's own description. */
export function recordsOnly(client: Client): SnapshotSource {
  return {
    ...client,
    children: () => Promise.resolve([]),
    get: (path, isOptional) => (path === '/discovery' ? Promise.resolve({}) : client.get(path, isOptional)),
    views: () => Promise.resolve(viewsEverything),
  };
}
