import { At, tryRead } from '../../base/form/read.ts';
import { type JsonObject, objectAt, own } from '../../base/json/json.ts';
import { durationMs } from '../../base/text/duration.ts';
import { bodyProblems } from '../../schema/record/problem.ts';
import { lastSegment } from '../../schema/record/ref.ts';
import type { Clock } from '../core/clock.ts';
import { findRow } from '../core/rows.ts';
import { type Call, readIn } from '../core/session.ts';
import { ApiFailure, invalid, notFound } from '../http/apiFailure.ts';
import type { Route } from '../http/dispatch/route.ts';
import { faultsReader, noFaults } from '../http/fault.ts';
import { localAccount, longestStepMs } from '../http/limits.ts';
import { type ApiReply, reply } from '../http/message.ts';
import { parseObject } from '../http/readBody.ts';
import { Presenter } from '../records/shown/presenter.ts';
import { discovery } from './openapi/discovery.ts';

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

/** Clients read this before they have a token (platform/wire.discovery). */
const about: JsonObject = { name: 'gantry' };

const account: JsonObject = {
  kind: 'account',
  id: localAccount,
  name: localAccount,
  description: localAccount,
  links: [{ rel: 'self', href: `/account/${localAccount}` }],
};

/** The paths outside any org: addresses of services, the caller, billing accounts (platform/wire.discovery). */
export const discoveryRoutes: readonly Route[] = [
  {
    id: 'discovery',
    method: 'GET',
    path: '/discovery',
    summary: 'List the addresses of the services',
    permission: 'none',
    answer: { type: 'object' },
    handle: ({ request }) => reply(200, discovery(request.base ?? '')),
  },
  {
    id: 'about',
    method: 'GET',
    path: '/about',
    summary: 'Read the name of the server',
    permission: 'none',
    answer: { type: 'object' },
    handle: () => reply(200, about),
  },
  {
    id: 'user.self',
    method: 'GET',
    path: '/user',
    summary: 'Read who the caller is',
    permission: 'token',
    answer: { type: 'object' },
    handle: self,
  },
  {
    id: 'account.list',
    method: 'GET',
    path: '/account',
    summary: 'List the billing accounts',
    permission: 'token',
    answer: 'list',
    handle: () => {
      const links = [{ rel: 'self', href: '/account' }];
      return reply(200, { kind: 'list', itemKind: 'account', items: [account], links });
    },
  },
  {
    id: 'account.read',
    method: 'GET',
    path: '/account/{account}',
    summary: 'Read a billing account',
    permission: 'token',
    answer: { type: 'object' },
    handle: ({ params, request }) => {
      if (params['account'] !== localAccount) throw notFound(request.path);
      return reply(200, account);
    },
  },
];

/** The record of the caller, if it exists in the org that the server was started with. */
async function self(call: Call): Promise<ApiReply> {
  const { caller } = call;
  const body = await readIn(call, ({ platform, tx }) => {
    const row = findRow(tx, { kind: caller.kind, name: lastSegment(caller.link) });
    if (row !== undefined) return new Presenter(platform, tx).text(row);
    const { kind, name, link } = caller;
    return JSON.stringify({ kind, name, links: [{ rel: 'self', href: link }] });
  });
  return { status: 200, body };
}

const faults = faultsReader.schema;
const count = { type: 'integer' };
const countedFaults = {
  ...faults,
  properties: {
    ...objectAt(faults, 'properties'),
    counts: { type: 'array', items: { type: 'object', properties: { met: count, struck: count } } },
  },
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
    answer: countedFaults,
    handle: ({ platform }) => reply(200, platform.service.faults.toJson()),
  },
  {
    id: 'faults.set',
    method: 'POST',
    path: '/-faults',
    summary: 'Set the faults; replaces earlier ones',
    permission: 'admin',
    devOnly: true,
    body: faults,
    answer: countedFaults,
    handle({ platform, request }) {
      const body = parseObject(request.bodyText);
      const read = tryRead(() => faultsReader.read(body, new At()));
      if ('problems' in read) throw invalid(bodyProblems(read.problems, 'faults'));
      platform.service.faults.set(read.value, body);
      return reply(200, platform.service.faults.toJson());
    },
  },
  {
    id: 'faults.clear',
    method: 'DELETE',
    path: '/-faults',
    summary: 'Remove all faults',
    permission: 'admin',
    devOnly: true,
    answer: countedFaults,
    handle({ platform }) {
      platform.service.faults.set(noFaults, { faults: [] });
      return reply(200, platform.service.faults.toJson());
    },
  },
];

/** Routes for operators of the server. */
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
