import { expect, test } from 'vitest';
import { listAt, objectAt } from '../../../src/base/json/json.ts';
import { makeShop, platformForEach } from '../platform.ts';

const platform = platformForEach({}, (platform) => makeShop(platform, 'aws-us-east-1'));

test('a run ends without a step if the clock is real (platform/commands.run-now)', async () => {
  const job = { schedule: '0 0 1 1 *' };
  const spec = { type: 'cron', containers: [{ name: 'main', image: 'a:1' }], job };
  await platform.send('POST', 'gvc/shop/workload', { name: 'job', spec });
  await platform.send('POST', 'gvc/shop/workload/job/-simulate', { runSeconds: 0.2, exitCode: 4, times: 1 });
  const body = { type: 'runCronWorkload', spec: { location: '//location/aws-us-east-1' } };
  const made = await platform.send('POST', 'gvc/shop/workload/job/-command', body);
  const command = async () => (await platform.send('GET', made.headers.get('location') ?? '')).body;
  await expect.poll(command).toMatchObject({ lifecycleStage: 'failed' });
  const deployment = await platform.send('GET', 'gvc/shop/workload/job/deployment/aws-us-east-1');
  expect(listAt(objectAt(deployment.body, 'status'), 'jobExecutions')).toMatchObject([{ status: 'Failure' }]);
});
