import { describe, expect, test } from 'vitest';
import { ToolError } from '../../../src/base/toolError.ts';
import { toSavedPlan } from '../../../src/gantry/savedPlan/file.ts';
import { digestOf, fingerprinter, newFingerprints } from '../../../src/gantry/savedPlan/fingerprint.ts';
import type { StepEvent } from '../../../src/project/session/event.ts';
import { declare, options, plan, snapshot } from '../../plan/world.ts';

const key = { GANTRY_SECRET_KEY: 'the key of the team' };

describe('fingerprints of secrets in saved plans', () => {
  test('without a key they are salted and slow, and record their parameters', async () => {
    const [one, other] = [newFingerprints({}), newFingerprints({})];
    expect(one).toEqual({ method: 'scrypt', salt: expect.stringMatching(/^[\w-]{22}$/), n: 32_768, r: 8, p: 1 });
    expect(one.salt).not.toBe(other.salt);
    const print = await fingerprinter(one, {})('hunter2');
    expect(print).toMatch(/^[\w-]{32}$/);
    expect(await fingerprinter(one, {})('hunter2')).toBe(print);
    expect(await fingerprinter(one, {})('hunter3')).not.toBe(print);
    expect(await fingerprinter(other, {})('hunter2')).not.toBe(print);
  });

  test('with a key they can be made only with that key', async () => {
    const how = newFingerprints(key);
    expect(how.method).toBe('hmac-sha256');
    const print = await fingerprinter(how, key)('hunter2');
    expect(await fingerprinter(how, { GANTRY_SECRET_KEY: 'another' })('hunter2')).not.toBe(print);
    expect(() => fingerprinter(how, {})).toThrow(expect.objectContaining({ code: 'saved.key-missing' }));
    expect(() => fingerprinter(how, { GANTRY_SECRET_KEY: '' })).toThrow(ToolError);
  });

  test.each([
    { n: 2 ** 30, r: 8, p: 1 },
    { n: 2 ** 15, r: 8, p: 2 ** 20 },
    { n: 1000, r: 8, p: 1 },
    { n: 0, r: 0, p: 0 },
  ])('a file cannot demand unlimited work: %j', (cost) => {
    const how = { method: 'scrypt', salt: 'c2FsdA', ...cost } as const;
    expect(() => fingerprinter(how, {})).toThrow(expect.objectContaining({ code: 'saved.damaged' }));
  });
});

// biome-ignore format: a row is a case
test.each([
  { it: 'without a key gets a note about the time for many secrets', count: 30, environment: {},
    says: [/30 secret values .*GANTRY_SECRET_KEY/] },
  { it: 'with a key gets no note', count: 30, environment: key, says: [] },
  { it: 'without a key gets no note for few secrets', count: 2, environment: {}, says: [] },
])('a user who saves a plan $it', async ({ count, environment, says }) => {
  const data = (each: number) => ({ payload: `value-${each}`, encoding: 'plain' });
  const desired = [...Array(count).keys()].map((each) =>
    declare(`secret/s-${each}`, { type: 'opaque', data: data(each) }),
  );
  const told: string[] = [];
  const tell = (event: StepEvent) => void (event.type === 'note' && told.push(event.text));
  const planned = { plan: plan(desired, []), desired, snapshot: snapshot([]), options };
  const { secrets } = await toSavedPlan(planned, { paths: [] }, { environment, tell });
  expect(new Set(secrets.map(({ fingerprint }) => fingerprint)).size).toBe(count);
  expect(told).toEqual(says.map((each) => expect.stringMatching(each)));
});

describe('the digest of a saved plan', () => {
  test('is an HMAC if there is a key, with another key than the fingerprints', async () => {
    expect(digestOf({}).method).toBe('sha256');
    expect(digestOf({}).of('x')).toBe('LXEWQrcmsEQBYnyp-6wy9chTD7GQPMTbAiWHF5IaSIE'); // printf x | sha256sum
    expect(digestOf(key).method).toBe('hmac-sha256');
    expect(digestOf(key).of('x')).not.toBe(digestOf({ GANTRY_SECRET_KEY: 'another' }).of('x'));
    const print = await fingerprinter({ method: 'hmac-sha256', salt: '' }, key)('x');
    expect(print).not.toBe(digestOf(key).of('\nx'));
  });
});
