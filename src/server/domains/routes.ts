import { isArray, type JsonObject, own } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { existingRow } from '../core/rows.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import { callRef, itemTemplate, orgTemplate, type Route } from '../http/dispatch/route.ts';
import { reply } from '../http/message.ts';
import { parseObject } from '../http/readBody.ts';
import { setTextRecords, textRecordOf } from '../records/domainOwnership.ts';
import { simulatedWorld } from '../records/shown/domainFacts.ts';
import { writtenReply } from '../records/writtenReply.ts';
import { setSimulatedWorld } from './domainState.ts';

const txt: JsonObject = {
  type: 'array',
  items: {
    type: 'object',
    properties: { host: { type: 'string' }, value: { type: 'string' } },
    required: ['host', 'value'],
  },
};

const choices = { dns: ['resolved', 'unresolved'], certificate: ['issued', 'refused'] } as const;

/** Sets the state of DNS and certificates (local only), because this platform makes no DNS requests. */
export const domainRoutes: readonly Route[] = [
  {
    id: 'domain.simulateDns',
    method: 'POST',
    path: `${orgTemplate('domain')}/-simulate`,
    summary: 'Set the TXT records that prove the ownership of domains',
    kind: 'domain',
    permission: 'admin',
    devOnly: true,
    body: { type: 'object', properties: { txt }, required: ['txt'], additionalProperties: false },
    answer: { type: 'object', properties: { txt } },
    async handle({ platform, request }) {
      const txt = own(parseObject(request.bodyText), 'txt');
      const records = isArray(txt) ? compact(txt, textRecordOf) : [];
      if (!isArray(txt) || records.length !== txt.length) {
        throw new ApiFailure(400, 'txt: must be a list of {host, value}');
      }
      await platform.store.write((tx) => setTextRecords(tx, records));
      return reply(200, { txt: records.map(({ host, value }) => ({ host, value })) });
    },
  },
  {
    id: 'domain.simulate',
    method: 'POST',
    path: `${itemTemplate('domain')}/-simulate`,
    summary: 'Set whether the DNS records of a domain resolve, and whether its certificate is issued',
    kind: 'domain',
    permission: 'admin',
    devOnly: true,
    body: {
      type: 'object',
      properties: { dns: { enum: [...choices.dns] }, certificate: { enum: [...choices.certificate] } },
      additionalProperties: false,
    },
    answer: 'record',
    async handle(call) {
      const body = parseObject(call.request.bodyText);
      const { platform, caller } = call;
      return platform.store.write((tx) => {
        const ref = callRef(call, 'domain');
        const row = existingRow(tx, ref);
        const before = simulatedWorld(row);
        const world = {
          dns: choice(body, 'dns', choices.dns) ?? before.dns,
          certificate: choice(body, 'certificate', choices.certificate) ?? before.certificate,
        };
        setSimulatedWorld({ platform, tx }, row, world);
        return writtenReply({ platform, tx, caller }, existingRow(tx, ref), 200).reply;
      });
    },
  },
];

function choice<const Choice extends string>(
  body: JsonObject,
  name: string,
  known: readonly Choice[],
): Choice | undefined {
  const value = own(body, name);
  if (value === undefined) return undefined;
  const found = known.find((each) => each === value);
  if (found === undefined) throw new ApiFailure(400, `${name}: must be one of ${known.join(', ')}`);
  return found;
}
