import type { Scenario } from '../../harness/scenario.ts';

const west = '/org/local/location/aws-us-west-2';
const east = '/org/local/location/gcp-us-east1';
const central = '/org/local/location/aws-eu-central-1';

const gvc = (options: string) => `
kind: gvc
name: placed
spec:
  staticPlacement:
    locationLinks: [//location/aws-us-west-2, //location/gcp-us-east1, //location/aws-eu-central-1]
${options}`;

const live = (locationOptions?: readonly Record<string, string | number>[]) => ({
  name: 'placed',
  description: 'placed',
  tags: {},
  spec: {
    endpointNamingFormat: 'org',
    staticPlacement: {
      locationLinks: [west, east, central],
      ...(locationOptions === undefined ? {} : { locationOptions }),
    },
  },
});

const three = [
  { locationLink: west },
  { locationLink: east, routingTier: 1, latencyOffsetMs: -20 },
  { locationLink: central, routingTier: 2, latencyToleranceMs: 30 },
];

export const scenario: Scenario = {
  number: 3,
  title: 'GVC location options life cycle',
  steps: [
    {
      it: 'starts without options',
      manifests: gvc(''),
      actions: { 'gvc/placed': 'create' },
      live: { '/org/local/gvc/placed': live() },
    },
    {
      it: 'adds one option that has only the link',
      manifests: gvc('    locationOptions: [{locationLink: //location/aws-us-west-2}]'),
      actions: { 'gvc/placed': 'patch' },
      patches: {
        'gvc/placed': {
          spec: { staticPlacement: { locationOptions: [{ locationLink: '//location/aws-us-west-2' }] } },
        },
      },
      live: { '/org/local/gvc/placed': live([{ locationLink: west }]) },
    },
    {
      it: 'appends two more, with tiers, a negative offset and a tolerance',
      manifests: gvc(`    locationOptions:
      - {locationLink: //location/aws-us-west-2}
      - {locationLink: //location/gcp-us-east1, routingTier: 1, latencyOffsetMs: -20}
      - {locationLink: //location/aws-eu-central-1, routingTier: 2, latencyToleranceMs: 30}
`),
      actions: { 'gvc/placed': 'patch' },
      patches: {
        'gvc/placed': {
          spec: {
            staticPlacement: {
              '$append/locationOptions': [
                { locationLink: '//location/gcp-us-east1', routingTier: 1, latencyOffsetMs: -20 },
                { locationLink: '//location/aws-eu-central-1', routingTier: 2, latencyToleranceMs: 30 },
              ],
            },
          },
        },
      },
      live: { '/org/local/gvc/placed': live(three) },
    },
    {
      it: 'another order and other link forms are no change, because locations identify options',
      manifests: gvc(`    locationOptions:
      - {locationLink: /org/local/location/aws-eu-central-1, routingTier: 2, latencyToleranceMs: 30}
      - {locationLink: /org/local/location/gcp-us-east1, routingTier: 1, latencyOffsetMs: -20}
      - {locationLink: //location/aws-us-west-2}
`),
      actions: {},
      live: { '/org/local/gvc/placed': live(three) },
    },
    {
      it: 'shrinks to one by naming the one that is kept',
      manifests: gvc(`    locationOptions:
      - {locationLink: //location/gcp-us-east1, routingTier: 1, latencyOffsetMs: -20}
`),
      actions: { 'gvc/placed': 'patch' },
      patches: { 'gvc/placed': { spec: { staticPlacement: { '$retain/locationOptions': [east] } } } },
      live: { '/org/local/gvc/placed': live([{ locationLink: east, routingTier: 1, latencyOffsetMs: -20 }]) },
    },
    {
      it: 'drops them all',
      manifests: gvc(''),
      actions: { 'gvc/placed': 'patch' },
      patches: { 'gvc/placed': { spec: { staticPlacement: { $drop: ['locationOptions'] } } } },
      live: { '/org/local/gvc/placed': live() },
    },
    {
      it: 'a location that does not exist (platform/deletion.references)',
      manifests: `
kind: gvc
name: placed
spec: {staticPlacement: {locationLinks: [//location/nowhere-else]}}
`,
      codes: ['reference.missing'],
    },
  ],
};
