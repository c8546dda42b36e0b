import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defineCustomKind, onlyNamed } from '../../src/schema/record/customKinds.ts';
import { guarded, letting } from '../server/access/callers.ts';
import { names, platformForAll, testPlatform } from '../server/platform.ts';
import { forgetKinds, withKinds } from './withKinds.ts';

const kinds = { theme: onlyNamed, widget: { ...onlyNamed, scope: 'gvc', listKeys: { rules: 'name' } } } as const;
withKinds(kinds);

describe('records of custom kinds', () => {
  const platform = platformForAll({}, ({ send }) => send('POST', 'gvc', { name: 'shop' }));

  test('are made, listed, queried, changed, replaced and deleted', async () => {
    const made = await platform.send('POST', 'gvc/shop/widget', { name: 'one', a: { b: 1, gone: null }, rules: [] });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ kind: 'widget', name: 'one', version: 1, a: { b: 1 }, description: 'one' });
    expect(made.body['a']).toEqual({ b: 1 });
    const patch = { a: { c: [1] }, '$append/rules': [{ name: 'x', v: 1 }], $drop: ['description'] };
    const changed = await platform.send('PATCH', 'gvc/shop/widget/one', patch);
    expect(changed.body).toMatchObject({ version: 2, a: { b: 1, c: [1] }, rules: [{ name: 'x', v: 1 }] });
    const merged = await platform.send('PATCH', 'gvc/shop/widget/one', { '$patch/rules': [{ name: 'x', w: 2 }] });
    expect(merged.body['rules']).toEqual([{ name: 'x', v: 1, w: 2 }]);
    expect(names(await platform.send('GET', 'widget'))).toEqual(['one']);
    expect(names(await platform.send('GET', 'gvc/shop/widget'))).toEqual(['one']);
    const terms = [{ property: 'a.b', op: '=', value: 1 }];
    expect(names(await platform.send('POST', 'widget/-query', { spec: { terms } }))).toEqual(['one']);
    expect((await platform.send('PUT', 'gvc/shop/widget/one', { d: 1 })).body).toMatchObject({ version: 4, d: 1 });
    expect((await platform.send('DELETE', 'gvc/shop/widget/one')).status).toBe(202);
    expect((await platform.send('GET', 'gvc/shop/widget/one')).status).toBe(404);
  });

  test('have the fields of every record, and are deleted with their GVC', async () => {
    const wrong = await platform.send('POST', 'theme', { name: 'dark', description: 5, tags: { a: [] } });
    expect([wrong.status, wrong.body['message']]).toEqual([400, expect.stringContaining('description')]);
    expect((await platform.send('POST', 'gvc/none/widget', { name: 'one' })).status).toBe(404);
    await platform.send('POST', 'gvc', { name: 'going' });
    expect((await platform.send('POST', 'gvc/going/widget', { name: 'one' })).status).toBe(201);
    expect((await platform.send('DELETE', 'gvc/going')).status).toBe(202);
    expect(names(await platform.send('GET', 'widget'))).toEqual([]);
  });

  test('are served from the moment on in which the kind is defined', async () => {
    expect((await platform.send('GET', 'late')).status).toBe(404);
    defineCustomKind('late', onlyNamed);
    expect((await platform.send('GET', 'late')).status).toBe(200);
  });
});

test('custom kinds are viewed with permission to view the org, and written with permission to manage it', async () => {
  const { admin, account, close } = await guarded();
  try {
    expect((await admin('POST', 'theme', { name: 'dark' })).status).toBe(201);
    const stranger = await account('stranger');
    expect((await stranger('GET', 'theme/dark')).status).toBe(403);
    const viewer = await account('viewer', letting('viewer', 'org', ['view']));
    expect((await viewer('GET', 'theme/dark')).status).toBe(200);
    expect((await viewer('PATCH', 'theme/dark', { a: 1 })).status).toBe(403);
  } finally {
    await close();
  }
});

test('a database with an undefined kind reports its name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-kinds-'));
  try {
    const first = await testPlatform({ data: join(folder, 'platform.db') });
    await first.send('POST', 'theme', { name: 'dark' });
    await first.close();
    forgetKinds();
    const second = await testPlatform({ data: join(folder, 'platform.db') });
    const { status, body } = await second.send('GET', '/-snapshot');
    await second.close();
    expect([status, body['message']]).toEqual([409, expect.stringContaining('records of the kind theme')]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
