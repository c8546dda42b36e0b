import { describe, expect, test } from 'vitest';
import { stringAt } from '../../../src/base/json/json.ts';
import { platformForEach } from '../platform.ts';

const platform = platformForEach({ users: ['ann@example.com'] }, async (platform) => {
  await platform.send('POST', 'serviceaccount', { name: 'robot' });
});

describe('members of a group (platform/group)', () => {
  test('are users by e-mail or id, and service accounts (GR1, GR2)', async () => {
    const id = stringAt((await platform.send('GET', 'user/ann@example.com')).body, 'id') ?? '';
    for (const [name, memberLinks] of [
      ['by-mail', ['//user/ann@example.com', '//serviceaccount/robot']],
      ['by-id', [`/org/local/user/${id}`]],
    ] as const) {
      const created = await platform.send('POST', 'group', { name, memberLinks });
      expect(created.status).toBe(201);
      expect(created.body['memberLinks']).toEqual(memberLinks.map((link) => link.replace(/^\/\//, '/org/local/')));
    }
  });

  test('leave with the account, whose keys are gone too (platform/deletion.cascade, platform/deletion.references)', async () => {
    await platform.send('POST', 'group', { name: 'team', memberLinks: ['//serviceaccount/robot'] });
    const { body } = await platform.send('POST', 'serviceaccount/robot/-addKey', { description: 'ci' });
    const withKey = { headers: { authorization: `Bearer ${stringAt(body, 'key')}` } };
    expect((await fetch(`${platform.url}/org/local/gvc`, withKey)).status).toBe(200);
    expect((await platform.send('DELETE', 'serviceaccount/robot')).status).toBe(202);
    expect((await platform.send('GET', 'group/team')).body).toMatchObject({ memberLinks: [] });
    expect((await fetch(`${platform.url}/org/local/gvc`, withKey)).status).toBe(401);
    await platform.send('POST', 'serviceaccount', { name: 'robot' });
    expect((await fetch(`${platform.url}/org/local/gvc`, withKey)).status).toBe(401);
    expect((await platform.send('GET', 'serviceaccount/robot')).body['keys'] ?? []).toEqual([]);
  });
});

test('the query of a group is about users, in whatever form it comes (platform/group)', async () => {
  const spec = { match: 'any', terms: [{ tag: 'team', value: true }] };
  const created = await platform.send('POST', 'group', { name: 'team', memberQuery: { spec } });
  expect(created.body['memberQuery']).toMatchObject({
    spec: { match: 'any', terms: [{ op: '=', tag: 'team', value: true }] },
  });
});

test.each(['superusers', 'viewers'])('the group %s stays, with members that change (GR4)', async (name) => {
  expect((await platform.send('DELETE', `group/${name}`)).status).toBe(400);
  const link = '/org/local/user/ann@example.com';
  const added = await platform.send('PATCH', `group/${name}`, { '$append/memberLinks': [link] });
  expect(added.body).toMatchObject({ origin: 'builtin', memberLinks: expect.arrayContaining([link]) });
});
