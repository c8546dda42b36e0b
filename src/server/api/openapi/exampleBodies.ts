import type { JsonObject } from '../../../base/json/json.ts';
import { isKnownKind } from '../../../schema/record/kinds.ts';
import type { Described } from './described.ts';
import { recordExamples } from './exampleRecords.ts';
import { snapshotExample } from './exampleSnapshot.ts';

/** Bodies that are not records, by operation. */
const byOperation: Readonly<Record<string, JsonObject>> = {
  'org.createInAccount': {
    org: { name: 'third', description: 'An org of another team' },
    invitees: ['ann@example.com'],
  },
  'org.create': { name: 'second', description: 'Another org' },
  'org.command.create': { type: 'echo', spec: { seconds: 1 } },
  'workload.command.create': { type: 'stopReplica', spec: { location: 'aws-eu-central-1', replica: 'web-0' } },
  'volumeset.command.create': {
    type: 'createVolumeSnapshot',
    spec: { location: 'aws-eu-central-1', volumeIndex: 0, snapshotName: 'before-release' },
  },
  'audit.write': {
    resource: { id: 'release-42', type: 'release', name: 'web 42', data: { commit: '4f2a9c1' } },
    action: { type: 'create' },
    result: { status: 'success' },
  },
  'domain.simulateDns': { txt: [{ host: '_platform.example.com', value: 'the-proof' }] },
  'domain.simulate': { dns: 'resolved', certificate: 'issued' },
  'serviceaccount.addKey': { description: 'The key of the release pipeline' },
  'user.invite': { emails: ['ann@example.com'], groupLink: '//group/viewers' },
  'task.simulate': { targetEmail: 'ann@example.com', description: 'Join the org' },
  'image.simulate': { name: 'web:1' },
  'workload.simulate': { load: 250 },
  'volumeset.simulate': { usedGb: 6, gbPerHour: 0.5 },
  'clock.advance': { advance: '36h' },
  'faults.set': { seed: 'one', faults: [] },
  'snapshot.load': snapshotExample,
};

/** Of any kind of record. */
const patchExample: JsonObject = { description: 'Looked after by the team of the shop', tags: { team: 'shop' } };

const queryExample: JsonObject = {
  spec: { match: 'all', terms: [{ tag: 'team', op: '=', value: 'shop' }], sort: { by: 'name', order: 'asc' } },
};

/** An example body of the operation; undefined: it has no body. */
export function bodyExample({ id, body, kind }: Described): JsonObject | undefined {
  if (body === undefined) return undefined;
  const own = byOperation[id];
  if (own !== undefined) return own;
  if (body === 'query') return queryExample;
  if (body === 'patch') return patchExample;
  if (body === 'record') return isKnownKind(kind) ? recordExamples[kind] : undefined;
  if (id.endsWith('.command.cancel')) return { lifecycleStage: 'cancellation-requested' };
  return id.startsWith('task.answer') ? { answer: 'accept' } : undefined;
}
