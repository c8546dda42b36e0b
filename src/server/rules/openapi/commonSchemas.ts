import { errorCodes } from '../../../schema/errorCodes.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { mostProblems } from '../../decisions.ts';
import { ref } from './reference.ts';

const links: JsonObject = {
  type: 'array',
  items: {
    type: 'object',
    properties: { rel: { type: 'string' }, href: { type: 'string' } },
    required: ['rel', 'href'],
  },
};

const page: JsonObject = { itemKind: { type: 'string' }, items: { type: 'array', items: {} }, links };

/** What all kinds have in common: pages, queries and refusals. */
export const commonSchemas: JsonObject = {
  Error: {
    type: 'object',
    description: 'The body of every refusal.',
    properties: {
      status: { type: 'integer' },
      message: { type: 'string' },
      code: {
        type: 'string',
        enum: Object.keys(errorCodes),
        description: Object.entries(errorCodes)
          .map(([code, { status, title }]) => `${code} (${status}): ${title}`)
          .join('\n'),
      },
      details: {
        type: 'object',
        properties: {
          problems: { type: 'array', items: ref('Problem'), maxItems: mostProblems },
          more: { type: 'boolean', description: 'True: there are more problems than these.' },
        },
        description: 'What is wrong, one by one, and what else helps.',
      },
      id: { type: 'string' },
    },
    required: ['status', 'message', 'code', 'id'],
  },
  Problem: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'The place in the body; empty for the whole.' },
      message: { type: 'string' },
      rule: { type: 'string', description: 'The rule that is broken, as `gantry rules` lists it.' },
    },
    required: ['path', 'message', 'rule'],
  },
  List: { type: 'object', properties: { kind: { const: 'list' }, ...page }, required: ['kind', 'items', 'links'] },
  QueryResult: {
    type: 'object',
    properties: { kind: { const: 'queryresult' }, ...page, query: ref('Query') },
    required: ['kind', 'items', 'links'],
  },
  Query: {
    type: 'object',
    properties: {
      kind: { type: 'string' },
      fetch: { type: 'string', enum: ['items', 'links'] },
      spec: {
        type: 'object',
        properties: {
          match: { type: 'string', enum: ['all', 'any', 'none'], default: 'all' },
          terms: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                op: { type: 'string', default: '=' },
                property: { type: 'string' },
                rel: { type: 'string' },
                tag: { type: 'string' },
                value: {},
              },
            },
          },
          sort: {
            type: 'object',
            properties: { by: { type: 'string' }, order: { type: 'string', enum: ['asc', 'desc'], default: 'asc' } },
          },
        },
      },
    },
  },
};
