import { expect } from 'vitest';
import { absentOr } from '../../harness/fieldRows.ts';
import { makeGvc } from '../../harness/fixtures.ts';
import { at, itemsAt } from '../../harness/place.ts';
import { type Part, parted, type Row, row } from '../../harness/row.ts';
import { until, type Wire } from '../../harness/wire.ts';
import { freshName, target, withRoute } from './domain.ts';

export const domainStatusRows: readonly Row[] = [
  row('domain/status.endpoints', 'endpoints lists an address and a workload for each route', async (wire) => {
    const workloadLink = await target(wire);
    const name = freshName(wire);
    const spec = withRoute({ prefix: '/', workloadLink }, {});
    await wire.ok('POST', 'domain', { name, spec });
    const endpoints = itemsAt(await wire.get(`domain/${name}`), 'status/endpoints');
    expect(endpoints).toContainEqual({ url: expect.stringContaining(name), workloadLink });
  }),
  parted(
    'domain/status.status',
    'status is the stage of the domain',
    statusWord('warning', 'a domain with a route to a missing workload is accepted, with status warning', (wire) =>
      toNothing(wire),
    ),
  ),
  row('domain/status.warning', 'warning describes the problem in words', async (wire) => {
    const path = await toNothing(wire);
    expect(at(await wire.get(path), 'status/warning')).toMatch(/workload/);
  }),
  row('domain/status.locations', 'locations shows the state of the certificate in each location', async (wire) => {
    const workloadLink = await target(wire);
    const name = freshName(wire);
    const spec = withRoute({ prefix: '/', workloadLink }, {});
    await wire.ok('POST', 'domain', { name, spec });
    await wire.advance('1h');
    const locations = itemsAt(await wire.get(`domain/${name}`), 'status/locations');
    expect(locations).toEqual(
      expect.arrayContaining([
        { name: 'aws-us-east-1', certificateStatus: 'ready' },
        { name: 'gcp-us-east1', certificateStatus: 'ready' },
      ]),
    );
  }),
  row('domain/status.fingerprint', 'fingerprint changes with the configuration, and only then', async (wire) => {
    const name = freshName(wire);
    const first = at(await wire.ok('POST', 'domain', { name }), 'status/fingerprint');
    expect(first).toMatch(/.+/);
    const same = await wire.ok('PATCH', `domain/${name}`, { description: 'other' });
    expect(at(same, 'status/fingerprint')).toBe(first);
    const other = await wire.ok('PATCH', `domain/${name}`, { spec: { certChallengeType: 'dns01' } });
    expect(at(other, 'status/fingerprint')).not.toBe(first);
  }),
  row('domain/status.dnsConfig', 'dnsConfig lists the records to create: type, ttl, host, value', async (wire) => {
    const name = freshName(wire);
    await wire.ok('POST', 'domain', { name, spec: withRoute({ prefix: '/', workloadLink: await target(wire) }, {}) });
    const records = itemsAt(await wire.get(`domain/${name}`), 'status/dnsConfig');
    expect(records.length).toBeGreaterThan(0);
    for (const record of records) {
      expect(record).toEqual({
        type: expect.stringMatching(/^(CNAME|NS|A|TXT)$/),
        ttl: expect.any(Number),
        host: expect.any(String),
        value: expect.any(String),
      });
    }
  }),
  row('domain/cors defaults', 'omitted members of cors are absent, or have the documented defaults', async (wire) => {
    const spec = { ports: [{ number: 443, protocol: 'http2', cors: { allowMethods: ['GET'] } }] };
    const shown = await wire.ok('POST', 'domain', { name: freshName(wire), spec });
    absentOr(at(shown, 'spec/ports/0/cors'), { maxAge: '24h', allowCredentials: false });
  }),
];

/** Creates a domain with a route to a missing workload; returns its path. */
async function toNothing(wire: Wire): Promise<string> {
  const gvc = await makeGvc(wire);
  const name = freshName(wire);
  const spec = withRoute({ prefix: '/', workloadLink: `//gvc/${gvc}/workload/none` }, {});
  await wire.ok('POST', 'domain', { name, spec });
  return `domain/${name}`;
}

function statusWord(word: string, statement: string, make: (wire: Wire) => Promise<string>): Part {
  const check = async (wire: Wire): Promise<void> => {
    const path = await make(wire);
    await until(
      wire,
      () => wire.get(path),
      (record) => at(record, 'status/status') === word,
    );
  };
  return [statement, check];
}
