import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../../src/provider/host/certificate.ts';
import { makeEndpoint, removeAbandoned } from '../../../src/provider/host/endpoint.ts';
import { handshakeLine, invitationOf, reattachValue } from '../../../src/provider/host/handshake.ts';
import type { Log } from '../../../src/provider/host/log.ts';
import { type PluginServer, startPluginServer } from '../../../src/provider/host/pluginServer.ts';
import { type Handlers, rpcs } from '../../../src/provider/protocol/messages.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { connectProvider, type ProviderClient, pemOf } from '../harness/providerClient.ts';

const broken = async (): Promise<never> => {
  throw new TypeError('a mistake');
};

/** Every call fails except two. */
const handlers: Handlers = {
  GetMetadata: async () => ({ resources: [{ type_name: 'gantry_gvc' }] }),
  GetProviderSchema: async () => ({ provider: { block: { description: 'x'.repeat(8 * 1024 * 1024) } } }),
  ValidateProviderConfig: broken,
  ValidateResourceConfig: broken,
  ValidateDataResourceConfig: broken,
  UpgradeResourceState: broken,
  ConfigureProvider: broken,
  ReadResource: broken,
  PlanResourceChange: broken,
  ApplyResourceChange: broken,
  ImportResourceState: broken,
  MoveResourceState: broken,
  ReadDataSource: broken,
  GetFunctions: broken,
  CallFunction: broken,
  ValidateEphemeralResourceConfig: broken,
  OpenEphemeralResource: broken,
  RenewEphemeralResource: broken,
  CloseEphemeralResource: broken,
  StopProvider: broken,
};

describe('a plugin that Terraform starts', () => {
  const folder = temporaryFolder('plugin');
  const own = makeCertificate(new Date());
  let server: PluginServer;
  let client: ProviderClient;
  beforeAll(async () => {
    server = await startPluginServer({
      handlers: async () => handlers,
      clientCertificate: own.certificate,
      socketFolder: folder,
    });
    const line = handshakeLine(server.address, server.certificate?.der).split('|');
    client = connectProvider(server.address, { server: pemOf(line[5] ?? ''), own });
  });
  afterAll(async () => {
    client.close();
    await server.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says version, protocol, address and certificate in one line, without padding', () => {
    const line = handshakeLine(server.address, server.certificate?.der);
    expect(line).toMatch(/^1\|6\|unix\|\/.*\/socket\|grpc\|[A-Za-z0-9+/]+$/);
  });

  it('listens in a folder that only its user can open', () => {
    expect(statSync(dirname(server.address.address)).mode & 0o777).toBe(0o700);
  });

  it('answers', async () => {
    expect((await client.call('GetMetadata', {})).resources?.[0]?.type_name).toBe('gantry_gvc');
  });

  it('sends messages above the usual 4 MiB of gRPC', async () => {
    const { provider } = await client.call('GetProviderSchema', {});
    expect(provider?.block?.description).toHaveLength(8 * 1024 * 1024);
  });

  it('makes one diagnostic of each mistake, without a trace, and keeps the state', async () => {
    const state = { msgpack: Buffer.from('81a161a162', 'hex') };
    const request = { current_state: state, prior_state: state };
    for (const rpc of rpcs.filter(
      (name) => !['GetMetadata', 'GetProviderSchema', 'CallFunction', 'StopProvider'].includes(name),
    )) {
      const summary = `The Gantry provider made a mistake in ${rpc}`;
      expect(await client.call(rpc, request), rpc).toEqual({
        diagnostics: [{ severity: 1, summary, detail: expect.stringContaining('a mistake\nThis is a fault') }],
        ...(rpc === 'ReadResource' || rpc === 'ApplyResourceChange' ? { new_state: state } : {}),
      });
    }
    expect((await client.call('StopProvider', {})).Error).toContain('a mistake in StopProvider');
    expect((await client.call('CallFunction', {})).error?.text).toContain('a mistake in CallFunction');
  });

  it('is healthy, and ends on request', async () => {
    const health = ['HealthCheckRequest', 'HealthCheckResponse'] as const;
    expect((await client.callPath('/grpc.health.v1.Health/Check', health, { service: 'plugin' })).status).toBe(1);
    await client.callPath('/plugin.GRPCController/Shutdown', ['Empty', 'Empty'], {});
    await server.shutDown;
  });

  it('refuses clients without the certificate of Terraform', async () => {
    const line = handshakeLine(server.address, server.certificate?.der).split('|');
    const stranger = connectProvider(server.address, {
      server: pemOf(line[5] ?? ''),
      own: makeCertificate(new Date()),
    });
    await expect(stranger.call('GetMetadata', {})).rejects.toThrow();
    stranger.close();
    const plain = connectProvider(server.address);
    await expect(plain.call('GetMetadata', {})).rejects.toThrow();
    plain.close();
  });
});

