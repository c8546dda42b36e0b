import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Outcome } from '../../outcome.ts';
import { openWorld } from '../../sweeps/harness/world.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from './inProcess.ts';
import type { Platform, Reply } from './platform.ts';

/** The stack `town`, with a new platform for each test. */
export interface Town {
  readonly platform: Platform;
  /** Writes its manifests. */
  write(text: string): void;
  run(...args: readonly string[]): Promise<Outcome>;
  /** Runs a command on a proxy. */
  runAt(platform: Pick<Platform, 'url'>, ...args: readonly string[]): Promise<Outcome>;
  /** A request such as `call('GET', '/gvc/town')`. */
  call(method: string, path: string, body?: JsonObject): Promise<Reply>;
  /** Injects faults into the platform from now on. */
  faults(...list: readonly JsonObject[]): Promise<unknown>;
}

export function useTown(): Town {
  const cwd = temporaryFolder('town');
  writeFileSync(join(cwd, 'gantry.yaml'), 'stack: town\n');
  let world: Awaited<ReturnType<typeof openWorld>>;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.close());
  // This platform speaks the neutral words, regardless of the dialect of the other tests.
  const runAt: Town['runAt'] = (platform, ...args) => inProcess(platform, args, { cwd, env: { GANTRY_DIALECT: '' } });
  return {
    get platform() {
      return world.platform;
    },
    write: (text) => writeFileSync(join(cwd, 'stack.yaml'), text),
    run: (...args) => runAt(world.platform, ...args),
    runAt,
    call: (method, path, body) => world.platform.call(method, `/org/local${path}`, body),
    faults: (...list) => world.platform.call('POST', '/-faults', { faults: list }),
  };
}
