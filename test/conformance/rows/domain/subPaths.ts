import { expect } from 'vitest';
import { allow, makeCaller, makeSecret } from '../../harness/fixtures.ts';
import { itemsAt } from '../../harness/place.ts';
import { type Row, row } from '../../harness/row.ts';

/**
 * Operations that the specification of the platform does not show: platform/wire.paths, platform/query,
 * platform/commands.
 */
export const subPathRows: readonly Row[] = [
  row(
    'wire/secret values',
    'a value of a secret is read by -reveal only; secrets of a type are listed without',
    async (wire) => {
      const secret = await makeSecret(wire, 'userpass');
      const { link, key } = await makeCaller(wire);
      await allow(wire, 'secret', 'view', link);
      expect((await wire.call('GET', `${secret}/-reveal`, undefined, { authorization: key })).status).toBe(403);
      expect(await wire.get(`${secret}/-reveal`)).toMatchObject({ data: { username: 'u', password: 'p' } });
      const list = await wire.get('secret/-for/type/userpass');
      expect(itemsAt(list, 'items').map(({ type }) => type)).toEqual(['userpass']);
      for (const found of [
        list,
        await wire.get('secret'),
        await wire.get(secret),
        await wire.ok('POST', 'secret/-query', {}),
        await wire.ok('PATCH', secret, { description: 'changed' }),
        await wire.ok('POST', 'secret', { name: wire.name('secret'), type: 'opaque', data: { payload: 'hush-hush' } }),
      ]) {
        expect(JSON.stringify(found)).not.toContain('"data"');
      }
    },
  ),
];
