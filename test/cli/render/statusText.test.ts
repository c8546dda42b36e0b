import { expect, test } from 'vitest';
import type { ResourceStatus, StackStatus } from '../../../src/change/status.ts';
import { renderStatus } from '../../../src/cli/commands/status.ts';
import { makePalette } from '../../../src/terminal/palette.ts';

// biome-ignore format: a row is a case
const resources: readonly ResourceStatus[] = [
  {
    id: 'domain/shop.example.com',
    state: 'not-ready',
    health: 'pendingDnsConfig',
    reasons: [],
    declared: true,
    version: 2,
    endpoints: [
      'https://shop.example.com/a',
      'https://shop.example.com/b',
      'https://shop.example.com/c',
      'https://shop.example.com/d',
    ],
    certificates: [{ location: 'aws-eu-central-1', status: 'pendingDnsConfig' }],
    dnsRecords: [
      { type: 'TXT', host: '_acme-challenge.shop.example.com', value: 'k3Jx0c2VkIGlzIG5vdCBhIHNlY3JldCBhdCBhbGw' },
    ],
  },
  { id: 'gvc/shop', state: 'ready', health: 'exists', reasons: [], declared: true, version: 1 },
  { id: 'group/old', state: 'ready', health: 'exists', reasons: [], declared: false, version: 1 },
  { id: 'secret/shop-payment', state: 'failed', health: 'absent', reasons: ['it is declared, but does not exist'],
    declared: true },
  { id: 'volumeset/shop/a-very-long-name-of-files-for-the-reports-of-every-night', state: 'ready', health: 'bound',
    reasons: [], declared: true, version: 1, volumes: { count: 2, capacityGb: 40, usedGb: 0.26 } },
  { id: 'workload/shop/api', state: 'failed', health: 'partial',
    reasons: ['gcp-us-east1: container main was restarted 12 times (exit code 137, OOMKilled)'], declared: true,
    version: 7, processedVersion: 6, locations: { ready: 1, total: 2 }, replicas: { ready: 2, total: 5 },
    endpoints: ['https://api-gc17n4rx0g8ul.a-subdomain-that-makes-it-longer-than-the-screen.local.apps.example'] },
  { id: 'workload/shop/web', state: 'ready', health: 'ready', reasons: [], declared: true, version: 3,
    processedVersion: 3, locations: { ready: 2, total: 2 }, replicas: { ready: 0, total: 0 },
    endpoints: ['https://web-gc17n4rx0g8ul.local.apps.example'] },
];
const status: StackStatus = { org: 'local', stack: 'shop', declarationsKnown: true, resources, requests: 17 };
const text = (columns: number, color = false) => renderStatus(status, { palette: makePalette(color), columns });

/** The lines that fit at 80 columns too. */
const beginning = [
  'Stack shop in org local',
  '',
  '  ✓ gvc/shop                 exists, version 1',
  '  ✓ group/old                exists, version 1, not declared',
  '  ✓ volumeset/shop/a-very-long-name-of-files-for-the-reports-of-every-night',
  '      bound, 0.3 of 40 GB used in 2 volumes, version 1',
  '  ✓ workload/shop/web        ready, 2 of 2 locations, version 3',
  '      https://web-gc17n4rx0g8ul.local.apps.example',
  '  … domain/shop.example.com  pendingDnsConfig, version 2',
  '      https://shop.example.com/a',
  '      https://shop.example.com/b',
  '      https://shop.example.com/c',
  '      and 1 more',
];

test('at 80 columns facts and reasons are wrapped below a long name, and names and addresses stay whole', () => {
  expect(text(80)).toBe(
    [
      ...beginning,
      '      make the DNS record TXT _acme-challenge.shop.example.com',
      '      k3Jx0c2VkIGlzIG5vdCBhIHNlY3JldCBhdCBhbGw',
      '  ✗ secret/shop-payment      absent',
      '  ✗ workload/shop/api        partial, 1 of 2 locations, 2 of 5 replicas,',
      '                             version 7 (processed: 6)',
      '      https://api-gc17n4rx0g8ul.a-subdomain-that-makes-it-longer-than-the-screen.local.apps.example',
      '      gcp-us-east1: container main was restarted 12 times (exit code 137,',
      '      OOMKilled)',
      '',
      'Absent: declared, but not on the platform. gantry apply creates it.',
      '',
      '7 resources: 4 ready, 1 not ready, 2 failed. Requests: 17.',
    ].join('\n'),
  );
});

test('at 120 columns more facts fit on one line', () => {
  expect(text(120)).toBe(
    [
      ...beginning,
      '      make the DNS record TXT _acme-challenge.shop.example.com k3Jx0c2VkIGlzIG5vdCBhIHNlY3JldCBhdCBhbGw',
      '  ✗ secret/shop-payment      absent',
      '  ✗ workload/shop/api        partial, 1 of 2 locations, 2 of 5 replicas, version 7 (processed: 6)',
      '      https://api-gc17n4rx0g8ul.a-subdomain-that-makes-it-longer-than-the-screen.local.apps.example',
      '      gcp-us-east1: container main was restarted 12 times (exit code 137, OOMKilled)',
      '',
      'Absent: declared, but not on the platform. gantry apply creates it.',
      '',
      '7 resources: 4 ready, 1 not ready, 2 failed. Requests: 17.',
    ].join('\n'),
  );
});

test.each([80, 120])('colours change nothing else, at %d columns', (columns) => {
  const painted = text(columns, true);
  expect(painted).toContain('\u001b[32m✓\u001b[39m');
  expect(painted).toContain('\u001b[33m…\u001b[39m');
  expect(painted).toContain('\u001b[1m\u001b[31m✗\u001b[39m\u001b[22m');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are to be taken out
  expect(painted.replace(/\u001b\[\d+m/g, '')).toBe(text(columns));
});

test('nothing is wider than the screen except words without a blank', () => {
  for (const columns of [40, 80, 120]) {
    const wide = text(columns)
      .split('\n')
      .filter((line) => line.length > columns);
    expect(
      wide.every((line) => /^ {2,6}([✓…✗] )?\S+$/.test(line)),
      wide.join('\n'),
    ).toBe(true);
  }
});

test('without manifests absent resources are unknown, and a name without resources is reported', () => {
  const look = { palette: makePalette(false), columns: 80 };
  expect(renderStatus({ ...status, declarationsKnown: false, resources: [] }, look)).toBe(
    `Stack shop in org local

No manifests were read: what is declared and absent is not known.

Nothing belongs to this stack. Requests: 17.`,
  );
});

test('platform text cannot move the cursor', () => {
  const evil: ResourceStatus = { id: 'gvc/a', state: 'failed', health: 'bad\u001b[2J', reasons: ['x\u001b[1A'] };
  expect(renderStatus({ ...status, resources: [evil] }, { palette: makePalette(false), columns: 80 })).not.toContain(
    '\u001b',
  );
});
