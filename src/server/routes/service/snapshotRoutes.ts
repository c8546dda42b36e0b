import type { JsonObject } from '../../../base/json/json.ts';
import type { Route } from '../../dispatch/route.ts';
import { maxSnapshotBytes } from '../../http/limits.ts';
import { reply } from '../../http/message.ts';
import { snapshotContent } from './snapshotContent.ts';
import { snapshotText } from './snapshotText.ts';

const snapshot: JsonObject = {
  type: 'object',
  properties: { format: { type: 'integer' }, orgs: { type: 'object' } },
  required: ['format', 'orgs'],
};

/** Reads and replaces the whole state as one document (local only). */
export const snapshotRoutes: readonly Route[] = [
  {
    id: 'snapshot.read',
    method: 'GET',
    path: '/-snapshot',
    summary: 'Read the whole state; secret values only with ?secrets=true',
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
    bodyInPieces: true,
    answer: 'empty',
    async handle({ platform, request, caller }) {
      const { bodyPieces = [], isGone } = request;
      const reading = { home: platform.service.home, caller: caller.link, isGone };
      await platform.service.replace(snapshotContent(bodyPieces, reading));
      return reply(200, {});
    },
  },
];
