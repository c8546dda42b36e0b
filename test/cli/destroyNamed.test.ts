import { describe, expect, test } from 'vitest';
import { type JsonObject, stringAt } from '../../src/base/json/json.ts';
import { list, type Reply, record, type Seen, serve } from '../client/fakeServer.ts';
import { useProjectFolder } from './projectFolder.ts';

const project = useProjectFolder('destroy-named');
const mine = { tags: { 'gantry/stack': 'shop.p3f9c07a', 'gantry/applied': '1' } };
const records = [record('group', 'one', mine), record('group', 'two', mine)];

/** A platform whose queries and lists return only the records that `shown` keeps; each record can be read by name. */
function platform(shown: (found: readonly JsonObject[]) => readonly JsonObject[]) {
  return ({ path, body }: Seen): Reply => {
    const [, , , kind, name] = (path.split('?')[0] ?? '').split('/');
    const ofKind = records.filter((each) => each['kind'] === kind);
    if (name === undefined) return { body: list(shown(ofKind)) };
    const asked = JSON.stringify(body);
    const matching = asked?.includes('gantry/stack')
      ? ofKind
      : ofKind.filter((each) => asked?.includes(`"${stringAt(each, 'name')}"`));
    if (name === '-query') return { body: list(shown(matching)) };
    const found = ofKind.find((each) => each['name'] === name);
    return found === undefined ? { status: 404, body: { status: 404, message: 'not here' } } : { body: found };
  };
}

describe('gantry destroy is refused before any write', () => {
  test.each([
    ['returns only the first record without saying so', (found: readonly JsonObject[]) => found.slice(0, 1)],
    ['finds nothing', () => []],
  ])('read.query-tag: if a query %s, although the manifests name an existing record of the stack', async (_, shown) => {
    const { endpoint, seen } = await serve(platform(shown));
    project.write('gantry.yaml', `stack: shop\nproject: p3f9c07a\norg: acme\nendpoint: ${endpoint}\n`);
    project.write('groups.yaml', 'kind: group\nname: one\n---\nkind: group\nname: two\n');
    const { stdout, code } = await project.run(['destroy', '.', '--yes'], { GANTRY_TOKEN: 'key' });
    expect(stdout).toContain('delete.unlisted');
    expect(stdout).toContain('left out group/');
    expect(code).toBe(3);
    expect(seen.filter(({ method }) => method === 'DELETE' || method === 'PATCH')).toEqual([]);
  });
});
