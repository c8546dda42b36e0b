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

/** Routes of a port for which the resource has none are those of `gantry_domain_route`, or of others. */
it.each([
  ['of others are no drift', domain({ number: 443, routes: [route] }), said(none), domain({ number: 443 })],
  ['of the usual port, too', domain({ routes: [route] }), said({ number: null, routes: [] }), domain({})],
  ['of its own are', domain({ number: 443, routes: [route] }), said(own), domain({ number: 443, routes: [route] })],
  [
    'that are not known yet are its own',
    domain({ routes: [route] }),
    said({ number: null, routes: unknown }),
    undefined,
  ],
  ['of a port that it does not have stay', domain({ number: 80, routes: [route] }), said(none), undefined],
  ['that nobody has are none', { name: 'a.example' }, said(none), undefined],
  ['of an import are shown', domain({ number: 443, routes: [route] }), undefined, undefined],
])('routes %s', (_, record, hint, shown = record) => {
  expect(withoutOthersRoutes('domain', record, hint)).toEqual(shown);
  expect(withoutOthersRoutes('gvc', record, hint)).toBe(record);
});

const live = domain({ number: 443, routes: [route] });
it.each([
  ['others made meanwhile stay', domain({ number: 443 }), said(none), said(none), live],
  ['it had before go', domain({ number: 443 }), said(none), said(own), domain({ number: 443 })],
  ['of a new domain are its own', domain({ number: 443 }), said(none), null, domain({ number: 443 })],
  ['of another port are not touched', domain({ number: 80 }), said({ number: 80 }), said(none), domain({ number: 80 })],
])('an update in which routes %s', (_, declared, config, prior, written) => {
  expect(withOthersRoutes('domain', declared, { config, prior, live })).toEqual(written);
});

it('the ports that have routes, or may have', () => {
  expect(
    portsWithRoutes(said(own, { number: 80, routes: unknown }, { number: 90, routes: [] }, { number: unknown })),
  ).toEqual([443, 80]);
  expect(portsWithRoutes({ spec: null })).toEqual([]);
});
