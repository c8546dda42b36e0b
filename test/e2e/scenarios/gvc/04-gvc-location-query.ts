import type { JsonObject } from '../../../../src/base/json/json.ts';
import type { Scenario } from '../../harness/scenario.ts';

const gvc = (query: string) => `
kind: gvc
name: queried
${query}`;

const live = (locationQuery?: JsonObject): JsonObject => ({
  name: 'queried',
  description: 'queried',
  tags: {},
  spec: { endpointNamingFormat: 'org', ...(locationQuery === undefined ? {} : { staticPlacement: { locationQuery } }) },
});

const three = (value: string) => `spec:
  staticPlacement:
    locationQuery:
      kind: location
      fetch: links
      spec:
        match: any
        terms:
          - {tag: tier, value: gold}
          - {property: provider, value: ${value}}
          - {rel: org, op: exists}
`;

const threeTerms = (value: string) => [
  { op: '=', tag: 'tier', value: 'gold' },
  { op: '=', property: 'provider', value },
  { op: 'exists', rel: 'org' },
];

export const scenario: Scenario = {
  number: 4,
  title: 'GVC location query life cycle',
  steps: [
    {
      it: 'starts without a query',
      manifests: gvc(''),
      actions: { 'gvc/queried': 'create' },
      live: { '/org/local/gvc/queried': live() },
    },
    {
      it: 'adds one tag term; the defaults of the query are filled and never differ (platform/concepts.filled)',
      manifests: gvc(`spec:
  staticPlacement:
    locationQuery: {kind: location, spec: {terms: [{tag: tier, value: gold}]}}
`),
      actions: { 'gvc/queried': 'patch' },
      live: {
        '/org/local/gvc/queried': live({
          kind: 'location',
          fetch: 'items',
          spec: { match: 'all', terms: [{ op: '=', tag: 'tier', value: 'gold' }] },
        }),
      },
    },
    {
      it: 'changes to several terms, match any and fetch links',
      manifests: gvc(three('aws')),
      actions: { 'gvc/queried': 'patch' },
      live: {
        '/org/local/gvc/queried': live({
          kind: 'location',
          fetch: 'links',
          spec: { match: 'any', terms: threeTerms('aws') },
        }),
      },
    },
    {
      it: 'a changed term sends the list of terms, which have no key, and nothing else',
      manifests: gvc(three('gcp')),
      actions: { 'gvc/queried': 'patch' },
      live: {
        '/org/local/gvc/queried': live({
          kind: 'location',
          fetch: 'links',
          spec: { match: 'any', terms: threeTerms('gcp') },
        }),
      },
    },
    {
      it: 'removes the query',
      manifests: gvc(''),
      actions: { 'gvc/queried': 'patch' },
      patches: { 'gvc/queried': { spec: { $drop: ['staticPlacement'] } } },
      live: { '/org/local/gvc/queried': live() },
    },
  ],
  negatives: [
    {
      it: 'a term with two selectors, and a value beside exists (G3)',
      manifests: `
kind: gvc
name: queried
spec:
  staticPlacement:
    locationQuery:
      kind: location
      spec: {terms: [{tag: a, property: b, value: c}, {tag: d, op: exists, value: e}]}
`,
      rules: ['G3'],
    },
  ],
};
