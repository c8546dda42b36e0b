import { beforeEach, describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../src/base/json/json.ts';
import { succeeded } from '../outcome.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { useQuickLooks } from './quickLooks.ts';
import { useServer } from './useServer.ts';

const snapshot = { name: 'daily', size: 3 };
const locations = [
  { name: 'here', volumes: [{ index: 0, currentSize: 10 }, { index: 1, volumeSnapshots: [snapshot] }] }, // biome-ignore format: a record
  { name: 'there', volumes: [{ index: 0 }] },
];
const set = { kind: 'volumeset', name: 'data', id: 'the-id', version: 1, status: { locations } };

/** The stages of the commands at each read. */
let looks: readonly (readonly string[])[] = [];
let onLook = () => {};
let sent: JsonObject[] = [];
let isRefusing = false;
let read: string[] = [];

const send = useServer(temporaryFolder('volumes'), async (request, response) => {
  const { method = 'GET', url = '' } = request;
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const command = /-command\/c(\d)$/.exec(url)?.[1];
  if (method === 'POST') {
    const body: unknown = JSON.parse(text);
    if (isRefusing) return void response.writeHead(400).end('{"message": "no room"}');
    if (isObject(body)) sent.push(body);
    return void response.end(JSON.stringify({ ...Object(body), id: `c${sent.length}`, lifecycleStage: 'pending' }));
  }
  if (command === undefined) return void response.end(JSON.stringify(set));
  const look = read.filter((each) => each === url).length;
  read.push(url);
  onLook();
  if (looks[look] === undefined) return void response.writeHead(404).end('{}'); // so that no command waits forever
  const [stage = '', shown, message] = (looks[look]?.[Number(command) - 1] ?? '').split(' / ');
  const status = { ...(shown ? { stage: shown } : {}), ...(message ? { message } : {}) };
  response.end(JSON.stringify({ id: `c${command}`, type: 'expandVolume', lifecycleStage: stage, status }));
});
const run = (line: string) => send(`volumeset ${line} --gvc shop`);
useQuickLooks();
beforeEach(() => {
  [looks, onLook, sent, read, isRefusing] = [[], () => {}, [], [], false];
});

const all = ['here 0', 'here 1', 'there 0'];
const size = { newStorageCapacity: 20 };

/** platform/commands.types, and the options in docs/client.md. */
// biome-ignore format: a row is a case
test.each<[line: string, type: string, volumes: readonly string[], spec: JsonObject]>([
  ['expand data --new-size 20', 'expandVolume', all, { ...size, timeoutSeconds: 600 }],
  ['expand data --new-size 20 --location here', 'expandVolume', ['here 0', 'here 1'], { ...size, timeoutSeconds: 600 }],
  ['expand data --new-size 20 --volume-index 0 --timeout-seconds 60', 'expandVolume', ['here 0', 'there 0'],
    { ...size, timeoutSeconds: 60 }],
  ['shrink data --new-size 20 --location here --volume-index 1 --yes', 'shrinkVolume', ['here 1'], size],
  ['snapshot create data --snapshot-name s', 'createVolumeSnapshot', all, { snapshotName: 's' }],
  ['snapshot create data --snapshot-name s --volume-index 1 --tag a=b --tag c --expires 2036-01-31',
    'createVolumeSnapshot', ['here 1'],
    { snapshotName: 's', snapshotTags: [{ a: 'b' }, { c: '' }], snapshotExpirationDate: '2036-01-31T00:00:00.000Z' }],
  ['snapshot restore data --snapshot-name s --location there --yes', 'restoreVolume', ['there 0'], { snapshotName: 's' }],
  ['snapshot restore data --snapshot-name s --zone z --location there --yes', 'restoreVolume', ['there 0'],
    { snapshotName: 's', zone: 'z' }],
  ['snapshot delete data --snapshot-name s --yes', 'deleteVolumeSnapshot', all, { snapshotName: 's' }],
  ['volume delete data --location there --yes', 'deleteVolume', ['there 0'], {}],
])('gantry volumeset %s sends one command for each volume', async (line, type, volumes, spec) => {
  await succeeded(run(line));
  const place = volumes.map((each) => each.split(' '));
  expect(sent).toEqual(
    place.map(([location, index]) => ({ type, spec: { location, volumeIndex: Number(index), ...spec } })),
  );
});

test('--expires with a duration counts from now', async () => {
  await succeeded(run('snapshot create data --snapshot-name s --volume-index 1 --expires 7d'));
  const at = Date.parse(Object(sent[0]?.['spec']).snapshotExpirationDate);
  expect(Math.abs(at - Date.now() - 7 * 86_400_000)).toBeLessThan(60_000);
});

// biome-ignore format: a row is a case
test.each([
  ['expand data --new-size 20 --volume-index 7', 64, /there is no such volume\n.*Available: 0 in here, 1 in here, 0 in there/],
  ['shrink data --new-size 20 --location here', 1, /^shrink volume 0 in here; data that does not fit is lost\nshrink volume 1 in here;/],
  ['snapshot restore data --snapshot-name s', 1, /^overwrite volume 0 in here with its snapshot; what was written since is lost\n/],
  ['snapshot delete data --snapshot-name s', 1, /^delete the snapshot of volume 0 in here\n/],
  ['volume delete data --volume-index 1', 1, /^delete volume 1 in here\n.*delete\.not-confirmed: .*nothing was changed\n.*add --yes/],
])('gantry volumeset %s sends nothing', async (line, code, says) => {
  expect(await run(line)).toMatchObject({ code, stderr: expect.stringMatching(says) });
  expect(sent).toEqual([]);
});

test('if the first command is refused, no command is shown', async () => {
  isRefusing = true;
  const refused = { code: 1, stdout: '', stderr: expect.stringMatching(/^error api\.invalid: .*no room/) };
  expect(await run('expand data --new-size 20')).toMatchObject(refused);
});

/** docs/client.md: volumes are shown, because they cannot be created again. */
test('delete shows the volumes of a volume set', async () => {
  const volumes = ['volume 0 in here with 10 GB', 'volume 1 in here', 'volume 0 in there'];
  expect(await run('delete data')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`delete volumeset data\n${volumes.map((each) => `  with ${each}\n`).join('')}`),
  });
});

