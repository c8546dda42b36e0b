import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isObject, listAt } from '../../../src/base/json/json.ts';
import type { EventFacts } from '../../../src/server/audit/decisions/eventRecord.ts';
import { addEvent } from '../../../src/server/audit/eventLog.ts';
import type { Platform } from '../../../src/server/core/platform.ts';
import type { Database, Row, Transaction } from '../../../src/server/store/model/row.ts';
import { openSqlite } from '../../../src/server/store/sqlite/open.ts';
import { platformForEach } from '../platform.ts';

const startMs = Date.parse('2026-03-31T12:00:00.000Z');

describe('writing events (platform/audit.event-log)', () => {
  let database: Database;
  let nowMs: number;
  let ids: number;
  beforeEach(() => {
    [nowMs, ids] = [startMs, 0];
    database = openSqlite(':memory:', () => nowMs);
  });
  afterEach(() => database.close());

  function planted(tx: Transaction, name: string): Row {
    const ref = { kind: 'group', name } as const;
    const known = tx.get(ref);
    if (known !== undefined) return known;
    const times = { createdMs: nowMs, modifiedMs: nowMs };
    const record = { name, description: name, tags: {} };
    tx.insert({ ...ref, gvc: '', uid: `uid-${name}`, version: 1, ...times, record, hidden: {}, state: {} }, []);
    const row = tx.get(ref);
    if (row === undefined) throw new Error('not planted');
    return row;
  }

  async function happen(event: EventFacts, name = 'team'): Promise<void> {
    const store = database.of('local');
    const place: Pick<Platform, 'newId' | 'now' | 'org'> = {
      org: 'local',
      now: () => nowMs,
      newId() {
        ids += 1;
        return `id-${ids}`;
      },
    };
    await store.write((tx) => addEvent({ platform: place, tx }, planted(tx, name), event));
  }

  function log(name = 'team') {
    return database
      .of('local')
      .read((tx) => tx.entries({ journal: 'event', owner: `uid-${name}`, limit: 100 }).map(({ body }) => body));
  }

  test('the same event again raises its count, updates its last time, and becomes the newest', async () => {
    await happen({ component: 'actuator', status: 'rollout started' });
    nowMs += 1_000;
    await happen({ component: 'scheduler', status: 'run started' });
    nowMs += 1_000;
    await happen({ component: 'actuator', status: 'rollout started' });
    expect(await log()).toMatchObject([
      {
        status: 'rollout started',
        eventCount: 2,
        created: '2026-03-31T12:00:00.000Z',
        lastEventTime: '2026-03-31T12:00:02.000Z',
      },
      { status: 'run started', eventCount: 1 },
    ]);
  });

  test('equal fingerprints make one event even with different statuses, but not across records', async () => {
    await happen({ component: 'dns-updater', status: 'pending', fingerprint: 'dns' });
    await happen({ component: 'dns-updater', status: 'ready', fingerprint: 'dns' });
    await happen({ component: 'dns-updater', status: 'ready', fingerprint: 'dns' }, 'other');
    expect(await log()).toMatchObject([{ eventCount: 2 }]);
    expect(await log('other')).toMatchObject([{ eventCount: 1 }]);
  });
});

describe('reading event logs (platform/wire.paths, platform/audit.event-log)', () => {
  const platform = platformForEach({}, (platform) => platform.send('POST', 'gvc', { name: 'shop' }));

  test('the event log of the org is a list of events', async () => {
    const { body } = await platform.send('GET', '/org/local/-eventlog');
    expect(body).toMatchObject({ kind: 'list', itemKind: 'event', items: [] });
    expect(listAt(body, 'links').filter(isObject)[0]?.['href']).toBe('/org/local/-eventlog');
  });

  test('the event log of a record has the stages of its command, and the audit trail its type', async () => {
    const made = await platform.send('POST', '/org/local/-command', { type: 'echo', spec: {} });
    expect(made.status).toBe(201);
    const { body } = await platform.send('GET', '/org/local/-eventlog');
    expect(body['items']).toMatchObject([
      {
        kind: 'event',
        status: 'command echo completed',
        context: { component: 'actuator', category: 'command' },
        links: [{ rel: 'self', href: expect.stringMatching(/^\/org\/local\/-eventlog\/./) }],
      },
    ]);
    const [event] = listAt(body, 'items').filter(isObject);
    expect((await platform.send('GET', `/org/local/-eventlog/${String(event?.['id'])}`)).body).toEqual(event);
    const trail = await platform.send('GET', '/audit/org/local?actionType=exec');
    expect(trail.body['items']).toMatchObject([
      {
        action: { type: 'exec', data: { id: made.body['id'], type: 'echo' } },
        resource: { type: 'org', name: 'local' },
      },
    ]);
  });

  test.each([
    ['GET', 'gvc/none/-eventlog', 404],
    ['GET', 'gvc/shop/-eventlog/none', 404],
    ['GET', 'gvc/shop/-eventlog?next=x', 400],
    ['GET', 'gvc/shop/-eventlog?limit=-1', 400],
    ['POST', 'gvc/shop/-eventlog', 405],
  ])('%s %s is answered with %d', async (method, path, expected) => {
    const { status, body } = await platform.send(method, path);
    expect([status, body['status'], typeof body['id']]).toEqual([expected, expected, 'string']);
  });
});
