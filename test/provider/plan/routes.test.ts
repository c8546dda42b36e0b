import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { unknown, type Value } from '../../../src/hcl/value.ts';
import { portsWithRoutes, withOthersRoutes, withoutOthersRoutes } from '../../../src/provider/plan/routes.ts';

const route: JsonObject = { prefix: '/', workloadLink: '//gvc/shop/workload/web' };
const domain = (...ports: readonly JsonObject[]): JsonObject => ({ name: 'a.example', spec: { ports: [...ports] } });
const said = (...ports: readonly Value[]) => ({ spec: { ports } });
const [own, none] = [
  { number: 443, routes: [{ prefix: '/' }] },
  { number: 443, routes: null },
];

/** If the resource declares no routes for a port, its routes belong to `gantry_domain_route` or to others. */
// biome-ignore format: a row is a case
it.each([
  ['of others: no drift', domain({ number: 443, routes: [route] }), said(none), domain({ number: 443 })],
  ['of others on the default port: no drift', domain({ routes: [route] }), said({ number: null, routes: [] }),
    domain({})],
  ['of its own: shown', domain({ number: 443, routes: [route] }), said(own), domain({ number: 443, routes: [route] })],
  ['that are unknown: its own', domain({ routes: [route] }), said({ number: null, routes: unknown }), undefined],
  ['of an undeclared port: kept', domain({ number: 80, routes: [route] }), said(none), undefined],
  ['of a domain without ports: kept', domain({ routes: [route] }), { spec: null }, undefined],
  ['that are absent: none', { name: 'a.example' }, said(none), undefined],
  ['of an import: shown', domain({ number: 443, routes: [route] }), undefined, undefined],
])('routes %s', (_, record, hint, shown = record) => {
  expect(withoutOthersRoutes('domain', record, hint)).toEqual(shown);
  expect(withoutOthersRoutes('gvc', record, hint)).toBe(record);
});

const live = domain({ number: 443, routes: [route] });
it.each([
  ['of others since the refresh: kept', domain({ number: 443 }), said(none), said(none), live],
  ['it had before: removed', domain({ number: 443 }), said(none), said(own), domain({ number: 443 })],
  ['of a new domain: its own', domain({ number: 443 }), said(none), null, domain({ number: 443 })],
  ['of another port: unchanged', domain({ number: 80 }), said({ number: 80 }), said(none), domain({ number: 80 })],
])('an update and routes %s', (_, declared, config, prior, written) => {
  expect(withOthersRoutes('domain', declared, { config, prior, live })).toEqual(written);
});

it('lists the ports that have routes, or may have', () => {
  expect(
    portsWithRoutes(said(own, { number: 80, routes: unknown }, { number: 90, routes: [] }, { number: unknown })),
  ).toEqual([443, 80]);
  expect(portsWithRoutes({ spec: null })).toEqual([]);
});
