import type { JsonObject } from '../../base/json/json.ts';
import { closed } from '../api/openapi/closed.ts';
import { stages } from '../commands/decisions/lifecycle.ts';

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time' };

/** A command in answers (platform/commands). */
export const commandAnswer: JsonObject = {
  type: 'object',
  properties: {
    kind: { type: 'string', enum: ['command'] },
    id: text,
    ownerId: text,
    version: { type: 'integer' },
    created: time,
    lastModified: time,
    links: { type: 'array', items: { type: 'object', properties: { rel: text, href: text } } },
    tags: { type: 'object' },
    type: text,
    spec: { type: 'object' },
    lifecycleStage: { type: 'string', enum: [...stages] },
    status: { type: 'object' },
  },
  required: ['kind', 'id', 'ownerId', 'version', 'created', 'lastModified', 'links', 'type', 'spec', 'lifecycleStage'],
};

/** The body of a new command: one form for each type. */
export function createBody(types: readonly { readonly type: string; readonly spec: JsonObject }[]): JsonObject {
  return closed({
    oneOf: types.map(({ type, spec }) => ({
      type: 'object',
      properties: { type: { type: 'string', enum: [type] }, spec, tags: { type: 'object' } },
      required: spec['required'] === undefined ? ['type'] : ['type', 'spec'],
    })),
  });
}

/** The body of a PATCH of a command (platform/commands.stages). */
export const patchBody: JsonObject = {
  type: 'object',
  properties: {
    lifecycleStage: { type: 'string', enum: ['cancelled', 'cancellation-requested'] },
    version: { type: 'integer' },
    id: text,
  },
  required: ['lifecycleStage'],
};
