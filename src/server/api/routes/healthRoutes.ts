import { notFound } from '../../http/apiFailure.ts';
import type { Route } from '../../http/dispatch/route.ts';
import { reply } from '../../http/message.ts';

/** For those who operate the server. */
export const healthRoutes: readonly Route[] = [
  {
    id: 'health',
    method: 'GET',
    path: '/-health',
    summary: 'Check whether the server and its database work',
    permission: 'none',
    answer: { type: 'object', properties: { status: { type: 'string', enum: ['ok'] } } },
    async handle({ platform }) {
      await platform.service.database.check();
      return reply(200, { status: 'ok' });
    },
  },
  {
    id: 'metrics',
    method: 'GET',
    path: '/-metrics',
    summary: 'Read metrics in the text format of Prometheus',
    permission: 'none',
    tokenElsewhere: true,
    answer: 'text',
    async handle({ platform, request }) {
      const text = await platform.service.metrics?.();
      if (text === undefined) throw notFound(request.path);
      return { status: 200, body: text, headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } };
    },
  },
];
