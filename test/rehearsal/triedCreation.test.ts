import { describe, expect, test } from 'vitest';
import type { RehearsalInput } from '../../src/rehearsal/input.ts';
import { Recorder } from '../../src/rehearsal/recorder.ts';
import { townForEach } from './town.ts';

const town = townForEach();

const before = 'kind: secret\nname: key\ntype: opaque\ndata: {payload: first}\n';
const after = 'kind: secret\nname: key\ntype: dictionary\ndata: {payload: second}\n';

/** Rehearses the plan with every interruption; returns the number of dry runs, undisturbed and after interruptions. */
async function dryRuns(input: RehearsalInput) {
  const sent = { first: 0, again: 0 };
  const { problem } = await town.rehearseInput({
    ...input,
    crash: true,
    around: (exchange, where) => ({
      ...exchange,
      send: (request) => {
        if (request.method === 'PUT') sent[where] += 1;
        return exchange.send(request);
      },
    }),
  });
  expect(problem).toBeUndefined();
  return sent;
}

describe('a rehearsal sends dry runs of creations if the live platform offers them', () => {
  test('including those of plans made after an interruption', async () => {
    await town.apply(before);
    // First: in the undisturbed run, and in the run that is forked. Again: one each if the answer of PATCH, DELETE or
    // POST is lost, and one in each plan made while nothing is deleted yet, before and after the PATCH.
    expect(await dryRuns(await town.planned(after))).toEqual({ first: 2, again: 5 });
  });

  test('and sends none otherwise', async () => {
    await town.apply(before);
    const { plan, snapshot, ...input } = await town.planned(after);
    const [{ dryRun: _, ...saidNot }, { dryRun: _live, ...live }] = [plan, snapshot];
    expect(await dryRuns({ ...input, plan: saidNot, snapshot: live })).toEqual({ first: 0, again: 0 });
  });
});

test('a dry run does not count as a write', async () => {
  const recorder = new Recorder();
  const answer = { status: 200, body: {}, retryAfter: undefined, date: undefined };
  const exchange = recorder.around({ send: async () => answer, close: async () => {} });
  await exchange.send({ method: 'PUT', path: '/org/local/secret/key-dry-run?dryRun=true', body: {} });
  expect(recorder.writes).toBe(0);
  await exchange.send({ method: 'POST', path: '/org/local/secret', body: {} });
  expect(recorder.writes).toBe(1);
});
