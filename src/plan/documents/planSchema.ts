import { errorMember } from '../../schema/published/errorSchema.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { actions } from '../model/change.ts';
import { risks } from '../../schema/facts/risk.ts';
import { storageSchema } from './storageSchema.ts';
import { losableThings } from '../record/gvcLosses.ts';
import { rehearsalSchema } from './rehearsalSchema.ts';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const count = { type: 'integer', minimum: 0 } as const;

const refusals = {
  type: 'array',
  description: 'Why it is refused; a plan with any refusal writes nothing.',
  items: {
    type: 'object',
    required: ['code', 'message'],
    additionalProperties: false,
    properties: {
      code: { ...text, description: 'Stable and dotted, for scripts: delete.bystander, adopt.not-asked, ...' },
      message: text,
      allow: { ...text, description: 'The flag or the field that would allow it; absent when nothing does.' },
    },
  },
} as const;

const place = {
  type: 'object',
  required: ['file', 'line', 'column'],
  additionalProperties: false,
  properties: { file: text, line: count, column: count },
} as const;

const cause = {
  type: 'object',
  additionalProperties: false,
  properties: {
    code: { const: true, description: 'What is declared is not what this stack wrote last.' },
    others: {
      type: 'array',
      description: 'Writes of others since then, the newest first; empty: nobody knows whose.',
      items: {
        type: 'object',
        required: ['name', 'type', 'version', 'at'],
        additionalProperties: false,
        properties: { name: text, type: text, version: count, at: { ...text, description: 'ISO 8601.' } },
      },
    },
    platform: { const: true, description: 'The platform changed it, or what leaving it out means is another value.' },
    unsure: { const: true, description: 'One of these: nobody can tell them apart.' },
    since: { ...count, description: 'The version that the last write of this stack produced.' },
  },
} as const;

const field = {
  type: 'object',
  required: ['path'],
  additionalProperties: false,
  description: 'One field that will be different. Without old it is added, without new it is removed.',
  properties: {
    path: { ...text, description: 'Dotted, list items by key, other keys quoted: spec.containers.main.cpu' },
    old: { description: 'Any value; of a sensitive field {"sensitive": true, "changed": true or false}.' },
    new: { description: 'Any value; of a sensitive field {"sensitive": true, "changed": true or false}.' },
    risk: { enum: risks, description: 'What the change of this field can do; absent: none.' },
    cause: { ...cause, description: 'Why it differs, where the audit trail was asked; else as for the whole change.' },
    place: { ...place, description: 'Where its new value is written; absent where no manifest says it.' },
  },
} as const;

const edge = {
  type: 'object',
  required: ['step', 'on', 'because', 'soft'],
  additionalProperties: false,
  properties: {
    step: { enum: ['write', 'delete', 'then'], description: 'The step of this change that waits.' },
    on: { ...text, description: 'The id of the change that must be done first.' },
    onStep: { enum: ['delete', 'then'], description: 'Only this step of it must be done.' },
    because: text,
    soft: { type: 'boolean', description: 'A failure of the other change does not skip this one.' },
    ready: { const: true, description: 'The other resource must be ready, not only written.' },
  },
} as const;

const change = {
  type: 'object',
  required: ['id', 'action', 'kind', 'name', 'reason', 'fields', 'requires', 'cascadesTo', 'wait', 'refusals', 'notes'],
  additionalProperties: false,
  properties: {
    id: { ...text, description: 'kind/[gvc/]name' },
    action: { enum: actions },
    intended: { enum: actions, description: 'What a refused change would have been.' },
    kind: text,
    name: text,
    gvc: { ...text, description: 'Absent for kinds of the org.' },
    place: { ...place, description: 'Where it is declared, lines and columns from 1; absent where it is not.' },
    reason: { ...text, description: 'Empty for keep.' },
    cause: { ...cause, description: 'Why it is not what is declared; absent for what is created or deleted.' },
    part: { const: true, description: 'Only single items of it belong to the stack (lifecycle.part).' },
    unowned: {
      const: true,
      description: 'Kept because it is not, or may not be, of this stack: a copy, or without gantry/applied.',
    },
    renamedFrom: { ...text, description: 'Of a creation: the resource whose name it had before; that one is deleted.' },
    fields: { type: 'array', items: field },
    create: { type: 'object', description: 'The POST body, sensitive values masked.' },
    patch: { type: 'object', description: 'The PATCH body with id and version, sensitive values masked.' },
    then: { type: 'object', description: 'The PATCH of the second step, without id and version.' },
    liveVersion: { type: 'integer', description: 'The version that the live record has now.' },
    requires: { ...texts, description: 'Ids of the changes that must be done first.' },
    thenRequires: { ...texts, description: 'The same for the second step.' },
    waitsFor: { type: 'array', items: edge, description: 'Every edge with its reason.' },
    cascadesTo: { ...texts, description: 'What the platform deletes along with it, bystanders included.' },
    via: { ...text, description: 'The GVC that takes this child along: it has no request of its own.' },
    wait: {
      type: 'boolean',
      description: 'It is done only when the resource is ready; an unchanged one is waited for too.',
    },
    waitTimeoutMs: { type: 'number', minimum: 0, description: 'lifecycle.waitTimeout in milliseconds.' },
    risk: { enum: risks, description: 'The worst that it can do; absent for keep.' },
    losesData: { ...texts, description: 'What loses its data with it; nothing else of it may hold data when it goes.' },
    takes: {
      type: 'array',
      description: 'What the update of a GVC takes from all that live in it.',
      items: {
        type: 'object',
        required: ['what', 'name'],
        additionalProperties: false,
        properties: { what: { enum: losableThings }, name: text },
      },
    },
    victims: { ...texts, description: 'Workloads and volume sets of others that it hits by that.' },
    refusals,
    notes: texts,
  },
} as const;

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

const result = {
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
} as const;

/** The JSON Schema of `gantry plan -o json`; the build writes it to `dist/schemas/plan.json`. */
export const planSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'gantry/plan.json',
  title: 'Gantry plan, format 1',
  type: 'object',
  required: ['formatVersion', 'org', 'stack', 'refused', 'changes', 'refusals', 'notes', 'risk', 'requests', 'summary'],
  additionalProperties: false,
  properties: {
    formatVersion: { const: 1 },
    org: text,
    stack: { ...text, description: 'The owner: the value of the tag gantry/stack.' },
    refused: { type: 'boolean', description: 'True if anything is refused: then apply writes nothing.' },
    changes: {
      type: 'array',
      items: change,
      description: 'One for each resource; what is written first stands first.',
    },
    refusals,
    notes: texts,
    risk: { enum: risks, description: 'The worst that the plan can do.' },
    storage: storageSchema,
    leftOut: {
      type: 'array',
      description: 'Of a partial plan: the changes that --target and --exclude leave for later.',
      items: {
        type: 'object',
        required: ['id', 'action'],
        additionalProperties: false,
        properties: { id: text, action: { enum: actions } },
      },
    },
    requests: {
      type: 'object',
      required: ['snapshot', 'apply'],
      additionalProperties: false,
      properties: { snapshot: count, apply: count },
    },
    summary: {
      type: 'object',
      required: actions,
      additionalProperties: false,
      properties: Object.fromEntries(actions.map((action) => [action, count])),
    },
    rehearsal: rehearsalSchema,
    result,
    error: errorMember,
  },
} as const satisfies JsonObject;
