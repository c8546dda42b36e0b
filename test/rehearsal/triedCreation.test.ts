import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RehearsalInput } from '../../src/rehearsal/input.ts';
import { Recorder } from '../../src/rehearsal/recorder.ts';
import { openTown, type Town } from './town.ts';

let town: Town;
beforeEach(async () => {
  town = await openTown();
});
afterEach(() => town.close());

const before = 'kind: secret\nname: key\ntype: opaque\ndata: {payload: first}\n';
const after = 'kind: secret\nname: key\ntype: dictionary\ndata: {payload: second}\n';

/** Rehearses it with every interruption; returns how many dry runs were sent, also after an interruption. */
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

describe('a rehearsal tries creations where the live platform offers dry runs', () => {
  test('also in the plans made after an interruption', async () => {
    await town.apply(before);
    // Undisturbed, and standing still for each fork. Again: where the answers of PATCH, DELETE and POST are lost, one
    // each;
    // and in the plans that are made where nothing is deleted yet: before the PATCH, and after it.
    expect(await dryRuns(await town.planned(after))).toEqual({ first: 2, again: 5 });
  });

  test('and only there', async () => {
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
