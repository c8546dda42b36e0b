import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { blocksDeletion, isAwaited, isRequired, mustBeThere } from '../../../src/kinds/referenceStrength.ts';
import { type Reference, references } from '../../../src/kinds/references.ts';
import type { Kind } from '../../../src/schema/record/kinds.ts';

interface Strength {
  readonly it: string;
  readonly referrer: Kind;
  readonly record: JsonObject;
  /** Required; must exist; a rollout waits for it; blocks the deletion of the target. */
  readonly is: readonly string[];
}

/** From the table of platform/deletion.references. */
// biome-ignore format: a row is a case
const strengths: readonly Strength[] = [
  { it: 'hard', referrer: 'gvc', record: { spec: { pullSecretLinks: ['//secret/p'] } },
    is: ['required', 'there', 'blocks'] },
  { it: 'hard, with a target that may be missing',
    referrer: 'cloudaccount', record: { data: { secretLink: '//secret/s' } },
    is: ['required', 'blocks'] },
  { it: 'second-step', referrer: 'gvc', record: { spec: { aliasWorkloadLink: '//workload/w' } },
    is: ['required', 'blocks'] },
  { it: 'soft', referrer: 'ipset', record: { spec: { link: '//gvc/g' } }, is: [] },
  { it: 'a secret in a variable', referrer: 'workload',
    record: { spec: { containers: [{ name: 'main', env: [{ name: 'A', value: 'scheme://secret/s' }] }] } },
    is: ['awaited'] },
  { it: 'a volume set', referrer: 'workload',
    record: { spec: { containers: [{ name: 'main', volumes: [{ uri: 'scheme://volumeset/v', path: '/v' }] }] } },
    is: ['required', 'there', 'blocks'] },
  { it: 'hard, and dropped by its referrer', referrer: 'domain',
    record: { spec: { workloadLink: '//gvc/g/workload/w' } }, is: ['required', 'there'] },
  { it: 'of a group', referrer: 'group', record: { memberLinks: ['//user/a@b.c'] }, is: ['required', 'there'] },
  { it: 'a secret in a link', referrer: 'domain',
    record: { spec: { ports: [{ number: 443, tls: { serverCertificate: { secretLink: '//secret/s' } } }] } },
    is: ['required', 'there', 'blocks'] },
];

test.each(strengths)('the effects of a reference: $it (platform/deletion)', ({ referrer, record, is }) => {
  const tests: Readonly<Record<string, (reference: Reference) => boolean>> = {
    required: isRequired,
    there: mustBeThere,
    awaited: isAwaited,
    blocks: (reference) => blocksDeletion(referrer, reference),
  };
  const found = references(referrer, record, { org: 'acme', gvc: 'shop' });
  expect(found.length).toBe(1);
  expect(Object.keys(tests).filter((name) => found.some((reference) => tests[name]?.(reference)))).toEqual(is);
});
