import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { writeObject } from '../../../src/provider/protocol/values.ts';
import { makeHandlers } from '../../../src/provider/services/makeHandlers.ts';
import { dataSourceTypeNamed, resourceTypeNamed } from '../../../src/provider/services/types.ts';
import { providerBlock } from '../../../src/terraform/schema/providerBlock.ts';

/** A platform that takes requests and never answers. */
async function silent(): Promise<{ readonly url: string; readonly asked: Promise<unknown> }> {
  const server = createServer(() => {});
  const asked = once(server, 'request');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked };
}

const resource = { name: 'one', id: 'u-1', version: 1 };
const { attributes } = resourceTypeNamed('gantry_group');

it.each(['ReadResource', 'PlanResourceChange', 'ReadDataSource'] as const)(
  'Ctrl-C ends %s, and the process, however long the platform takes',
  async (rpc) => {
    const { url, asked } = await silent();
    const { handlers, close } = makeHandlers({ environment: {}, cwd: '/' });
    const block = { endpoint: url, org: 'local' };
    await handlers.ConfigureProvider({ config: writeObject(block, providerBlock.attributes) });
    const state = writeObject(resource, attributes);
    const calls = {
      ReadResource: () => handlers.ReadResource({ type_name: 'gantry_group', current_state: state }),
      PlanResourceChange: () => {
        const config = writeObject({ name: 'one' }, attributes);
        return handlers.PlanResourceChange({ type_name: 'gantry_group', config, proposed_new_state: config });
      },
      ReadDataSource: () => {
        const config = writeObject({ name: 'one' }, dataSourceTypeNamed('gantry_group').attributes);
        return handlers.ReadDataSource({ type_name: 'gantry_group', config });
      },
    };
    const ended = expect(calls[rpc]()).rejects.toMatchObject({ code: 'provider.interrupted' });
    await asked;
    await handlers.StopProvider({});
    await ended;
    await close();
  },
);
