import { isObject, type JsonObject, listAt, objectAt, own } from '../../../src/base/json/json.ts';
import type { ServerOptions } from '../../../src/server/options.ts';
import { container, makeShop, testPlatform } from '../platform.ts';

export const second = 1_000;
export const hour = 3_600 * second;
export const day = 24 * hour;

/**
 * A platform with a stepped clock, the GVC `shop` in one location, and a stateful workload that mounts its volume set.
 */
export async function openShop(more: Partial<ServerOptions> = {}) {
  const platform = await testPlatform({ clock: 'virtual', ...more });
  // A whole hour, so that measurements fall on whole hours and five minutes.
  let nowMs = Math.ceil(Date.now() / hour) * hour;
  await platform.stepTo(nowMs);
  const home = 'gvc/shop/volumeset/data';
  await makeShop(platform, 'aws-us-east-1');

  async function get(path: string): Promise<JsonObject> {
    return (await platform.send('GET', path)).body;
  }
  const shop = {
    ...platform,
    home,
    get,
    nowMs: () => nowMs,
    async advance(ms: number): Promise<number> {
      nowMs += ms;
      return platform.stepTo(nowMs);
    },
    /** Creates the volume set `data` and, unless it is shared, a workload that mounts it. */
    async mount(spec: JsonObject, replicas = 1): Promise<void> {
      const whole = { initialCapacity: 10, performanceClass: 'general-purpose-ssd', ...spec };
      await platform.send('POST', 'gvc/shop/volumeset', { name: 'data', spec: whole });
      await platform.send('POST', 'gvc/shop/workload', database(replicas));
    },
    /** Mounts as `mount` does, and waits until the volumes are ready. */
    async mountReady(spec: JsonObject, replicas = 1): Promise<void> {
      await shop.mount(spec, replicas);
      await shop.advance(second);
    },
    /** The volume of a replica, as the status of the set shows it. */
    async volume(index = 0): Promise<JsonObject> {
      const [location] = listAt(objectAt(await get(home), 'status'), 'locations').filter(isObject);
      const found = listAt(location ?? {}, 'volumes').find((each) => isObject(each) && own(each, 'index') === index);
      return isObject(found) ? found : {};
    },
    command(type: string, spec: JsonObject = {}) {
      const place = { location: 'aws-us-east-1', volumeIndex: 0 };
      return platform.send('POST', `${home}/-command`, { type, spec: { ...place, ...spec } });
    },
    /** All commands, oldest first. */
    async commands(): Promise<readonly JsonObject[]> {
      return listAt(await get(`${home}/-command?limit=1000`), 'items')
        .filter(isObject)
        .toReversed();
    },
    simulate: (body: JsonObject) => platform.send('POST', `${home}/-simulate`, body),
  };
  return shop;
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

export function database(replicas: number): JsonObject {
  const volumes = [{ uri: 'scheme://volumeset/data', path: '/data' }];
  const defaultOptions = { autoscaling: { minScale: replicas, maxScale: replicas } };
  return { name: 'base', spec: { type: 'stateful', containers: [container({ volumes })], defaultOptions } };
}
