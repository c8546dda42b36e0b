import type { JsonObject } from '../../schema/json/json.ts';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const count = { type: 'integer', minimum: 0 } as const;

const races = {
  type: 'array',
  description: 'Records that somebody else wrote between the plan and our own write.',
  items: {
    type: 'object',
    required: ['id', 'outcome', 'from', 'theirs', 'notWritten', 'by'],
    additionalProperties: false,
    properties: {
      id: text,
      outcome: { enum: ['written', 'stale'], description: 'Ours was written on top of theirs, or given up.' },
      from: { ...count, description: 'The version that the plan was made from; 0 for none.' },
      to: { ...count, description: 'Their last version; absent when the record is gone.' },
      theirs: { ...texts, description: 'Fields of theirs that are still there.' },
      notWritten: { ...texts, description: 'Fields of ours that were not written.' },
      by: { ...texts, description: 'Who wrote, from the audit trail; unknown where it does not say.' },
    },
  },
} as const;

const reached = {
  enum: ['written', 'deleted'],
  description:
    'How far it came; absent: its record is untouched. written: what came after the write is missing. deleted: it was to be replaced, and was not created again.',
} as const;

const changeRun = {
  type: 'object',
  required: ['id', 'outcome'],
  additionalProperties: false,
  properties: {
    id: text,
    outcome: { enum: ['done', 'ready', 'failed', 'skipped'], description: 'ready: unchanged, and waited for.' },
    reached,
    version: { ...count, description: 'That this run wrote, or found unchanged.' },
    endpoints: { ...texts, description: 'Addresses at which a workload or a domain answers.' },
    startedAt: { ...text, description: 'ISO 8601; absent: no step of it was begun.' },
    elapsedMs: { type: 'number', minimum: 0, description: 'Until its last step ended, waits included.' },
  },
} as const;

/** `result` of a plan in JSON: what `apply` and `destroy` add. */
export const resultSchema = {
  type: 'object',
  description: 'What became of it: only in the output of apply and destroy, once something was run.',
  required: ['outcome', 'done', 'failed', 'skipped', 'requests', 'verified', 'interrupted'],
  additionalProperties: false,
  properties: {
    outcome: {
      enum: ['done', 'partly', 'not-ready', 'failed', 'stale', 'interrupted'],
      description:
        'Of the whole run. not-ready: all was written, and something was not ready in time. partly: something was written or deleted, and something is left to do. failed, stale: nothing was written.',
    },
    startedAt: { ...text, description: 'ISO 8601.' },
    elapsedMs: { type: 'number', minimum: 0 },
    done: { ...texts, description: 'Ids, in the order in which they ended.' },
    ready: { ...texts, description: 'Unchanged resources that were waited for, and are ready.' },
    changes: {
      type: 'array',
      items: changeRun,
      description: 'Everything above and below, in the order in which it ended.',
    },
    failed: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'code', 'message'],
        additionalProperties: false,
        properties: { id: text, code: text, message: text, hint: text, reached },
      },
    },
    skipped: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'because'],
        additionalProperties: false,
        properties: {
          id: text,
          because: text,
          reached,
        },
      },
    },
    requests: count,
    verified: { type: ['boolean', 'null'], description: 'Null: interrupted before it.' },
    verification: {
      enum: ['written', 'full'],
      description: 'What verified is about: the versions of what was written, or everything, planned again.',
    },
    differences: { ...texts, description: 'What verification found to be otherwise than written.' },
    interrupted: { type: 'boolean' },
    races,
    notes: { ...texts, description: 'What one has to know of how it was done.' },
  },
} as const satisfies JsonObject;
