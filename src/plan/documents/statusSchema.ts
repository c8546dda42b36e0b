import { errorMember } from '../../schema/published/errorSchema.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { resourceStates } from '../status/status.ts';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const count = { type: 'integer', minimum: 0 } as const;
const amount = { type: 'number', minimum: 0 } as const;
const state = {
  enum: resourceStates,
  description: 'not-ready: time, or somebody, may still make it ready. failed: it will not become ready by itself.',
} as const;
const share = {
  type: 'object',
  required: ['ready', 'total'],
  additionalProperties: false,
  properties: { ready: count, total: count },
} as const;

const deployment = {
  type: 'object',
  required: ['location', 'ready'],
  additionalProperties: false,
  properties: { location: text, ready: { type: 'boolean' }, processedVersion: count, message: text },
} as const;

const certificate = {
  type: 'object',
  required: ['location', 'status'],
  additionalProperties: false,
  properties: { location: text, status: { ...text, description: "The platform's own word." } },
} as const;

const dnsRecord = {
  type: 'object',
  required: ['type', 'host', 'value'],
  additionalProperties: false,
  properties: { type: { ...text, description: 'CNAME, NS, A, TXT' }, host: text, value: text },
} as const;

const resource = {
  type: 'object',
  required: ['id', 'state', 'health', 'reasons'],
  additionalProperties: false,
  properties: {
    id: { ...text, description: 'kind/[gvc/]name' },
    state,
    health: {
      ...text,
      description:
        "The platform's own word, such as partial or pendingDnsConfig; exists where it has none; absent; hidden from this token.",
    },
    reasons: { ...texts, description: 'Why it is not ready, and what the platform warns of.' },
    declared: { type: 'boolean', description: 'Is it in the manifests? Absent: none were read.' },
    version: { ...count, description: 'Of the record.' },
    processedVersion: {
      ...count,
      description: 'Of a workload: the version that every location has processed; absent where nobody says.',
    },
    locations: share,
    replicas: share,
    endpoints: { ...texts, description: 'Addresses at which a workload or a domain answers.' },
    deployments: {
      type: 'array',
      items: deployment,
      description: 'By location, of a workload that is not ready by its own word.',
    },
    certificates: { type: 'array', items: certificate, description: 'Of a domain, by location.' },
    dnsRecords: { type: 'array', items: dnsRecord, description: 'Records that a domain waits for.' },
    volumes: {
      type: 'object',
      description: 'Of a volume set: what is there, all locations together.',
      required: ['count', 'capacityGb', 'usedGb'],
      additionalProperties: false,
      properties: { count, capacityGb: amount, usedGb: amount },
    },
  },
} as const;

/** The JSON Schema of `gantry status -o json`; `gantry schema status` prints it. */
export const statusSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'gantry/status.json',
  title: 'Gantry status, format 1',
  type: 'object',
  required: ['formatVersion', 'org', 'stack', 'state', 'declarationsKnown', 'resources', 'requests', 'summary'],
  additionalProperties: false,
  properties: {
    formatVersion: { const: 1 },
    org: text,
    stack: { ...text, description: 'The owner: the value of the tag gantry/stack.' },
    state: { ...state, description: 'The worst of all: the exit code is 0 for ready, 2 for not-ready, 1 for failed.' },
    declarationsKnown: {
      type: 'boolean',
      description: 'False: no manifests were read, so that what is absent is not known.',
    },
    resources: { type: 'array', items: resource, description: 'Ordered by id.' },
    requests: count,
    summary: {
      type: 'object',
      required: resourceStates,
      additionalProperties: false,
      properties: Object.fromEntries(resourceStates.map((name) => [name, count])),
    },
    error: errorMember,
  },
} as const satisfies JsonObject;
