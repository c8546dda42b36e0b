import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { disproveAdoption, referredKeys, whyNotAdopted, whyNotDeclared } from '../../../src/change/adopt.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import { Body } from '../../../src/manifest/model/body.ts';
import type { Change } from '../../../src/plan/model/change.ts';
import { changeWith } from '../../plan/changes.ts';
import { foreign, hash, live, org, owner, plan } from '../../plan/world.ts';

const id = 'group/x';
const named = { id, ref: { kind: 'group', name: 'x' }, kind: 'group', name: 'x' } as const;
const adopting = (body: JsonObject, more: object = {}): Change =>
  changeWith({ ...named, action: 'adopt', patch: new Body(body, body), ...more });
const tags = { 'gantry/stack': 'shop', 'gantry/applied': '1' };
const pinned = { id: 'uid', version: 3, tags };

test.each<[string, Change | undefined, readonly string[]]>(
  // biome-ignore format: a row is a case
  [
    ['only the two tags are written', adopting(pinned), []],
    ['it is missing', undefined, ['it is missing from the written manifests']],
    ['it is refused, and a field would change',
      adopting(pinned, { refusals: [{ code: 'a.b', message: 'no' }], fields: [{ path: 'description' }] }),
      ['a.b: no', 'description would change']],
    ['it is kept', changeWith({ ...named, action: 'keep' }), ['it would be kept, not adopted']],
    ['it is changed', changeWith({ ...named, action: 'patch' }), ['it would be patch']],
    ['more is written',
      adopting({ ...pinned, spec: {}, tags: { ...tags, team: 'x' } },
        { then: new Body({}, {}), expectedThen: new Body({}, {}), thenRequires: [] }),
      ['it would write spec, team, a second step']],
  ],
)('objections to an adoption: %s', (_, change, because) => {
  const made = { ...plan([], []), changes: change === undefined ? [] : [change] };
  expect(disproveAdoption(made, [id])).toEqual(because.length === 0 ? [] : [{ id, because }]);
});

test.each<[string, string | undefined, LiveResource]>(
  // biome-ignore format: a row is a case
  [
    ['without an owner', undefined, foreign('gvc/g')],
    ['that lost its owner', undefined, live('gvc/g', {}, { owner: null })],
    ['that is a copy', undefined, live('gvc/g', {}, { applied: { link: '/org/o/gvc/h' } })],
    ['of this stack', 'it belongs to this stack already', live('gvc/g')],
    ['of this stack, without a record', 'it belongs to this stack already', live('gvc/g', {}, { applied: null })],
    ['of another stack',
      'it belongs to the stack bank; if that stack hands it over, declare it with lifecycle.adopt: {from: bank}',
      live('gvc/g', {}, { owner: 'bank' })],
    ['that is built in', 'it is built in', foreign('location/aws-us-east-1', { origin: 'builtin' })],
    ['of a read-only kind', 'a user is created by the platform and cannot be declared', foreign('user/a')],
    ['of an unknown type of secret', 'it is a secret of a type that Gantry does not know',
      foreign('secret/s', { type: 'quantum' })],
  ],
)('a record %s is adopted unless: %s', (_, because, held) => {
  expect(whyNotAdopted(held, { owner, org, hash })).toBe(because);
});

test.each<[string, JsonObject, string | undefined]>([
  ['secret/s', { type: 'opaque' }, undefined],
  ['secret/s', { type: 'userpass' }, undefined],
  ['secret/s', { type: 'from-tomorrow' }, 'of a type that Gantry does not know'],
  ['group/g', { type: 'from-tomorrow' }, undefined],
  ['deployment/d', {}, 'created by the platform and cannot be declared'],
])('%s with %j can be declared unless: %s', (of, record, because) => {
  const why = whyNotDeclared(foreign(of, record));
  if (because === undefined) expect(why).toBeUndefined();
  else expect(why).toContain(because);
});

test('the keys of a secret that others read, sorted, each once; a whole secret has none', () => {
  const reads = (...uris: readonly string[]) => ({
    spec: { containers: [{ name: 'main', env: uris.map((value, index) => ({ name: `E${index}`, value })) }] },
  });
  const keysOf = referredKeys(
    [
      live('workload/g/a', reads('scheme://secret/s.b', 'scheme://secret/s.a', 'scheme://secret/whole')),
      live('workload/g/b', reads('scheme://secret/s.b', 'scheme://secret/t.c')),
    ],
    org,
  );
  expect(['secret/s', 'secret/t', 'secret/whole', 'secret/none'].map(keysOf)).toEqual([['a', 'b'], ['c'], [], []]);
});
