import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { confirmAndRun, turnsOf } from '../../src/gantry/apply.ts';
import { openDestroyed, openStacks } from '../../src/gantry/loading/openStacks.ts';
import { planStack } from '../../src/gantry/plan.ts';
import type { StepEvent } from '../../src/project/session/event.ts';
import { quiet } from '../surroundings.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const folder = temporaryFolder('steps');

/** A stack with one group on a platform in this process. */
function session(name: string) {
  writeFileSync(join(folder, 'gantry.yaml'), `stack: ${name}\n`);
  writeFileSync(join(folder, 'group.yaml'), 'kind: group\nname: readers\n');
  const events: StepEvent[] = [];
  const options = { embedded: true, data: ':memory:' };
  return { events, ...quiet, cwd: folder, options, tell: (event: StepEvent) => void events.push(event) };
}

test('the events are settings, stacks, plan, rehearsal, and the run from start to end', async () => {
  const here = session('told');
  await using opened = await openStacks(here, [], { all: false });
  const [stack] = opened.stacks;
  if (stack === undefined) throw new Error('there is a stack');
  const made = await planStack(here, opened.platform, stack, { rehearse: true });
  await confirmAndRun(here, opened.platform, made, {});
  const types = here.events.map((event) => (event.type === 'run' ? `run ${event.event.type}` : event.type));
  expect(types).toEqual(['project', 'stacks', 'plan', 'rehearsed', 'begun', 'run started', 'run done', 'ended']);
});

test('a run that is not confirmed does not begin', async () => {
  const here = session('asked');
  await using opened = await openStacks(here, [], { all: false });
  for (const { stack } of turnsOf(opened.stacks)) {
    const made = await planStack(here, opened.platform, stack);
    const { run, error } = await confirmAndRun(here, opened.platform, made, { confirm: async () => false });
    expect([run, error?.code]).toEqual([undefined, 'apply.not-confirmed']);
  }
  expect(here.events.map(({ type }) => type)).toEqual(['project', 'stacks', 'plan']);
});

test('a destroy is planned like any stack, without a limit of deletions', async () => {
  const here = session('gone');
  await using opened = await openDestroyed(here, [], false);
  const [stack] = opened.stacks;
  if (stack === undefined) throw new Error('there is a stack');
  const { options, isEmpty } = await planStack(here, opened.platform, stack);
  expect([options.destroys, options.allowEmpty, options.maxDeletes, isEmpty]).toEqual([true, true, undefined, true]);
});
