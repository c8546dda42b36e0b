import { expect, test } from 'vitest';
import type { PlanCommandOptions } from '../../src/cli/commands/plan.ts';
import { rehearseOf } from '../../src/cli/steps/rehearsalText.ts';
import { Rehearsals } from '../../src/gantry/plan.ts';
import { rehearse } from '../../src/rehearsal/rehearse.ts';
import { OneDocument } from '../../src/terminal/answer.ts';
import type { CommandContext } from '../../src/terminal/context.ts';
import { noticesOn } from '../../src/terminal/notices.ts';
import { silentTerminal } from '../cli/silentTerminal.ts';
import { quiet } from '../surroundings.ts';
import { applyOptions } from '../sweeps/harness/world.ts';
import { townForEach } from './town.ts';

const town = townForEach();

const group = 'kind: group\nname: readers\n';

/** A terminal that records its texts, and a clock that advances by a second with each read. */
async function contextWith(live: boolean, rehearse: Pick<PlanCommandOptions, 'rehearse'>) {
  const drawn: string[] = [];
  const told: string[] = [];
  let nowMs = 0;
  const now = () => {
    nowMs += 1000;
    return nowMs;
  };
  const terminal = silentTerminal({ message: (text) => told.push(text), draw: (text) => drawn.push(text), live });
  const context: CommandContext<PlanCommandOptions> = {
    options: { ...(await applyOptions([])), detailedExitcode: false, all: false, validFor: 0, ...rehearse },
    terminal,
    answer: new OneDocument('text', () => {}),
    ...quiet,
    cwd: '/',
    now,
    tell: noticesOn(terminal, now),
  };
  return { context, drawn, told };
}

async function rehearsed(context: CommandContext<PlanCommandOptions>) {
  const input = await town.planned(group);
  return new Rehearsals().rehearseIfRequested(context, input.plan, rehearseOf(context.options), (how) =>
    rehearse({ ...input, ...how }),
  );
}

test('a terminal shows the number of tried points, and removes the line at the end', async () => {
  const { context, drawn } = await contextWith(true, { rehearse: 'crash' });
  await rehearsed(context);
  expect(drawn.map((text) => text.replace('\r\u001b[2K', ''))).toEqual([
    'Rehearsing: 1 of 4 interruption points',
    'Rehearsing: 3 of 4 interruption points',
    'Rehearsing: 4 of 4 interruption points',
    '',
  ]);
});

test('without a terminal nothing is drawn', async () => {
  const { context, drawn, told } = await contextWith(false, { rehearse: 'crash' });
  const rehearsal = await rehearsed(context);
  expect(rehearsal?.points).toEqual({ tried: 4, of: 4 });
  expect([drawn, told]).toEqual([[], []]);
});

test('there is no rehearsal without the option', async () => {
  const { context } = await contextWith(true, {});
  expect(await rehearsed(context)).toBeUndefined();
});
