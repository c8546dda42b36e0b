import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { providerSource } from '../../../src/hcl/provider.ts';
import { reattachValue } from '../../../src/provider/host/handshake.ts';
import { startPluginServer } from '../../../src/provider/host/pluginServer.ts';
import { makeHandlers } from '../../../src/provider/services/makeHandlers.ts';
import { startServer } from '../../../src/server/start.ts';
import { ownPort } from '../../harness/ownPort.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { makeProject } from '../harness/terraform.ts';

const count = 13;
const groups = `resource "gantry_group" "all" {\n  count = ${count}\n  name = "group-\${count.index}"\n}\n`;

describeTerraform('an outage in the middle of an apply', () => {
  const folder = temporaryFolder('outage');

  it('is one error for each remaining resource, after minutes of retries; and the next apply continues', async () => {
    let creations = 0;
    let gone: Promise<void> | undefined;
    const options = { port: await ownPort(), noAuth: true, data: join(folder, 'platform.db') };
    let platform = await startServer({
      ...options,
      requestLog({ method, status }) {
        if (method === 'POST' && status === 201) creations += 1;
        if (creations === 3) gone ??= platform.close();
      },
    });
    onTestFinished(() => platform.close());

    // The simulated minutes pass immediately.
    let waitedMs = 0;
    const sleep = async (ms: number): Promise<void> => {
      waitedMs += ms;
      await turn();
    };
    const environment = { GANTRY_ENDPOINT: platform.url, GANTRY_ORG: 'local' };
    const provider = makeHandlers({ environment, cwd: folder, sleep });
    const plugin = await startPluginServer({ handlers: async () => provider.handlers });
    onTestFinished(async () => {
      await provider.close();
      await plugin.close();
    });
    const reattach = { TF_REATTACH_PROVIDERS: reattachValue(providerSource, plugin.address, process.pid) };
    const project = makeProject(folder, reattach);
    project.write(groups);

    // Requests in flight may still be answered: two at a time are far from all.
    const { code, text } = await project.run('apply', '-auto-approve', '-parallelism=2', '-no-color');
    await gone;
    expect(code).toBe(1);
    expect(text.match(/Error: /g)).toHaveLength(count - creations);
    expect(text).not.toMatch(/at .*\.(m?js|ts):\d+/);
    expect(waitedMs).toBeGreaterThan(60_000);

    platform = await startServer(options);
    const next = await project.run('apply', '-auto-approve', '-no-color');
    expect(next.code, next.text).toBe(0);
    expect((await project.run('state', 'list')).text.match(/gantry_group/g)).toHaveLength(count);
  });
});