test('volumes and snapshots are listed with their location and index', async () => {
  const items = async (line: string) => JSON.parse((await succeeded(run(`${line} -o json`))).stdout).items;
  expect(await items('volume get data --location here')).toMatchObject([
    { location: 'here', index: 0 },
    { location: 'here', index: 1 },
  ]);
  expect(await items('snapshot get data')).toMatchObject([{ ...snapshot, location: 'here', volumeIndex: 1 }]);
});

describe('--wait', () => {
  const line = 'expand data --new-size 20 --location here --wait --wait-timeout 30s';

  test('reads each command until it ends, and prints each new stage', async () => {
    looks = [
      ['running / update-volume-set', 'running'],
      ['completed', 'running'],
      ['', 'completed'],
    ];
    const { stderr, stdout } = await succeeded(run(line));
    const said = ['0/2 pending', '0/2 update-volume-set, running', '1/2 completed, running', '2/2 completed'];
    expect(stderr).toBe(`${said.join('\n')}\n`);
    expect(stdout.match(/completed/g)).toHaveLength(2);
    // A command that has ended is not read again.
    expect(read.map((url) => url.at(-1))).toEqual(['1', '2', '1', '2', '2']);
  });

  test.each([
    [
      'failed / revert / no room',
      /api\.command: expandVolume failed: no room\n.*rest get \S+\/volumeset\/data\/-command/,
    ],
    ['cancelled', /api\.command: expandVolume cancelled\n/],
  ])('ends with the error of a command that ended with: %s', async (end, says) => {
    looks = [['completed', end]];
    expect(await run(line)).toMatchObject({ code: 1, stderr: expect.stringMatching(says) });
  });

  test('ends after --wait-timeout or an interrupt, and the command continues', async () => {
    looks = [['running', 'running']];
    expect(await run(line.replace('30s', '0s'))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/api\.not-ended: .*is over before the command had ended; it goes on\n.*-command/),
    });
    expect(read).toEqual([]);
    onLook = () => {
      onLook = () => {}; // a second signal would end this process
      process.emit('SIGHUP');
    };
    expect(await run(`${line} --volume-index 0`)).toMatchObject({
      code: 130,
      stderr: expect.stringMatching(/interrupted before the command had ended; it goes on\n.*-command/),
    });
  });
});
