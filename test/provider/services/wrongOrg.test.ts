import { createServer, type ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ObjectValue } from '../../../src/hcl/value.ts';
import { type RunningServer, startServer } from '../../../src/server/start.ts';
import { listenOnLoopback } from '../../harness/loopback.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { type Calls, type Diagnostic, errorsOf, startCalls } from '../harness/calls.ts';

const type = 'gantry_group';

async function platformOf(org: string, asked: string[] = []): Promise<RunningServer> {
  const requestLog = ({ method, path }: { readonly method: string; readonly path: string }) =>
    asked.push(`${method} ${path.replace(/\?.*/, '')}`);
  const platform = await startServer({ port: 0, noAuth: true, org, requestLog });
  onTestFinished(() => platform.close());
  return platform;
}

/** Answers every request with the same answer. */
async function serverOf(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => answer(response));
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

const answers = {
  'JSON with status 404': (response: ServerResponse) =>
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"not found"}'),
  'an HTML page with 404': (response: ServerResponse) =>
    response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html><h1>404</h1>'),
  'an HTML page with 200': (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Welcome</h1>'),
  'an empty object with 200': (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
};

describe('a state whose resources are in the org acme', () => {
  const folder = temporaryFolder('wrong-org');

  async function withState(): Promise<{
    readonly calls: Calls;
    readonly url: string;
    readonly state: ObjectValue;
    readonly asked: string[];
  }> {
    const asked: string[] = [];
    const { url } = await platformOf('acme', asked);
    const calls = await startCalls(folder);
    await calls.configure({ endpoint: url, org: 'acme' });
    const state = await calls.run(type, { name: 'one' });
    if (state === undefined) throw new Error('it was not created');
    asked.length = 0;
    return { calls, url, state, asked };
  }

  function expectRefusal(said: readonly Diagnostic[], ...words: readonly string[]): void {
    expect(errorsOf(said)).toHaveLength(1);
    for (const word of words) expect(said.map(({ summary, detail }) => `${summary} ${detail}`).join()).toContain(word);
  }

  it('is kept if the provider names an org that does not exist, with an error that names both orgs', async () => {
    const { calls, url, state, asked } = await withState();
    await calls.configure({ endpoint: url, org: 'nope' });
    const read = await calls.read(type, state);
    expect(read.state).toEqual(state);
    expectRefusal(read.diagnostics, 'is in the org acme, and the provider is set to the org nope');
    expect(asked).toEqual([]);
  });

  it('is kept if the other org exists and has a resource with the same name', async () => {
    const { calls, state } = await withState();
    const other = await platformOf('other');
    await calls.configure({ endpoint: other.url, org: 'other' });
    await calls.run(type, { name: 'one' });
    const read = await calls.read(type, state);
    expect(read.state).toEqual(state);
    expectRefusal(read.diagnostics, 'acme', 'other');
  });

  it('is kept without a refresh too: neither plan nor apply treats its resources as deleted', async () => {
    const { calls, url, state } = await withState();
    const deletion = await calls.plan(type, undefined, state);
    await calls.configure({ endpoint: url, org: 'nope' });
    expectRefusal((await calls.plan(type, undefined, state)).diagnostics, 'acme', 'nope');
    const applied = await calls.apply(type, undefined, state, deletion);
    expect(applied.state).toEqual(state);
    expectRefusal(applied.diagnostics, 'acme', 'nope');
  });

  it('belongs to a saved plan: its creations are refused in another org', async () => {
    const { calls, url } = await withState();
    const config = { name: 'two' };
    const plan = await calls.plan(type, config);
    await calls.configure({ endpoint: url, org: 'nope' });
    const applied = await calls.apply(type, config, undefined, plan);
    expect(applied.state).toBeUndefined();
    expectRefusal(applied.diagnostics, 'acme', 'nope');
  });

  it('is kept if the path of the endpoint is wrong', async () => {
    const { calls, url, state } = await withState();
    await calls.configure({ endpoint: `${url}/wrong`, org: 'acme' });
    const read = await calls.read(type, state);
    expect(read.state).toEqual(state);
    expectRefusal(read.diagnostics, 'org acme does not exist', 'GANTRY_ENDPOINT');
  });

  it.each(Object.entries(answers))('is kept if a server answers everything with %s', async (_, answer) => {
    const { calls, state } = await withState();
    await calls.configure({ endpoint: await serverOf(answer), org: 'acme' });
    const read = await calls.read(type, state);
    expect(read.state).toEqual(state);
    expect(errorsOf(read.diagnostics)).toHaveLength(1);
    const deletion = await calls.plan(type, undefined, state);
    const applied = await calls.apply(type, undefined, state, deletion);
    expect(applied.state).toEqual(state);
    expect(errorsOf(applied.diagnostics)).toHaveLength(1);
  });

  it('loses a deleted resource, and the org is not read if a list has shown a record of it', async () => {
    const { calls, url, state, asked } = await withState();
    const two = await calls.run(type, { name: 'two' });
    if (two === undefined) throw new Error('it was not created');
    for (const name of ['one', 'two']) await fetch(`${url}/org/acme/group/${name}`, { method: 'DELETE' });
    await calls.configure({ endpoint: url, org: 'acme' });
    asked.length = 0;
    expect(await calls.read(type, state)).toEqual({ state: undefined, diagnostics: [] });
    expect(await calls.read(type, two)).toEqual({ state: undefined, diagnostics: [] });
    expect(asked).toEqual(['GET /org/acme/group', 'GET /org/acme/group/one', 'GET /org/acme/group/two']);
  });

  it('is read without a request for the org if no resource is missing', async () => {
    const { calls, url, state, asked } = await withState();
    await calls.configure({ endpoint: url, org: 'acme' });
    expect(await calls.read(type, state)).toMatchObject({ state, diagnostics: [] });
    expect(asked).toEqual(['GET /org/acme/group']);
  });
});

const empty = temporaryFolder('no-org');

it('cannot plan a creation in an org that does not exist', async () => {
  const { url } = await platformOf('acme');
  const calls = await startCalls(empty);
  await calls.configure({ endpoint: url, org: 'nope' });
  expect(errorsOf((await calls.plan(type, { name: 'one' })).diagnostics)).toEqual([
    'The org nope does not exist on this platform, or this token cannot view it',
  ]);
});
