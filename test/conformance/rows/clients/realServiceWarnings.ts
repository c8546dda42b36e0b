import { expect } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/base/json/json.ts';
import { same } from '../../harness/fieldRows.ts';
import { makeGvc, makeSecret, makeVolumeSet, makeWorkload, specOf, town } from '../../harness/fixtures.ts';
import { at } from '../../harness/place.ts';
import { ownRow, type Part, parted, partOf, type Row, row } from '../../harness/row.ts';
import type { Wire } from '../../harness/wire.ts';

/** Sends a write; demands the rule in the header of warnings, and the stored value at the place. */
async function warned(wire: Wire, rule: string, collection: string, body: JsonObject, place: string): Promise<void> {
  const reply = await wire.call('POST', collection, body);
  expect(reply.status, reply.text).toBe(201);
  expect(reply.body['message']).toBeUndefined();
  expect(reply.headers.get('x-scheme-warning')).toMatch(new RegExp(`(^|, )${rule};path="`));
  same(at(await wire.get(`${collection}/${body['name']}`), place), at(linksInFull(body), place) ?? null);
}

/** The body with its links in the stored form. Short links within a GVC mean the GVC of the record. */
function linksInFull(body: JsonObject): JsonValue {
  const text = JSON.stringify(body).replaceAll(/"\/\/(workload|identity)\//g, `"//gvc/${body['name']}/$1/`);
  return JSON.parse(text.replaceAll('"//', '"/org/local/'));
}

const shared = { fileSystemType: 'shared', performanceClass: 'shared', initialCapacity: 10 };
const autoscaling = 'spec/defaultOptions/autoscaling';

const withKeda = (more: JsonObject) =>
  specOf('standard', {
    defaultOptions: {
      capacityAI: false,
      autoscaling: { metric: 'keda', keda: { triggers: [{ type: 'redis', name: 'q' }] }, ...more },
    },
  });

function inGvc(rule: string, it: string, gvc: JsonObject, spec: JsonObject, field: string): Row {
  return row(`concepts.real-service/${rule}`, `${it} is stored with a warning`, async (wire) => {
    const collection = `gvc/${await makeGvc(wire, gvc)}/workload`;
    await warned(wire, rule, collection, { name: wire.name('work'), spec }, `${autoscaling}/${field}`);
  });
}

type Body = JsonObject | ((name: string) => JsonObject);

const inOrg = (rule: string, it: string, kind: string, body: Body, place: string): Part => [
  it,
  async (wire) => {
    const name = kind === 'domain' ? `${wire.name('shop')}.com` : wire.name('record');
    await warned(wire, rule, kind, { name, ...(typeof body === 'function' ? body(name) : body) }, place);
  },
];

/** Values that the real service stores against its documents, with a warning; in strict mode unless a row says else. */
// biome-ignore format: a row is a case
export const realServiceWarningRows: readonly Row[] = [
  parted(
    'concepts.real-service/V5 and V6',
    'fields that the file system cannot use are refused, or stored in lenient mode; commands are refused',
    partOf('a snapshot by command is refused', async (wire) => {
      const gvc = await town(wire);
      const path = `gvc/${gvc}/volumeset/${await makeVolumeSet(wire, gvc, shared)}/-command`;
      const spec = { location: 'aws-us-east-1', volumeIndex: 0, snapshotName: 'first' };
      const refused = await wire.refused(400, 'POST', path, { type: 'createVolumeSnapshot', spec });
      expect(refused['code']).toBe('command_refused');
    }),
  ),
  inGvc('W19', 'a target beside keda', { keda: { enabled: true } }, withKeda({ target: 50 }), 'target'),
  inGvc('W36', 'keda in a GVC without keda', {}, withKeda({}), 'keda'),
  inGvc('W37', 'a secret of a trigger that the GVC does not list', { keda: { enabled: true } },
    withKeda({ keda: { triggers: [{ type: 'redis', name: 'q', authenticationRef: { name: 'key' } }] } }), 'keda'),
  parted('concepts.real-service/G5', 'a redirect without a dedicated load balancer is stored with a warning',
    ...['status401', 'status5xx'].map((status) => inOrg('G5', `of ${status}`, 'gvc',
      { spec: { loadBalancer: { redirect: { class: { [status]: 'https://a.example.com' } } } } },
      'spec/loadBalancer/redirect'))),
  parted(
    'concepts.real-service/D8',
    'both accept-all switches, or one without a dedicated load balancer, are stored with a warning',
    inOrg('D8', 'both', 'domain', { spec: { acceptAllHosts: true, acceptAllSubdomains: true } }, 'spec/acceptAllHosts'),
    partOf('one of them, for a GVC without a dedicated load balancer', async (wire) => {
      const workload = await makeWorkload(wire, await town(wire), specOf('standard'));
      const ports = [{ number: 443, routes: [{ prefix: '/', workloadLink: `//${workload}` }] }];
      const body = { name: `${wire.name('shop')}.com`, spec: { acceptAllHosts: true, ports } };
      await warned(wire, 'D8', 'domain', body, 'spec/acceptAllHosts');
    }),
  ),
  row('concepts.real-service/D19', 'a replica of a workload that is not stateful is only warned of', async (wire) => {
      const workload = await makeWorkload(wire, await town(wire), specOf('standard'));
      const ports = [{ number: 443, routes: [{ prefix: '/', workloadLink: `//${workload}`, replica: 0 }] }];
      await warned(wire, 'D19', 'domain', { name: `${wire.name('shop')}.com`, spec: { ports } }, 'spec/ports');
  }),
  ownRow('concepts.real-service/lenient',
    'lenient mode also accepts violations of W38, of W8 (ports), and of W31 (ext4 on a vm)',
    { lenient: true }, async (wire) => {
    const spec = specOf('standard', { localOptions: [{ location: 'azure-eastus2', spot: true }] });
    const body = { name: wire.name('work'), spec };
    await warned(wire, 'W38', `gvc/${await makeGvc(wire)}/workload`, body, 'spec/localOptions');
  }),
  parted(
    'concepts.real-service/missing targets',
    'a missing target is a warning in four fields',
    inOrg(
      'reference.dangling',
      'the secret of a cloud account',
      'cloudaccount',
      { provider: 'azure', data: { secretLink: '//secret/none' } },
      'data/secretLink',
    ),
    inOrg(
      'reference.dangling',
      'the alias workload of a GVC, by a link inside the GVC',
      'gvc',
      { spec: { aliasWorkloadLink: '//workload/none' } },
      'spec/aliasWorkloadLink',
    ),
    inOrg(
      'reference.dangling',
      'the alias workload of a GVC, by a link that names the GVC',
      'gvc',
      (gvc) => ({ spec: { aliasWorkloadLink: `//gvc/${gvc}/workload/none` } }),
      'spec/aliasWorkloadLink',
    ),
    inOrg(
      'reference.dangling',
      'the identity of keda',
      'gvc',
      { spec: { keda: { enabled: true, identityLink: '//identity/none' } } },
      'spec/keda/identityLink',
    ),
    inOrg(
      'reference.dangling',
      'a secret of keda',
      'gvc',
      { spec: { keda: { enabled: true, secrets: ['//secret/none'] } } },
      'spec/keda/secrets',
    ),
    partOf('an existing target cannot be deleted while in use (platform/deletion.references)', async (wire) => {
      const secret = await makeSecret(wire, 'opaque');
      await makeGvc(wire, { keda: { enabled: true, secrets: [secret] } });
      expect((await wire.refused(400, 'DELETE', secret))['code']).toBe('has_dependents');
    }),
  ),
];
