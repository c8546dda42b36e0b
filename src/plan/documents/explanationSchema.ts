import type { JsonObject } from '../../schema/json/json.ts';
import { risks } from '../../schema/facts/risk.ts';
import { actionForm, positionForm, refusalsForm } from './planDocument.ts';
import { sentences, reasons } from '../explain/reasons.ts';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const count = { type: 'integer', minimum: 0 } as const;
const action = actionForm.schema;
const position = positionForm.schema;

const way = {
  type: 'object',
  required: ['entries', 'leaves'],
  additionalProperties: false,
  properties: {
    entries: { ...texts, description: 'The words that it uses; the bare field is a merge, or the whole list.' },
    leaves: { ...count, description: 'Changed leaves: what is weighed first.' },
    bytes: { ...count, description: 'Bytes of JSON: what is weighed then; absent where it would tell of a secret.' },
  },
} as const;

const anything = 'Any value; of a sensitive field {"sensitive": true, "changed": true or false}.';

const field = {
  type: 'object',
  required: ['path', 'why', 'because'],
  additionalProperties: false,
  properties: {
    path: { ...text, description: 'Dotted, list items by key, other keys quoted: spec.containers.main.cpu' },
    why: {
      enum: reasons,
      description: Object.entries(sentences)
        .map(([why, sentence]) => `${why}: ${sentence}`)
        .join('. '),
    },
    because: { ...text, description: 'The same for people, with what is particular to this field.' },
    declared: { description: anything },
    at: position,
    live: { description: anything },
    before: {
      description: `Taken over from the record in whose place this one is created, whatever is declared. ${anything}`,
    },
    means: { description: 'What leaving the field out means.' },
    writer: {
      description: 'Who made the live value what it is. Null: unknown. Absent: nobody asked, because nothing differs.',
      type: ['object', 'null'],
      required: ['name', 'type', 'version', 'at'],
      additionalProperties: false,
      properties: {
        name: text,
        type: { ...text, description: 'user, serviceaccount, ...' },
        version: count,
        at: { ...text, description: 'ISO 8601.' },
      },
    },
    risk: { enum: risks },
  },
} as const;

/** The JSON Schema of `gantry explain -o json`; `gantry schema explanation` prints it. */
export const explanationSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'gantry/explanation.json',
  title: 'Gantry explanation of one resource, format 1',
  type: 'object',
  required: [
    'formatVersion',
    'org',
    'stack',
    'resource',
    'action',
    'reason',
    'requests',
    'choices',
    'fields',
    'equal',
    'counts',
    'waitsFor',
    'takesAlong',
    'refusals',
    'notes',
  ],
  additionalProperties: false,
  properties: {
    formatVersion: { const: 1 },
    org: text,
    stack: { ...text, description: 'The owner: the value of the tag gantry/stack.' },
    resource: { ...text, description: 'kind/[gvc/]name' },
    action,
    intended: { ...action, description: 'What a refused change would have been.' },
    reason: { ...text, description: 'Empty for keep.' },
    risk: { enum: risks },
    liveVersion: { type: 'integer' },
    owner: { ...text, description: 'Of the live record, in words.' },
    at: position,
    requests: {
      type: 'array',
      description: 'What is sent, in this order, sensitive values masked.',
      items: {
        type: 'object',
        required: ['method'],
        additionalProperties: false,
        properties: {
          method: { enum: ['POST', 'PATCH', 'DELETE'] },
          then: { const: true, description: 'The PATCH of the second step.' },
          body: { type: 'object' },
        },
      },
    },
    proof: {
      type: 'object',
      description: 'The patch, applied to the live copy by the reference semantics.',
      required: ['holds', 'managed', 'untouched', 'against'],
      additionalProperties: false,
      properties: {
        holds: { type: 'boolean' },
        managed: { ...count, description: 'Managed fields that then are as declared.' },
        untouched: { ...count, description: 'Fields that this stack does not manage, and that stay as they are.' },
        against: { ...texts, description: 'Paths that speak against it.' },
      },
    },
    choices: {
      type: 'array',
      description: 'Where the patch could have been written in other ways.',
      items: {
        type: 'object',
        required: ['path', 'chosen', 'rejected', 'impossible'],
        additionalProperties: false,
        properties: {
          path: text,
          then: { const: true, description: 'Of the patch of the second step.' },
          chosen: way,
          rejected: { type: 'array', items: way, description: 'The cheapest first.' },
          impossible: {
            type: 'array',
            items: {
              type: 'object',
              required: ['directives', 'because'],
              additionalProperties: false,
              properties: { directives: texts, because: text },
            },
          },
        },
      },
    },
    fields: { type: 'array', items: field, description: 'What differs; with a path, all fields there.' },
    equal: { type: 'array', items: field, description: 'What does not differ and deserves a word.' },
    counts: {
      type: 'object',
      description: 'How many fields of the live record each verdict was given to.',
      additionalProperties: false,
      properties: Object.fromEntries(reasons.map((why) => [why, count])),
    },
    waitsFor: {
      type: 'array',
      items: {
        type: 'object',
        required: ['on', 'because', 'soft'],
        additionalProperties: false,
        properties: { on: text, because: text, soft: { type: 'boolean' }, ready: { const: true } },
      },
    },
    takesAlong: {
      type: 'array',
      description: 'What the platform deletes along with it, and whose it is.',
      items: {
        type: 'object',
        required: ['id', 'owner'],
        additionalProperties: false,
        properties: { id: text, owner: text },
      },
    },
    hits: { ...texts, description: 'What the update of a GVC hits although it belongs to others.' },
    renamedFrom: { ...text, description: 'The resource that goes when this one is there.' },
    via: { ...text, description: 'The GVC that takes it along: it has no request of its own.' },
    refusals: refusalsForm.schema,
    notes: texts,
  },
} as const satisfies JsonObject;
