import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { providerSource } from '../../../src/hcl/provider.ts';
import { reattachValue } from '../../../src/provider/host/handshake.ts';
import { type PluginServer, startPluginServer } from '../../../src/provider/host/pluginServer.ts';
import { makeHandlers, type Provider } from '../../../src/provider/services/makeHandlers.ts';
import type { ServerOptions } from '../../../src/server/options.ts';
import { type RunningServer, startServer } from '../../../src/server/start.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { makeProject, type Project } from './terraform.ts';

/** A platform, and the provider in the process of the tests, for projects of the real terraform. */
export interface Terraform {
  /** The requests to the platform since they were last cleared: `GET /org/local/gvc`. */
  readonly requests: string[];
  /** All projects have the same owner. */
  project(name: string): Project;
  /** As another client: `call('PATCH', 'gvc/shop', {…})`. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
}

/** `program`: what runs the projects, if not the program of all tests. */
export function useTerraform(name: string, options: ServerOptions = {}, program?: string): Terraform {
  const folder = temporaryFolder(name);
  const requests: string[] = [];
  let platform: RunningServer;
  let provider: Provider;
  let plugin: PluginServer;
  beforeAll(async () => {
    const requestLog: ServerOptions['requestLog'] = ({ method, path }) => requests.push(`${method} ${path}`);
    platform = await startServer({ port: 0, noAuth: true, requestLog, ...options });
    provider = makeHandlers({ environment: { GANTRY_ENDPOINT: platform.url, GANTRY_ORG: 'local' }, cwd: folder });
    plugin = await startPluginServer({ handlers: async () => provider.handlers });
  });
  afterAll(async () => {
    await provider.close();
    await plugin.close();
    await platform.close();
  });
  return {
    requests,
    project(each) {
      const reattach = { TF_REATTACH_PROVIDERS: reattachValue(providerSource, plugin.address, process.pid) };
      return makeProject(join(folder, each), reattach, program);
    },
    call(method, path, body) {
      const headers = { 'content-type': 'application/json' };
      const init = body === undefined ? {} : { body: JSON.stringify(body), headers };
      return fetch(`${platform.url}/org/local/${path}`, { method, ...init });
    },
  };
}
