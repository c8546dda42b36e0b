import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { providerBlock } from '../../../src/hcl/schema/providerBlock.ts';
import type { ObjectValue } from '../../../src/hcl/value.ts';
import { Encoded } from '../../../src/provider/protocol/encoded.ts';
import type { Handlers, Message } from '../../../src/provider/protocol/messages.ts';
import { readObject, writeObject } from '../../../src/provider/protocol/values.ts';
import { makeHandlers } from '../../../src/provider/services/makeHandlers.ts';
import { dataSourceTypeNamed, resourceTypeNamed } from '../../../src/provider/services/types.ts';
import type { ServerOptions } from '../../../src/server/options.ts';
import { startServer } from '../../../src/server/start.ts';
import { listenOnLoopback } from '../../harness/loopback.ts';

/** A platform that accepts requests and never answers. */
async function silent(): Promise<{ readonly url: string; readonly asked: Promise<unknown> }> {
  const server = createServer(() => {});
  const asked = once(server, 'request');
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}`, asked };
}

/** The handlers of a provider on a real platform, and the requests to it. */
async function slowPlatform(options: ServerOptions) {
  const asked: string[] = [];
  const requestLog: ServerOptions['requestLog'] = ({ method, path }) => asked.push(`${method} ${path}`);
  const platform = await startServer({ port: 0, noAuth: true, requestLog, ...options });
  const { handlers, close } = makeHandlers({ environment: {}, cwd: '/' });
  onTestFinished(async () => {
    await close();
    await platform.close();
  });
  const spec = { staticPlacement: { locationLinks: ['//location/aws-us-west-2'] } };
  const body = JSON.stringify({ name: 'shop', spec });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${platform.url}/org/local/gvc`, { method: 'POST', headers, body });
  const block = { endpoint: platform.url, org: 'local', gvc: 'shop' };
  await handlers.ConfigureProvider({ config: writeObject(block, providerBlock.attributes) });
  return { asked, handlers };
}

function message<T>(answer: T | Encoded): T {
  if (answer instanceof Encoded) throw new TypeError('it is bytes');
  return answer;
}

const workload = resourceTypeNamed('gantry_workload');

async function plannedWorkload(handlers: Handlers, more: ObjectValue, prior?: Message<'DynamicValue'>) {
  const spec = { type: 'standard', containers: [{ name: 'main', image: 'nginx:1', ports: [{ number: 80 }] }] };
  const written = writeObject({ name: 'web', spec, ...more }, workload.attributes);
  const config = writeObject(readObject(written, workload.attributes), workload.attributes); // Absent attributes are null.
  const before = prior === undefined ? {} : { prior_state: prior };
  const type = { type_name: 'gantry_workload', config, ...before } as const;
  const plan = await handlers.PlanResourceChange({ ...type, proposed_new_state: config });
  const { planned_state: planned, diagnostics } = message(plan);
  expect(diagnostics).toEqual([]);
  return { ...type, ...(planned === undefined ? {} : { planned_state: planned }) };
}

const isRead = (each: string) => each.startsWith('GET ') && each.includes('/workload/web');

it('Ctrl-C ends the wait for a new record to become ready; the record is in the state and is not replaced', async () => {
  const { asked, handlers } = await slowPlatform({ readyAfterMs: 600_000 });
  const change = await plannedWorkload(handlers, { wait_for_ready: true });
  const applied = handlers.ApplyResourceChange(change);
  await expect.poll(() => asked.some(isRead)).toBe(true);
  await handlers.StopProvider({});
  const { new_state: state, diagnostics } = message(await applied);
  expect(diagnostics).toMatchObject([{ severity: 2, detail: expect.stringContaining('was interrupted') }]);
  expect(readObject(state, workload.attributes)).toMatchObject({ name: 'web', id: expect.stringMatching(/./) });
});

it('an update that only turns the wait on fails if the record is not ready in time, and writes nothing', async () => {
  const { asked, handlers } = await slowPlatform({ readyAfterMs: 600_000 });
  const { new_state: state } = message(await handlers.ApplyResourceChange(await plannedWorkload(handlers, {})));
  asked.length = 0;
  const more = { wait_for_ready: true, timeouts: { update: '1s' } };
  const applied = message(await handlers.ApplyResourceChange(await plannedWorkload(handlers, more, state)));
  const summary = expect.stringContaining('workload/shop/web was not ready after 1 s');
  expect(applied.diagnostics).toMatchObject([{ severity: 1, summary }]);
  expect(readObject(applied.new_state, workload.attributes)).toMatchObject({ name: 'web' });
  expect(asked.filter((each) => !each.startsWith('GET '))).toEqual([]);
});

it('Ctrl-C ends the wait for a deletion; the record stays in the state until it is deleted', async () => {
  const { asked, handlers } = await slowPlatform({ deletionDelayMs: 600_000 });
  const created = await handlers.ApplyResourceChange(await plannedWorkload(handlers, {}));
  const { new_state: state } = message(created);
  if (state === undefined) throw new Error('it was not created');
  const nothing = writeObject(undefined, workload.attributes);
  const change = { type_name: 'gantry_workload', prior_state: state, planned_state: nothing, config: nothing };
  const deleted = handlers.ApplyResourceChange(change);
  const lastDeletion = () => asked.findLastIndex((each) => each.startsWith('DELETE '));
  await expect.poll(() => lastDeletion() >= 0 && asked.slice(lastDeletion()).some(isRead)).toBe(true);
  await handlers.StopProvider({});
  const { new_state: kept, diagnostics } = message(await deleted);
  expect(diagnostics).toMatchObject([{ severity: 1, summary: expect.stringContaining('was sent, and the run') }]);
  expect(kept).toEqual(state);
});

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
