import { expect, test } from 'vitest';
import { useTown } from '../harness/useTown.ts';

const { write, run, call } = useTown();

function declare(name: string, more = ''): void {
  write(`kind: gvc
name: town
---
kind: workload
gvc: town
name: ${name}
${more}spec:
  type: standard
  containers: [{name: main, image: "registry.example.com/hall:1"}]
`);
}

test('renaming a workload in a GVC without locations does not wait for a readiness that never comes', async () => {
  declare('hall');
  expect((await run('apply', '.', '--yes')).code).toBe(0);

  declare('house', 'lifecycle: {previously: hall}\n');
  const renamed = await run('apply', '.', '--yes', '--wait', '--wait-timeout', '2s');
  expect(renamed.stdout).toContain('Verified');
  expect(renamed.code).toBe(0);
  expect((await call('GET', '/gvc/town/workload/hall')).status).toBe(404);

  const status = await run('status', '.', '-o', 'json');
  expect(status.code).toBe(0);
  expect(JSON.parse(status.stdout)).toMatchObject({ resources: [{ id: 'gvc/town' }, { state: 'ready' }] });
});