/** docs/terraform.md: what is logged at TRACE. */
it('every call is logged with the type of its resource', async () => {
  const lines: unknown[] = [];
  const log: Log = (level, message, fields) => lines.push([level, message, fields]);
  const server = await startPluginServer({ handlers: async () => handlers, log });
  const client = connectProvider(server.address);
  await client.call('GetMetadata', {});
  await client.call('ValidateResourceConfig', { type_name: 'gantry_gvc' });
  const duration_ms = expect.any(Number);
  expect(lines).toEqual([
    ['trace', 'GetMetadata', { duration_ms }],
    ['trace', 'ValidateResourceConfig', { type: 'gantry_gvc', duration_ms }],
  ]);
  client.close();
  await server.close();
});

it('a plugin that is started without Terraform has no encryption, and prints what names it to Terraform', async () => {
  const server = await startPluginServer({ handlers: async () => handlers });
  const client = connectProvider(server.address);
  expect((await client.call('GetMetadata', {})).resources).toHaveLength(1);
  expect(JSON.parse(reattachValue('gantry.dev/gantry/gantry', server.address, 7))).toEqual({
    'gantry.dev/gantry/gantry': {
      Protocol: 'grpc',
      ProtocolVersion: 6,
      Pid: 7,
      Test: true,
      Addr: { Network: 'unix', String: server.address.address },
    },
  });
  client.close();
  await server.close();
  expect(existsSync(dirname(server.address.address))).toBe(false);
});

describe('the end of a plugin', () => {
  it('comes after the answers to the request for it and to every other call', async () => {
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    const slow: Handlers = {
      ...handlers,
      GetMetadata: async () => {
        isAsked();
        await mayAnswer;
        return { resources: [{ type_name: 'gantry_gvc' }] };
      },
    };
    const server = await startPluginServer({ handlers: async () => slow });
    const client = connectProvider(server.address);
    const call = client.call('GetMetadata', {});
    await asked;
    const closed = server.shutDown.then(() => server.close());
    // The end begins during this call.
    await client.callPath('/plugin.GRPCController/Shutdown', ['Empty', 'Empty'], {});
    answer();
    expect((await call).resources).toEqual([{ type_name: 'gantry_gvc' }]);
    await closed;
    await expect(client.call('GetMetadata', {})).rejects.toThrow();
    client.close();
  });

  it('does not wait for streams that stay open as long as the connection', async () => {
    const server = await startPluginServer({ handlers: async () => handlers });
    const client = connectProvider(server.address);
    const output = client.listen('/plugin.GRPCStdio/StreamStdio', ['Empty', 'StdioData'], {});
    const connections = client.connect('/plugin.GRPCBroker/StartStream', ['ConnInfo', 'ConnInfo']);
    await client.call('GetMetadata', {}); // on the same connection, so that the streams are open
    await server.close();
    await Promise.all([output, connections]);
    client.close();
  });
});

describe('the invitation', () => {
  const cookie = { TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2' };

  it('is missing if a person starts it: the error says what it is', () => {
    expect(invitationOf({})).toEqual({ refusal: expect.stringContaining('Terraform and OpenTofu start it') });
  });

  it('is refused for older protocols', () => {
    expect(invitationOf({ ...cookie, PLUGIN_PROTOCOL_VERSIONS: '4,5' })).toEqual({
      refusal: expect.stringContaining('asks for 4, 5'),
    });
  });

  it('has the certificate of Terraform', () => {
    const invited = { ...cookie, PLUGIN_PROTOCOL_VERSIONS: '5,6', PLUGIN_CLIENT_CERT: 'pem' };
    expect(invitationOf(invited)).toEqual({ clientCertificate: 'pem', socketFolder: undefined });
  });
});

it('its address is a port where there are no sockets, and where the path would be too long for one', async () => {
  for (const endpoint of [await makeEndpoint('/tmp', 'win32'), await makeEndpoint(`/tmp/${'x'.repeat(100)}`)]) {
    expect(endpoint.network).toBe('tcp');
    expect(endpoint.address(4711)).toBe('127.0.0.1:4711');
  }
});

it('names the temporary folder if no socket can be made there, and the variable that changes it', async () => {
  await expect(makeEndpoint('/no-such-folder')).rejects.toThrow(
    'no socket can be made in /no-such-folder: there is no such file. Set TMPDIR',
  );
});

describe('the socket folder of a killed provider', () => {
  const parent = temporaryFolder('plugin-left');
  const left = () => readdirSync(parent).sort();

  it('is removed as soon as no process listens there, and no other folder is', async () => {
    const living = await startPluginServer({ handlers: async () => handlers, socketFolder: parent });
    const starting = join(parent, 'gantry-provider-start1');
    mkdirSync(starting);
    const others = join(parent, 'other-provider-abc');
    mkdirSync(others);
    const kept = left();
    const dead = join(parent, 'gantry-provider-dead12');
    mkdirSync(dead);
    const script = `require('node:net').createServer().listen(${JSON.stringify(join(dead, 'socket'))}, () => process.kill(process.pid, 'SIGKILL'))`;
    expect(spawnSync(process.execPath, ['-e', script]).signal).toBe('SIGKILL');
    expect(readdirSync(dead)).toEqual(['socket']);

    await removeAbandoned(parent);
    expect(left()).toEqual(kept);
    utimesSync(starting, new Date(0), new Date(0));
    await removeAbandoned(parent);
    expect(left()).toEqual(kept.filter((name) => !starting.endsWith(name)));
    await living.close();
  });
});
