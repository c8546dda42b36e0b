import type { JsonObject } from '../../../base/json/json.ts';
import { bootstrapUser } from '../../http/limits.ts';

const atMs = Date.UTC(2026, 0, 1);

function row(
  kind: string,
  uid: string,
  record: JsonObject & { readonly name: string },
  targets: readonly JsonObject[],
) {
  const times = { version: 1, createdMs: atMs, modifiedMs: atMs };
  return { kind, gvc: '', name: record.name, uid, ...times, record: { tags: {}, ...record }, targets };
}

const admin: JsonObject = { kind: 'user', name: bootstrapUser };
const superusers: JsonObject = { kind: 'group', name: 'superusers' };

/** A small org to load, whose user has all permissions on GVCs. */
export const snapshotExample: JsonObject = {
  format: 1,
  orgs: {
    local: {
      facts: { created: new Date(atMs).toISOString(), orgId: '1b671a64-40d5-491e-99b0-da01ff1f3341' },
      records: [
        row('org', '1b671a64-40d5-491e-99b0-da01ff1f3341', { name: 'local', spec: {} }, []),
        row('user', '2c782b75-51e6-4a2f-8ac1-eb12ff2a4452', { name: bootstrapUser, email: bootstrapUser }, []),
        row(
          'group',
          '3d893c86-62f7-4b3a-9bd2-fc23ff3b5563',
          { name: 'superusers', memberLinks: [`/org/local/user/${bootstrapUser}`] },
          [admin],
        ),
        row(
          'policy',
          '4e9a4d97-7308-4c4b-8ce3-0d34ff4c6674',
          {
            name: 'superusers-gvc',
            targetKind: 'gvc',
            target: 'all',
            bindings: [{ permissions: ['manage'], principalLinks: ['/org/local/group/superusers'] }],
          },
          [superusers],
        ),
        row('gvc', '5fab5ea8-8419-4d5c-9df4-1e45ff5d7785', { name: 'shop', spec: {} }, []),
      ],
    },
  },
};
