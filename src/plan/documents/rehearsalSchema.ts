import type { JsonObject } from '../../schema/json/json.ts';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const count = { type: 'integer', minimum: 0 } as const;

const request = {
  number: { type: 'integer', minimum: 1, description: 'From 1, in the order of the undisturbed run.' },
  method: text,
  path: text,
} as const;

/** `rehearsal` of a plan in JSON: there with `plan --rehearse`, unless the plan is refused. */
export const rehearsalSchema = {
  type: 'object',
  description: 'How the plan went in a platform of its own process; never that it is safe. Only with --rehearse.',
  required: ['consistent', 'requests', 'points', 'stoodInFor', 'proposed', 'unreadReferrers'],
  additionalProperties: false,
  properties: {
    consistent: { type: 'boolean', description: 'False: there is a problem, and the exit code is 1.' },
    requests: { ...count, description: 'Requests that the undisturbed run sent.' },
    points: {
      type: 'object',
      description: 'Points of interruption: before each request, and after each whose answer is lost.',
      required: ['tried', 'of'],
      additionalProperties: false,
      properties: { tried: count, of: count, seed: { ...text, description: 'Of the sample, where one was drawn.' } },
    },
    stoodInFor: { ...texts, description: 'What was not read and had to be there.' },
    proposed: { ...texts, description: 'What the plan relies on and the documents only propose.' },
    unreadReferrers: {
      ...texts,
      description: 'What goes although nobody read who else refers to it: the platform keeps what is referred to.',
    },
    problem: {
      type: 'object',
      required: ['what', 'differences'],
      additionalProperties: false,
      properties: {
        what: { enum: ['apply', 'plan', 'state'] },
        point: {
          type: 'object',
          description: 'The point of interruption that did not converge.',
          required: ['number', 'method', 'path', 'when'],
          additionalProperties: false,
          properties: { ...request, when: { enum: ['before', 'after'] } },
        },
        request: {
          type: 'object',
          description: 'The request of the undisturbed run that went wrong.',
          required: ['number', 'method', 'path'],
          additionalProperties: false,
          properties: request,
        },
        differences: { ...texts, description: 'What was otherwise, in words; no value is in it.' },
      },
    },
  },
} as const satisfies JsonObject;
