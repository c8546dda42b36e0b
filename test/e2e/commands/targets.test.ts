import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Outcome, succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { writesSince } from '../harness/platform.ts';
import { ownedRecords, smallTown } from '../harness/smallTown.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const cwd = temporaryFolder('targets');
writeFileSync(join(cwd, 'gantry.yaml'), 'stack: town\n');
writeFileSync(join(cwd, 'town.yaml'), smallTown());
const platform = usePlatform();

const adopting = ['--adopt'];
const run = (...args: readonly string[]): Promise<Outcome> => inProcess(platform, args, { cwd });
const paths = async (): Promise<readonly string[]> => Object.keys(await ownedRecords(platform)).sort();

test('a target includes only its dependencies, another plan has the rest, and a target can be destroyed alone', async () => {
  const target = ['--target', 'workload/town/hall'];
  const plan = await succeeded(run('plan', '.', ...adopting, ...target));
  expect(plan.stdout).toContain('note: included because of workload/town/hall: spec.identityLink refers to it\n');
  expect(plan.stdout).toContain('note: this plan is partial: 4 changes are left out by --target\n');
  expect(plan.stdout).toContain('Plan: 6 to create.');
  expect(plan.stdout).not.toContain('workload/town/market');

  await succeeded(run('apply', '.', '--yes', '--verify=full', ...adopting, ...target));
  expect(await paths()).toEqual([
    '/org/local/gvc/town',
    '/org/local/gvc/town/identity/mayor',
    '/org/local/gvc/town/volumeset/archive',
    '/org/local/gvc/town/workload/hall',
    '/org/local/policy/town-secrets',
    '/org/local/secret/town-key',
  ]);
  expect((await run('plan', '.', '--detailed-exitcode', ...adopting, ...target)).code).toBe(0);

  const rest = await succeeded(run('apply', '.', '--yes', ...adopting));
  expect(rest.stdout).not.toContain('partial');
  expect(await paths()).toHaveLength(10);

  const gone = await succeeded(
    run('destroy', '--yes', '--verify=full', '--target', 'workload/*/market', '--target', 'group/*'),
  );
  expect(gone.stdout).toContain('Plan: 2 to delete');
  expect(await paths()).toHaveLength(8);
});

test('an excluded resource is unchanged, unless others need its change', async () => {
  const excluded = await succeeded(run('plan', '.', '--exclude', 'workload/town/market'));
  expect(excluded.stdout).toContain('note: this plan is partial: 1 change is left out by --exclude\n');
  const json = JSON.parse((await run('plan', '.', '--exclude', 'workload/town/market', '-o', 'json')).stdout);
  expect(json.leftOut).toEqual([{ id: 'workload/town/market', action: 'create' }]);

  const from = await platform.seen();
  const refused = await run('destroy', '--yes', '--exclude', 'workload/town/hall');
  expect(refused.code).toBe(3);
  expect(refused.stdout).toContain(
    'refused selection.breaks: workload/town/hall is excluded, but identity/town/mayor needs it: spec.identityLink of workload/town/hall refers to it until then\n',
  );
  await platform.seen();
  expect(writesSince(platform, from)).toEqual([]);
});

test('an id that matches nothing is an error with a suggestion, and nothing is written', async () => {
  const from = await platform.seen();
  const wrong = await run('apply', '.', '--yes', '--target', 'workload/town/hal');
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain('selection.unknown');
  expect(wrong.stderr).toContain('--target=workload/town/hal names no resource of this stack');
  expect(wrong.stderr).toContain('Did you mean workload/town/hall?');
  await platform.seen();
  expect(platform.requests.slice(from).filter(({ method }) => method === 'PATCH' || method === 'DELETE')).toEqual([]);
});
