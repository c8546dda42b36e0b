import { maxSnapshotBytes } from '../decisions.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { Problem } from '../../schema/problem.ts';
import { ApiFailure, invalid } from '../http/apiFailure.ts';
import { reply } from '../http/message.ts';
import { parseLargeObject } from '../http/readBody.ts';
import { readDump } from '../rules/snapshot/readDump.ts';
import type { Route } from './route.ts';
import { snapshotText } from './snapshotText.ts';

const snapshot: JsonObject = {
  type: 'object',
  properties: { format: { type: 'integer' }, orgs: { type: 'object' } },
  required: ['format', 'orgs'],
};

/** The whole state as one document (local only). */
export const snapshotRoutes: readonly Route[] = [
  {
    id: 'snapshot.read',
    method: 'GET',
    path: '/-snapshot',
    summary: 'Read the whole state; values of secrets only with ?secrets=true',
    permission: 'admin',
    devOnly: true,
    answer: snapshot,
    handle({ platform, request, caller }) {
      const withSecrets = request.query.get('secrets') === 'true';
      return { status: 200, body: '', pieces: snapshotText(() => platform.service.view(withSecrets), caller.link) };
    },
  },
  {
    id: 'snapshot.load',
    method: 'PUT',
    path: '/-snapshot',
    summary: 'Replace the whole state',
    permission: 'admin',
    devOnly: true,
    body: snapshot,
    mostBodyBytes: maxSnapshotBytes,
    answer: 'empty',
    async handle({ platform, request }) {
      const problems: Problem[] = [];
      const dump = readDump(parseLargeObject(request.bodyText), problems);
      if (problems.length > 0) throw invalid(problems);
      if (!Object.hasOwn(dump, platform.service.home)) {
        throw new ApiFailure(400, `orgs: the org ${platform.service.home} of this server is not in it`);
      }
      await platform.service.load(dump);
      return reply(200, {});
    },
  },
];
