import { expect } from 'vitest';
import { isObject, listAt, objectAt } from '../../../../src/base/json/json.ts';
import { shortHash } from '../../../../src/gantry/loading/hash.ts';
import type { Scenario } from '../../harness/scenario.ts';

const stack = (routes: string) => `
kind: gvc
name: home
---
kind: workload
gvc: home
name: web
spec: {type: serverless, containers: [{name: main, image: "registry.example.com/web:1", ports: [{number: 8080}]}]}
---
kind: domain
name: routes-shop.com
spec: {ports: [{number: 443, protocol: http2, routes: [${routes}]}]}
`;

const own = '{prefix: /, workloadLink: //gvc/home/workload/web}';
const docs = '{prefix: /docs, workloadLink: //gvc/home/workload/web}';
const path = '/org/local/domain/routes-shop.com';
const foreign = { prefix: '/foreign', workloadLink: '/org/local/gvc/home/workload/web' };

/**
 * The tag of another stack for its one route: format, link, version, item. For two real stacks see
 * test/e2e/commands/part.test.ts.
 */
const item = ['spec', 'ports', '443', 'routes', '/part'].join('\n');
const partTag = `1;l${shortHash(path).slice(0, 12)};v9;i${shortHash(item).slice(0, 6)}`;

export const scenario: Scenario = {
  number: 21,
  title: 'domain routes by two writers',
  steps: [
    {
      it: 'creates one route of its own',
      manifests: stack(own),
      actions: { 'domain/routes-shop.com': 'create', 'gvc/home': 'create', 'workload/home/web': 'create' },
    },
    {
      it: 'a patch by key keeps the undeclared routes of a port',
      before: async (platform) => {
        const reply = await platform.call('PATCH', path, {
          spec: { '$patch/ports': [{ number: 443, '$append/routes': [foreign] }] },
        });
        expect(reply.status).toBe(200);
      },
      manifests: stack(`${own}, ${docs}, {prefix: /foreign, workloadLink: //gvc/home/workload/web}`),
      actions: { 'domain/routes-shop.com': 'patch' },
      patches: {
        'domain/routes-shop.com': {
          spec: {
            '$patch/ports': [
              { number: 443, '$append/routes': [{ prefix: '/docs', workloadLink: '//gvc/home/workload/web' }] },
            ],
          },
        },
      },
      after: async (platform) => {
        const { body } = await platform.call('GET', path);
        const port = listAt(objectAt(body, 'spec'), 'ports').find(isObject) ?? {};
        expect(listAt(port, 'routes').map((route) => (isObject(route) ? route['prefix'] : route))).toEqual([
          '/foreign',
          '/docs',
          '/',
        ]);
      },
    },
    {
      it: 'leaves ignored routes to their writer (lifecycle.ignore)',
      manifests: stack(own).replace(
        'name: routes-shop.com',
        'name: routes-shop.com\nlifecycle: {ignore: [spec.ports.443.routes]}',
      ),
      actions: {},
    },
    {
      it: 'keeps a route that is the part of another stack (lifecycle.part), and deletes other ones',
      before: async (platform) => {
        const reply = await platform.call('PATCH', path, {
          tags: { 'gantry/applied.others': partTag },
          spec: { '$patch/ports': [{ number: 443, '$append/routes': [{ ...foreign, prefix: '/part' }] }] },
        });
        expect(reply.status).toBe(200);
      },
      manifests: stack(own),
      actions: { 'domain/routes-shop.com': 'patch' },
      patches: {
        'domain/routes-shop.com': { spec: { '$patch/ports': [{ number: 443, '$retain/routes': ['/part', '/'] }] } },
      },
      after: async (platform) => {
        const { body } = await platform.call('GET', path);
        const port = listAt(objectAt(body, 'spec'), 'ports').find(isObject) ?? {};
        expect(listAt(port, 'routes').map((route) => (isObject(route) ? route['prefix'] : route))).toEqual([
          '/part',
          '/',
        ]);
        expect(objectAt(body, 'tags')['gantry/applied.others']).toBe(partTag);
      },
    },
  ],
};
