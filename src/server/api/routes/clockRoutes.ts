import { type JsonObject, own } from '../../../base/json/json.ts';
import { durationMs } from '../../../base/text/duration.ts';
import type { Clock } from '../../core/clock.ts';
import { ApiFailure } from '../../http/apiFailure.ts';
import type { Route } from '../../http/dispatch/route.ts';
import { longestStepMs } from '../../http/limits.ts';
import { reply } from '../../http/message.ts';
import { parseObject } from '../../http/readBody.ts';

const time: JsonObject = {
  type: 'object',
  properties: {
    clock: { type: 'string', enum: ['real', 'virtual'] },
    now: { type: 'string', format: 'date-time' },
    jobs: { type: 'integer', description: 'The number of jobs that were run' },
  },
};

/** The time of the platform (local only). */
export const clockRoutes: readonly Route[] = [
  {
    id: 'clock.read',
    method: 'GET',
    path: '/-clock',
    summary: 'Read the time of the platform',
    permission: 'admin',
    devOnly: true,
    answer: time,
    handle: ({ platform }) => reply(200, shown(platform.service.clock)),
  },
  {
    id: 'clock.advance',
    method: 'POST',
    path: '/-clock',
    summary: 'Advance a virtual clock; jobs that become due run in order',
    permission: 'admin',
    devOnly: true,
    body: {
      type: 'object',
      properties: { advance: { type: 'string', description: 'A duration such as 36h' } },
      required: ['advance'],
      additionalProperties: false,
    },
    answer: time,
    async handle({ platform, request }) {
      const { clock, stepTo } = platform.service;
      const advance = own(parseObject(request.bodyText), 'advance');
      const ms = typeof advance === 'string' || typeof advance === 'number' ? durationMs(advance) : undefined;
      if (ms === undefined || ms > longestStepMs) {
        throw new ApiFailure(400, 'advance: must be a duration such as 30s, 36h or 7d, at most 366d');
      }
      if (clock.step === undefined)
        throw new ApiFailure(400, 'the clock is real; start the platform with --clock virtual');
      const jobs = await stepTo(clock.now() + ms);
      await platform.store.write((tx) => tx.setFact('clockMs', String(clock.now())));
      return reply(200, { ...shown(clock), jobs });
    },
  },
];

function shown(clock: Clock): JsonObject {
  return { clock: clock.step === undefined ? 'real' : 'virtual', now: new Date(clock.now()).toISOString() };
}
