import { At, tryRead } from '../../../base/form/read.ts';
import { bodyProblems } from '../../../schema/record/problem.ts';
import { invalid } from '../../http/apiFailure.ts';
import type { Route } from '../../http/dispatch/route.ts';
import { faultsReader, noFaults } from '../../http/faults/fault.ts';
import { reply } from '../../http/message.ts';
import { parseObject } from '../../http/readBody.ts';

const faults = faultsReader.schema;

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
      const read = tryRead(() => faultsReader.read(body, new At()));
      if ('problems' in read) throw invalid(bodyProblems(read.problems, 'faults'));
      platform.service.faults.set(read.value, body);
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
