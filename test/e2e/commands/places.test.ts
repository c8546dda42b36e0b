import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt } from '../../../src/base/json/json.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { changesById } from '../harness/gantry.ts';
import { inProcess } from '../harness/inProcess.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const cwd = temporaryFolder('places');
const platform = usePlatform();

const manifests = (image: string, more = '') => `kind: gvc
name: shop
---
kind: workload
name: web
gvc: shop
${more}spec:
  type: standard
  containers:
    - name: main
      image: ${image}
      cpu: 50m
      memory: 128Mi
---
kind: group
name: readers
`;

async function run(...args: readonly string[]): Promise<string> {
  const { stdout, stderr, code } = await inProcess(platform, args, { cwd });
  expect(code, stderr).toBe(0);
  return stdout;
}

function placesOf(plan: string, id: string) {
  const change = changesById(plan).get(id) ?? {};
  const fields = listAt(change, 'fields').filter(isObject);
  return {
    change: change['place'],
    fields: Object.fromEntries(fields.map((field) => [field['path'], field['place']])),
  };
}

const at = (line: number, column: number): JsonObject => ({ file: 'shop.yaml', line, column });

test('a plan in JSON has the place of each change and field', async () => {
  writeFileSync(join(cwd, 'gantry.yaml'), 'stack: shop\n');
  writeFileSync(join(cwd, 'shop.yaml'), manifests('web:1', 'description: first\n'));
  const first = await run('plan', '.', '-o', 'json');
  expect(placesOf(first, 'workload/shop/web')).toMatchObject({
    change: at(4, 1),
    fields: { description: at(7, 1), 'spec.containers.main.image': at(12, 7) },
  });
  expect(placesOf(first, 'group/readers').change).toEqual(at(16, 1));
  await run('apply', '.', '--yes');

  // The description returns to its default, which no manifest declares; a record that is no longer declared has no
  // place.
  const second = manifests('web:2', 'lifecycle: {retain: true, protect: true}\n')
    .split('---\n')
    .slice(0, 2)
    .join('---\n');
  writeFileSync(join(cwd, 'shop.yaml'), second);
  const planned = await run('plan', '.', '--out', 'shop.plan', '-o', 'json');
  expect(placesOf(planned, 'workload/shop/web')).toEqual({
    change: at(4, 1),
    fields: {
      description: undefined,
      'spec.containers.main.image': at(12, 7),
      'tags."scheme/protected"': at(7, 27),
      'lifecycle.retain': at(7, 13),
    },
  });
  expect(placesOf(planned, 'group/readers')).toEqual({ change: undefined, fields: {} });

  // A saved plan has the same places in a folder without its manifests.
  const elsewhere = mkdtempSync(join(tmpdir(), 'gantry-elsewhere-'));
  cpSync(join(cwd, 'shop.plan'), join(elsewhere, 'shop.plan'));
  const applied = await inProcess(platform, ['apply', 'shop.plan', '--yes', '-o', 'json'], { cwd: elsewhere });
  rmSync(elsewhere, { recursive: true });
  expect(applied.code, applied.stderr).toBe(0);
  expect(placesOf(applied.stdout, 'workload/shop/web')).toEqual(placesOf(planned, 'workload/shop/web'));
});
