import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { convertKubernetes } from '../../src/cli/commands/convertKubernetes.ts';

/** Converts as many services as deployments, and counts how often the deployments are read. */
function converted(count: number) {
  let looks = 0;
  const documents = [...Array(count).keys()].flatMap((each): readonly JsonObject[] => {
    const labels = { app: `app-${each}`, team: 'shop' };
    const containers = [{ name: 'main', image: 'web:1' }];
    return [
      Object.defineProperty({ kind: 'Deployment', metadata: { name: `app-${each}` } }, 'spec', {
        enumerable: true,
        get() {
          looks += 1;
          return { template: { metadata: { labels }, spec: { containers } } };
        },
      }),
      { kind: 'Service', metadata: { name: `app-${each}` }, spec: { selector: { team: 'shop', app: `app-${each}` } } },
    ];
  });
  const { notes } = convertKubernetes(documents, 'shop');
  return { looks, served: notes.filter(({ message }) => message.startsWith('services do not exist')).length };
}

test('the cost of converting a service does not grow with the number of services', () => {
  const few = converted(40);
  expect(few.served).toBe(40);
  expect(converted(80)).toEqual({ looks: 2 * few.looks, served: 80 });
});
