import type { JsonObject } from '../../../base/json/json.ts';
import type { Problem } from '../../../schema/record/problem.ts';
import type { Route } from '../../dispatch/route.ts';
import { invalid } from '../../http/apiFailure.ts';
import { noFaults, readFaults } from '../../http/faults/fault.ts';
import { reply } from '../../http/message.ts';
import { parseObject } from '../../http/readBody.ts';

const faults: JsonObject = {
  type: 'object',
  properties: { seed: { type: 'string' }, faults: { type: 'array', items: { type: 'object' } } },
  required: ['faults'],
};

/** Injected faults (local only). */
export const faultRoutes: readonly Route[] = [
  {
    id: 'faults.read',
    method: 'GET',
    path: '/-faults',
    summary: 'Read the faults, with the number of matching requests and of injected faults of each',
    permission: 'admin',
    devOnly: true,
    answer: faults,
    handle: ({ platform }) => reply(200, platform.service.faults.shown()),
  },
  {
    id: 'faults.set',
    method: 'POST',
    path: '/-faults',
    summary: 'Set the faults; replaces earlier ones',
    permission: 'admin',
    devOnly: true,
    body: faults,
    answer: faults,
    handle({ platform, request }) {
      const body = parseObject(request.bodyText);
      const problems: Problem[] = [];
      const read = readFaults(body, problems);
      if (problems.length > 0) throw invalid(problems);
      platform.service.faults.set(read, body);
      return reply(200, platform.service.faults.shown());
    },
  },
  {
    id: 'faults.clear',
    method: 'DELETE',
    path: '/-faults',
    summary: 'Remove all faults',
    permission: 'admin',
    devOnly: true,
    answer: faults,
    handle({ platform }) {
      platform.service.faults.set(noFaults, { faults: [] });
      return reply(200, platform.service.faults.shown());
    },
  },
];
