import { expect, test } from 'vitest';
import { objectAt } from '../../../src/base/json/json.ts';
import { useTown } from '../harness/useTown.ts';

const { write, run, call } = useTown();
const hall = '/gvc/town/workload/hall';

function declare(maxScale: number, more = ''): void {
  write(`kind: gvc
name: town
---
kind: workload
gvc: town
name: hall
${more}spec:
  type: standard
  containers: [{name: main, image: "registry.example.com/hall:1"}]
  defaultOptions: {autoscaling: {maxScale: ${maxScale}}}
`);
}

test('the plan refuses a change that conflicts with a live value that the manifest does not set', async () => {
  declare(5);
  expect((await run('apply', '.', '--yes')).code).toBe(0);
  const theirs = { spec: { defaultOptions: { autoscaling: { minScale: 4 } } } };
  expect((await call('PATCH', hall, theirs)).status).toBe(200);
  const before = (await call('GET', hall)).body;

  declare(3);
  for (const command of [
    ['plan', '.'],
    ['apply', '.', '--yes'],
  ]) {
    const refused = await run(...command);
    expect(refused.code).toBe(3);
    expect(refused.stdout).toContain('minScale 4 must not be more than maxScale 3');
    expect(refused.stdout).toMatch(
      /spec\.defaultOptions\.autoscaling\.minScale, which this manifest does not set, stays as it is, set by .+ version 2/,
    );
    expect(refused.stdout).toContain('lifecycle.ignore for spec.defaultOptions.autoscaling.maxScale');
  }
  expect((await call('GET', hall)).body).toEqual(before);

  declare(3, 'lifecycle: {ignore: [spec.defaultOptions.autoscaling.maxScale]}\n');
  expect((await run('apply', '.', '--yes')).code).toBe(0);
});

test("drift that a person adds to a record recreated with this stack's tags is shown like other drift", async () => {
  write(`kind: gvc
name: village
---
kind: workload
gvc: village
name: inn
spec: {type: standard, containers: [{name: main, image: "registry.example.com/inn:1"}]}
---
kind: workload
gvc: village
name: mill
spec: {type: standard, containers: [{name: main, image: "registry.example.com/mill:1"}]}
`);
  expect((await run('apply', '.', '--yes', '--stack', 'village')).code).toBe(0);
  const [inn, mill] = ['/gvc/village/workload/inn', '/gvc/village/workload/mill'];
  const found = (await call('GET', inn)).body;
  expect((await call('DELETE', inn)).status).toBe(202);
  const slow = { defaultOptions: { timeoutSeconds: 77 } };
  const again = { name: 'inn', tags: objectAt(found, 'tags'), spec: { ...objectAt(found, 'spec'), ...slow } };
  expect((await call('POST', '/gvc/village/workload', again)).status).toBe(201);
  expect((await call('PATCH', mill, { spec: slow })).status).toBe(200);

  const planned = await run('plan', '.', '--stack', 'village');
  expect(planned.stdout).not.toContain('that is its default');
  expect(planned.stdout.match(/- spec\.defaultOptions\.timeoutSeconds +77/g)).toHaveLength(2);
});
