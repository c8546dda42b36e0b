import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Kind } from '../../../src/schema/record/kinds.ts';
import { redacted } from '../../../src/server/audit/decisions/auditEvent.ts';

interface Case {
  readonly it: string;
  readonly kind: Kind;
  readonly record: JsonObject;
  readonly kept: JsonObject;
}

// biome-ignore format: a row is a case
const cases: readonly Case[] = [
  { it: 'the data of a secret, as an object', kind: 'secret',
    record: { name: 's', type: 'opaque', data: { payload: 'hunter2', encoding: 'plain' }, tags: { a: 'b' } },
    kept: { name: 's', type: 'opaque', tags: { a: 'b' } } },
  { it: 'the data of a secret, as text', kind: 'secret', record: { name: 's', type: 'docker', data: '{"auths":{}}' },
    kept: { name: 's', type: 'docker' } },
  { it: 'the data of a secret of an unknown type', kind: 'secret',
    record: { name: 's', type: 'hunter', data: { payload: 'hunter2' } }, kept: { name: 's', type: 'hunter' } },
  { it: 'only the values of keys', kind: 'serviceaccount',
    record: { name: 'robot', keys: [{ name: 's1', created: 't', description: 'ci', key: 's1.hunter2.x' }] },
    kept: { name: 'robot', keys: [{ name: 's1', created: 't', description: 'ci' }] } },
  { it: 'how an agent registers (platform/agent)', kind: 'agent',
    record: { name: 'a', status: { up: true, bootstrapConfig: { registrationToken: 'hunter2' } } },
    kept: { name: 'a', status: { up: true } } },
];

test.each(cases)('an event omits $it (platform/audit.trail, rule S7)', ({ kind, record, kept }) => {
  expect(redacted(kind, record)).toEqual(kept);
  expect(JSON.stringify(redacted(kind, record))).not.toContain('hunter2');
});

test('a reference to a secret is kept, and names on Object.prototype are data', () => {
  const workload: JsonObject = JSON.parse(
    '{"name":"w","tags":{"__proto__":"x","toString":"y","registrationToken":"a tag"},' +
      '"spec":{"containers":[{"name":"c","env":[{"name":"A","value":"scheme://secret/s.k"}]}]}}',
  );
  expect(JSON.stringify(redacted('workload', workload))).toBe(JSON.stringify(workload));
});
