import { expect, test } from 'vitest';
import { isArray, isObject, type JsonValue } from '../../../src/base/json/json.ts';
import { changeOf, declare, live, plan } from '../world.ts';

/** 50m, 128Mi and false are the defaults of the three (platform/workload.containers). */
const spelledOut = { cpu: '50m', memory: '128Mi', inheritEnv: false };
const gvc = declare('gvc/g');
const liveGvc = live('gvc/g');

function spec(...containers: readonly Readonly<Record<string, JsonValue>>[]) {
  return { spec: { type: 'standard', containers: [...containers] } };
}

/** The names of all plain values of a body, except those that only identify an item. */
function written(value: JsonValue, name = ''): readonly string[] {
  if (isArray(value)) return value.flatMap((each) => written(each, name));
  if (!isObject(value)) return [name];
  return Object.entries(value).flatMap(([key, each]) =>
    key === 'tags' || key === 'id' || key === 'version' || key === 'name' ? [] : written(each, key),
  );
}

// biome-ignore format: a row is a case
test.each([
  { it: 'of a new resource', before: [], container: { name: 'main', image: 'a:1', ...spelledOut } },
  { it: 'instead of other values',
    before: [{ name: 'main', image: 'a:1', cpu: '200m', memory: '1Gi', inheritEnv: true }],
    container: { name: 'main', image: 'a:1', ...spelledOut } },
  { it: 'of a container that replaces another', before: [{ name: 'other', image: 'a:1', cpu: '50m', memory: '128Mi' }],
    container: { name: 'main', image: 'a:1', ...spelledOut } },
])('a declared value that equals its default is shown when it is written: $it', ({ before, container }) => {
  const held = before.length === 0 ? [] : [live('workload/g/w', spec(...before))];
  const made = plan([gvc, declare('workload/g/w', spec(container))], [liveGvc, ...held]);
  const { create, patch, fields } = changeOf(made, 'workload/g/w');
  const names = written((create ?? patch)?.expose() ?? {});
  const shown = new Set(fields.map(({ path }) => path.split('.').at(-1)));
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !shown.has(name))).toEqual([]);
  if (before.length === 0) expect(names).toEqual(expect.arrayContaining(Object.keys(spelledOut)));
});

test('a written value that replaces another shows both', () => {
  const held = live('workload/g/w', spec({ name: 'main', image: 'a:1', cpu: '200m', memory: '128Mi' }));
  const made = plan(
    [gvc, declare('workload/g/w', spec({ name: 'main', image: 'a:1', ...spelledOut }))],
    [liveGvc, held],
  );
  expect(changeOf(made, 'workload/g/w').fields).toMatchObject([
    { path: 'spec.containers.main.cpu', old: '200m', new: '50m' },
  ]);
});
