import { expect, test } from 'vitest';
import { loadValidators } from '../../src/kinds/validators.ts';
import { checkManifests, kindsOf } from '../../src/manifest/checkManifests.ts';
import { renderProblem } from '../../src/manifest/model/locatedProblem.ts';
import { readInputs } from '../../src/project/inputs/readInputs.ts';
import { quiet } from '../surroundings.ts';

const root = new URL('../..', import.meta.url).pathname;

async function synthesized(path: string) {
  const { documents, problems, scope } = await readInputs([path], { ...quiet, cwd: root });
  const checked = checkManifests(documents, { org: 'local', validators: await loadValidators(kindsOf(documents)) });
  expect([...problems, ...checked.problems].map(renderProblem)).toEqual([]);
  expect(scope).toBe('whole');
  return checked.resources;
}

test.each(['examples/shop', 'examples/shop-yaml'])('%s obeys every rule, without a warning', async (path) => {
  expect((await synthesized(path)).map(({ id }) => id)).toEqual([
    'domain/shop.example.com',
    'gvc/shop',
    'identity/shop/backend',
    'policy/shop-backend-secrets',
    'secret/shop-database',
    'secret/shop-payment',
    'volumeset/shop/database-files',
    'volumeset/shop/reports',
    'workload/shop/api',
    'workload/shop/database',
    'workload/shop/nightly-report',
    'workload/shop/web',
  ]);
});

test('the shop in TypeScript and in YAML are the same manifests', async () => {
  const [typed, written] = await Promise.all([synthesized('examples/shop'), synthesized('examples/shop-yaml')]);
  const plain = (resources: typeof typed) => resources.map(({ id, record, lifecycle }) => ({ id, record, lifecycle }));
  expect(plain(typed)).toEqual(plain(written));
});

test('each resource of the shop knows the line of the stack file that made it', async () => {
  const places = (await synthesized('examples/shop')).map(({ locate }) => locate([]));
  expect(new Set(places.map(({ file }) => file))).toEqual(new Set(['examples/shop/stack.ts']));
  expect(new Set(places.map(({ line }) => line)).size).toBe(places.length);
});
