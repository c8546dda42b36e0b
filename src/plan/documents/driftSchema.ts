import type { JsonObject } from '../../schema/json/json.ts';
import { fieldsForm } from './planDocument.ts';
import { driftStates } from '../drift/drift.ts';

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const fields = fieldsForm.schema;

const write = {
  type: 'object',
  required: ['action', 'version', 'at', 'by', 'fields'],
  additionalProperties: false,
  properties: {
    action: { enum: ['create', 'edit', 'delete'] },
    version: { ...count, description: 'Of the record after the write; of a deletion, before it.' },
    at: { ...text, description: 'ISO 8601.' },
    by: {
      type: 'object',
      required: ['name', 'type'],
      additionalProperties: false,
      properties: { name: text, type: { ...text, description: 'user, serviceaccount, ...' } },
    },
    fields: { ...fields, description: 'What this write changed.' },
  },
} as const;

const resource = {
  type: 'object',
  required: ['id', 'state', 'orphaned', 'fields', 'writes'],
  additionalProperties: false,
  properties: {
    id: { ...text, description: 'kind/[gvc/]name' },
    state: {
      enum: driftStates,
      description:
        'untouched: as this stack left it. touched: written by others since. recreated: deleted and made anew by others. unrecorded: with gantry/stack, but without gantry/applied. copy: its tags were written for another resource. owner-lost: gantry/stack was removed. other-owner: another stack owns it. deleted: by others. hidden: this token may not view it.',
    },
    part: { const: true, description: 'This stack owns a part of it only, and what is said is about that part.' },
    orphaned: { type: 'boolean', description: 'Of this stack, and declared by none of its manifests.' },
    version: { ...count, description: 'That it has now.' },
    recordedVersion: { ...count, description: "That this stack's last write produced." },
    owner: { ...text, description: 'Of other-owner: that stack.' },
    fields: {
      ...fields,
      type: ['array', 'null'],
      description: 'What is different since then, all writes together. Null: unknown.',
    },
    writes: {
      type: ['array', 'null'],
      items: write,
      description: 'Every write since then, newest first. Null: the audit trail cannot be read.',
    },
    secretsUnknown: { const: true, description: 'Values of secrets may have changed: the trail holds none.' },
  },
} as const;

/** The JSON Schema of `gantry drift -o json`; `gantry schema drift` prints it. */
export const driftSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'gantry/drift.json',
  title: 'Gantry drift, format 1',
  type: 'object',
  required: ['formatVersion', 'org', 'stack', 'drifted', 'declarationsKnown', 'resources', 'requests', 'summary'],
  additionalProperties: false,
  properties: {
    formatVersion: { const: 1 },
    org: text,
    stack: { ...text, description: 'The owner: the value of the tag gantry/stack.' },
    drifted: { type: 'boolean', description: 'With --detailed-exitcode the exit code is 2 then.' },
    declarationsKnown: {
      type: 'boolean',
      description: 'False: no manifests were read, so what is orphaned or was deleted is not known.',
    },
    resources: { type: 'array', items: resource, description: 'Ordered by id.' },
    requests: count,
    summary: {
      type: 'object',
      required: [...driftStates, 'orphaned'],
      additionalProperties: false,
      properties: Object.fromEntries([...driftStates, 'orphaned'].map((name) => [name, count])),
    },
  },
} as const satisfies JsonObject;
