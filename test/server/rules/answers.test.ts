import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import type { Kind } from '../../../src/schema/record/kinds.ts';
import { type AnswerForm, shownRecord } from '../../../src/server/records/decisions/shownRecord.ts';

function shown(kind: Kind, record: JsonObject, ...forms: readonly AnswerForm[]): JsonObject {
  return shownRecord(shapeOf(kind, record), record, { org: 'o', gvc: 'g' }, new Set(forms));
}

const container = (more: JsonObject): JsonObject => ({ name: 'main', image: 'i', ...more });
const workload = (more: JsonObject): JsonObject => ({
  name: 'w',
  spec: { type: 'standard', containers: [container(more)] },
});

describe('forms of answers that mean the same', () => {
  test('bare omits defaults of the schema, but not values that the platform chose', () => {
    const record = workload({ cpu: '50m', memory: '256Mi', inheritEnv: false, env: [] });
    expect(shown('workload', { ...record, description: 'w' }, 'bare')).toEqual(workload({ memory: '256Mi' }));
    const domain = {
      name: 'd',
      spec: { ports: [{ number: 443, protocol: 'http', routes: [{ prefix: '/', workloadLink: 'l' }] }] },
    };
    expect(shown('domain', domain, 'bare')).toEqual({
      name: 'd',
      spec: { ports: [{ protocol: 'http', routes: [{ workloadLink: 'l' }] }] },
    });
  });

  test('filled adds the defaults of existing objects, and nothing else', () => {
    const record = workload({ readinessProbe: { tcpSocket: {}, timeoutSeconds: 7 } });
    expect(shown('workload', record, 'filled')).toMatchObject({
      description: 'w',
      spec: {
        containers: [
          {
            cpu: '50m',
            memory: '128Mi',
            inheritEnv: false,
            readinessProbe: {
              initialDelaySeconds: 10,
              periodSeconds: 10,
              timeoutSeconds: 7,
              successThreshold: 1,
              failureThreshold: 3,
            },
          },
        ],
      },
    });
    expect(Object.keys(shown('workload', { name: 'w', spec: {} }, 'filled')['spec'] ?? {})).not.toContain('containers');
  });

  test('shuffled reorders sets and keyed lists, except items that must stay first, and lists whose order matters', () => {
    const ports = [{ number: 1 }, { number: 2 }, { number: 3 }];
    const env = [{ name: 'A' }, { name: 'B' }];
    expect(shown('workload', workload({ ports, env, args: ['a', 'b'] }), 'shuffled')).toEqual(
      workload({
        ports: [{ number: 1 }, { number: 3 }, { number: 2 }],
        env: [{ name: 'B' }, { name: 'A' }],
        args: ['a', 'b'],
      }),
    );
    expect(shown('group', { name: 'g', memberLinks: ['a', 'b'] }, 'shuffled')).toEqual({
      name: 'g',
      memberLinks: ['b', 'a'],
    });
  });

  test("short shortens links to the record's own org", () => {
    const record = { name: 'g', memberLinks: ['/org/o/user/a', '/org/other/user/b'] };
    expect(shown('group', record, 'short')['memberLinks']).toEqual(['//user/a', '/org/other/user/b']);
  });

  test('legacy writes a single port as `port`, and `port` as one of `ports`', () => {
    const list = workload({ ports: [{ number: 80, protocol: 'http' }] });
    expect(shown('workload', list, 'legacy')).toEqual(workload({ port: 80 }));
    expect(shown('workload', workload({ port: 80 }), 'legacy')).toEqual(workload({ ports: [{ number: 80 }] }));
    const grpc = workload({ ports: [{ number: 80, protocol: 'grpc' }] });
    expect(shown('workload', grpc, 'legacy')).toEqual(grpc);
  });

  test('respelled rewrites quantities, address blocks and tags, and tagged adds tags of others', () => {
    const firewallConfig = { external: { inboundAllowCIDR: ['10.0.0.1', '2001:db8::1/128', '10.0.0.0/8'] } };
    const spec = {
      type: 'standard',
      containers: [container({ cpu: '100m', memory: '1Gi' }), container({ cpu: 2 })],
      firewallConfig,
    };
    expect(shown('workload', { name: 'w', tags: { n: 1 }, spec }, 'respelled')).toEqual({
      name: 'w',
      tags: { n: '1' },
      spec: {
        type: 'standard',
        containers: [container({ cpu: '0.1', memory: '1024Mi' }), container({ cpu: '2000m' })],
        firewallConfig: {
          external: { inboundAllowCIDR: ['10.0.0.1/32', '2001:0DB8:0000:0000:0000:0000:0000:0001', '10.0.0.0/8'] },
        },
      },
    });
    expect(shown('group', { name: 'g', tags: { a: 'b' } }, 'tagged')['tags']).toEqual({
      a: 'b',
      'scheme/deployTimestamp': '2026-01-01T00:00:00Z',
      'other-tool/version': 1,
    });
  });
});
