import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporaryFolder.ts';
import { useServer } from './useServer.ts';

let sent: string[] = [];
const run = useServer(temporaryFolder('usage'), (request, response) => {
  sent.push(`${request.method} ${request.url}`);
  response.writeHead(500).end('{}');
});

/** Each of these was accepted once, and did something else than it says. */
// biome-ignore format: a row is a case
test.each([
  ['workload create --name w --image i --port 80 --port 81', /'--port <number>' is given 2 times\n.*only one value/],
  ['gvc clone shop --name=a --name b', /'--name <name>' is given 2 times/],
  ['volumeset expand data --new-size 20 --wait-timeout 5m',
    /--wait-timeout has no effect without --wait\n.*Add --wait/],
  ['gvc get --wait-timeout 5m', /--wait-timeout has no effect without --watch\n.*Add --watch/],
  ['status . --wait-timeout 5m', /--wait-timeout has no effect without --watch/],
  ['gvc audit --from 1m --to 1h', /--from 1m is after --to 1h\n.*Swap them/],
  ['gvc query --property =x', /--property "=x" names no property\n.*--property NAME=VALUE/],
  ['gvc query --tag !', /--tag "!" names no tag/],
  ['gvc query --match any', /--match has no effect without a term/],
  ['gvc create --name g --location l --tag :x', /--tag ":x" has no key\n.*--tag KEY=VALUE/],
  ['gvc create --name g --location l --query-match any', /--query-match has no effect without a term/],
  ['workload create --name w --image i --schedule @daily', /--schedule has no effect without --type cron/],
  ['workload create --name w --image i --type cron --schedule @daily --port 80',
    /--port has no effect with --type cron/],
  ['volumeset create --name v --file-system-type shared --retention-duration 7d',
    /--retention-duration has no effect with/],
  ['image push app:1', /no command 'push' of gantry image\n.*builds, pushes and pulls no images/],
  ['workload ssh web', /no command 'ssh' of gantry workload\n.*opens no shells/],
  ['auditctx delete trail --yes', /no command 'delete' of gantry auditctx\n.*deletes no audit context/],
])('gantry %s is refused before anything is sent', async (line, says) => {
  sent = [];
  const { code, stderr } = await run(`${line} --gvc shop`);
  expect([code, stderr]).toEqual([64, expect.stringMatching(says)]);
  expect(sent).toEqual([]);
});

test('an empty --tag is refused', async () => {
  const { code, stderr } = await run(['gvc', 'tag', 'shop', '--tag', '']);
  expect([code, stderr]).toEqual([64, expect.stringContaining('--tag "" has no key')]);
});
