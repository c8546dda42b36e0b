import { expect } from 'vitest';
import { linked } from '../../harness/client.ts';
import { allow, makeCaller, makeGvc, makeWorkload, specOf } from '../../harness/fixtures.ts';
import { at, itemsAt } from '../../harness/place.ts';
import { parted, partOf, type Row, row } from '../../harness/row.ts';
import { alone } from '../../harness/wire.ts';
import { service } from './cliGeneric.ts';

/** Options of `audit` and of the client as a whole: what of them reaches the platform (platform/clients.options). */
export const clientOptionRows: readonly Row[] = [
  row('clients/audit --subject', 'audit --subject: by e-mail, or by the link of a service account', async (wire) => {
    const { link: principal, key } = await makeCaller(wire);
    await allow(wire, 'gvc', 'manage', principal);
    const name = wire.name('gvc');
    expect((await wire.call('POST', 'gvc', { name }, { authorization: key })).status).toBe(201);
    const base = await service(wire, 'audit');
    const by = async (subject: string): Promise<readonly unknown[]> => {
      const found = await wire.get(
        `${base}/audit/org/local?subjectName=${encodeURIComponent(subject)}&resourceType=gvc`,
      );
      return itemsAt(found, 'items').map((event) => at(event, 'resource/name'));
    };
    expect(await by(principal)).toEqual([name]);
    expect(await by('admin@example.com')).not.toContain(name);
    expect(await by('/org/local/serviceaccount/nobody')).toEqual([]);
  }),
  row('clients/audit --context', 'audit --context: the context of the platform where nothing is said', async (wire) => {
    const base = await service(wire, 'audit');
    const gvc = await makeGvc(wire);
    const events = itemsAt(await wire.get(`${base}/audit/org/local`), 'items');
    expect(events.map((event) => at(event, 'resource/name'))).toContain(gvc);
    expect(new Set(events.map((event) => at(event, 'context/name')))).toEqual(new Set(['scheme']));
    const name = wire.name('audit');
    await wire.ok('POST', 'auditctx', { name });
    expect(itemsAt(await wire.get(`${base}/audit/org/local?contextName=${name}`), 'items')).toEqual([]);
  }),
  ...['--since', '--from', '--to'].map((option) =>
    row(
      `clients/audit ${option}`,
      `audit ${option}: a window of time, as a date-time or relative`,
      alone({}, async (wire) => {
        const base = await service(wire, 'audit');
        await makeGvc(wire);
        await wire.advance('48h');
        const { created, name } = await wire.get(`gvc/${await makeGvc(wire)}`);
        const names = async (query: string): Promise<readonly unknown[]> => {
          const found = await wire.get(`${base}/audit/org/local?resourceType=gvc&${query}`);
          return itemsAt(found, 'items').map((event) => at(event, 'resource/name'));
        };
        const middle = new Date(Date.parse(String(created)) - 24 * 3600 * 1000).toISOString();
        if (option === '--since') expect(await names('fromEvent=7d')).toHaveLength(2);
        if (option === '--to') {
          expect(await names(`toEvent=${middle}`)).toEqual(['gvc1']);
          expect(await names('toEvent=1d')).toEqual(['gvc1']);
        } else {
          expect(await names(`fromEvent=${middle}`)).toEqual([name]);
          expect(await names('fromEvent=1d')).toEqual([name]);
        }
        await wire.refused(400, 'GET', `${base}/audit/org/local?fromEvent=yesterday`);
      }),
    ),
  ),
  row('clients/--org and --gvc', '--org and --gvc are parts of the path, and a foreign org is 404', async (wire) => {
    const gvc = await makeGvc(wire);
    expect(await wire.get(`/org/local/gvc/${gvc}`)).toMatchObject({ name: gvc });
    await wire.refused(404, 'GET', `/org/other/gvc/${gvc}`);
  }),
  parted(
    'clients/--output',
    '--output: the full record for json, yaml, text and names; the exporters for tf and crd',
    [
      'json, yaml, their slim forms, text and names need the whole record, with its name and its self link',
      async (wire) => {
        const gvc = await makeGvc(wire);
        for (const record of [await wire.get(`gvc/${gvc}`), ...itemsAt(await wire.get('gvc?limit=1000'), 'items')]) {
          for (const member of [
            'kind',
            'name',
            'id',
            'version',
            'created',
            'lastModified',
            'links',
            'spec',
            'tags',
            'description',
          ]) {
            expect(record, member).toHaveProperty(member);
          }
        }
      },
    ],
    partOf('tf: GET of the exporter and the self link gives text', async (wire) => {
      const gvc = await makeGvc(wire);
      const reply = await wire.call('GET', `${await service(wire, 'terraform-exporter')}/org/local/gvc/${gvc}`);
      expect(reply.status, reply.text).toBe(200);
      expect(reply.text).toMatch(/resource "[^"]*gvc" "/);
      expect(reply.text).toContain(gvc);
    }),
    partOf('crd: GET of the exporter and the self link gives an object, or a list of them', async (wire) => {
      const gvc = await makeGvc(wire);
      const workload = await makeWorkload(wire, gvc, specOf('standard'));
      const base = await service(wire, 'k8s-crd-exporter');
      expect(await wire.get(`${base}/org/local/${workload}`)).toMatchObject({
        apiVersion: expect.any(String),
        kind: expect.stringMatching(/workload/i),
        metadata: { name: workload.split('/').at(-1) },
        spec: expect.any(Object),
      });
      expect(await wire.get(`${base}/org/local/gvc/${gvc}`)).toMatchObject({
        apiVersion: expect.any(String),
        kind: expect.stringMatching(/gvc/i),
      });
      expect(await wire.get(`${base}/org/local/gvc/${gvc}/workload`)).toMatchObject({
        kind: 'list',
        items: [expect.any(Object)],
      });
    }),
  ),
  row('clients/--ts', '--ts: all times are ISO 8601, which the client shows as it likes', async (wire) => {
    const { created, lastModified } = await wire.get(`gvc/${await makeGvc(wire)}`);
    for (const time of [created, lastModified]) expect(new Date(String(time)).toISOString()).toBe(time);
  }),
  row('clients/--max', '--max: pages of 50 are followed until there are enough, or all', async (wire) => {
    const gvc = await makeGvc(wire);
    for (let index = 0; index < 51; index += 1)
      await wire.ok('POST', `gvc/${gvc}/identity`, { name: `member${index}` });
    const first = await wire.get(`gvc/${gvc}/identity`);
    expect(itemsAt(first, 'items')).toHaveLength(50);
    expect(itemsAt(await wire.get(linked(first, 'next') ?? ''), 'items')).toHaveLength(1);
  }),
  row('clients/--token', '--token: the header of each call decides who calls', async (wire) => {
    const { key } = await makeCaller(wire);
    for (const authorization of [key, `Bearer ${key}`]) {
      expect((await wire.call('GET', 'gvc', undefined, { authorization })).status).toBe(200);
    }
    expect((await wire.call('GET', 'gvc', undefined, { authorization: 'Bearer wrong' })).status).toBe(401);
  }),
  row(
    'clients/--endpoint',
    '--endpoint: the side services that discovery names are on the address that was asked',
    async (wire) => {
      const { body } = await wire.call('GET', '/discovery', undefined, { authorization: null });
      for (const name of ['audit', 'terraform-exporter', 'k8s-crd-exporter', 'logs', 'billing-ng']) {
        expect(at(body, `endpoints/${name}`), name).toMatch(new RegExp(`^${wire.url}`));
      }
      expect(body['idp']).toMatchObject({
        apiKey: expect.any(String),
        authDomain: expect.any(String),
        projectId: expect.any(String),
      });
    },
  ),
  row(
    'clients/other options',
    '--profile, --color, --insecure, --verbose, --debug and --help change no request: the platform needs no header of the client',
    async (wire) => {
      const response = await fetch(`${wire.url}/org/local`, { headers: { authorization: 'secret-token' } });
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ kind: 'org', name: 'local' });
    },
  ),
];
