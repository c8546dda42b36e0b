import type { JsonObject } from '../../../base/json/json.ts';
import { errorCodes } from '../../../schema/facts/errorCodes.ts';
import type { Described } from './described.ts';
import { ref } from './reference.ts';

const titles: Readonly<Record<number, string>> = {
  400: 'What was sent is not valid, or not possible here',
  401: 'The token is missing or not valid',
  403: 'Not allowed',
  404: 'Not there',
  409: 'Not possible in the present state',
  413: 'The body is too large',
  415: 'Not JSON',
  429: 'Too many requests, or a quota is used up',
  503: 'Nothing can be read or written at present',
};

/** Refusals by their status, each with its codes and an example. */
export const refusals: JsonObject = {
  ...Object.fromEntries(Object.entries(titles).map(([status, title]) => [`Refused${status}`, refusal(+status, title)])),
  Refused: { description: 'Any other refusal.', content: { 'application/json': { schema: ref('Error') } } },
};

function refusal(status: number, title: string): JsonObject {
  const codes = Object.entries(errorCodes).filter(([, facts]) => facts.status === status);
  const list = codes.map(([code, facts]) => `- \`${code}\`: ${facts.title}`).join('\n');
  // One code is enough to show the format.
  const [[code, { title: message }] = ['internal_error', errorCodes.internal_error]] = codes;
  const example = { status, code, message, id: '6f1c2d54-0b0e-4c55-9a55-0c3a3f1d9f10' };
  return {
    description: `${title}.\n\n${list}`,
    content: { 'application/json': { schema: ref('Error'), example } },
  };
}

/** The refusals of an operation. */
export function refusalsOf({ method, path, permission, body, query }: Described): JsonObject {
  const takesInput = body !== undefined || query !== undefined || path.includes('{') || method !== 'GET';
  const statuses = [
    ...(takesInput ? [400] : []),
    ...(permission === 'none' ? [] : [401]),
    403,
    ...(path.includes('{') ? [404] : []),
    ...(method === 'GET' || body === 'query' ? [] : [409]),
    ...(body === undefined ? [] : [413, 415]),
    ...[429, 503],
  ];
  return {
    ...Object.fromEntries(statuses.map((status) => [`${status}`, response(`Refused${status}`)])),
    default: response('Refused'),
  };
}

function response(name: string): JsonObject {
  return { $ref: `#/components/responses/${name}` };
}
