import { casesOf, other, type RuleCase } from '../ruleCase.ts';
import { balancer, c, ext4, external, files, filter, local, of, placed, rows, shared } from './workloadRecords.ts';

// biome-ignore format: a row is a case
export const networkCases: readonly RuleCase[] = [
  ...casesOf('W31', 'workload', [
    { it: 'ext4 on a standard workload (platform/volumeset.mounting)', others: [ext4, shared],
      passes: of('standard', files), fails: of('standard', rows), path: `${c}.volumes."/rows".uri` },
    { it: 'ext4 on a second stateful workload (platform/volumeset.mounting)',
      others: [ext4, other('workload', 'first', of('stateful', rows, {}, { name: 'first' }))],
      passes: of('stateful', rows, {}, { name: 'first' }), fails: of('stateful', rows, {}, { name: 'second' }),
      path: `${c}.volumes."/rows".uri` },
  ]),
  ...casesOf('W31.vm', 'workload', [
    { it: 'ext4 on a vm (platform/volumeset.mounting)', others: [ext4, shared], passes: of('vm', files),
      fails: of('vm', rows), path: `${c}.volumes."/rows".uri` },
  ]),
  ...casesOf('workload.image-needed', 'workload', [
    { it: 'a container without an image that is no vm',
      passes: { name: 'web', spec: { type: 'vm', containers: [{ name: 'main' }] } },
      fails: { name: 'web', spec: { type: 'standard', containers: [{ name: 'main' }] } }, path: `${c}.image` },
  ]),
  ...casesOf('workload.volume-path', 'workload', [
    { it: 'a volume without a path that is no disk of a vm',
      passes: of('vm', { volumes: [{ uri: 'scheme://volumeset/files' }] }),
      fails: of('standard', { volumes: [{ uri: 'scheme://volumeset/files' }] }), path: `${c}.volumes.0.path` },
  ]),
  ...casesOf('workload.disk', 'workload', [
    { it: 'the bus of a volume that is no disk of a vm',
      passes: of('vm', { volumes: [{ uri: 's3://a', path: '/a', name: 'root', bus: 'virtio', bootOrder: 1 }] }),
      fails: of('standard', { volumes: [{ uri: 's3://a', path: '/a', bus: 'virtio' }] }),
      path: `${c}.volumes."/a".bus` },
  ]),
  ...casesOf('workload.regex', 'workload', [
    { it: 'a dropped metric that is no expression',
      passes: of('standard', { metrics: { port: 9090, dropMetrics: ['go_.*', String.raw`^process_\w+$`] } }),
      fails: of('standard', { metrics: { port: 9090, dropMetrics: ['go_('] } }), path: `${c}.metrics.dropMetrics.0` },
    { it: 'a look-ahead in an allowed value, which RE2 does not have',
      passes: filter({ allowedValues: ['(?i)^curl/', '(?P<name>a|b)'] }),
      fails: filter({ allowedValues: ['^(?!curl)'] }),
      path: 'spec.firewallConfig.external.http.inboundHeaderFilter.x-a.allowedValues.0' },
    { it: 'a back reference in a blocked value; an escaped backslash is none',
      passes: filter({ blockedValues: [String.raw`a\\1`] }), fails: filter({ blockedValues: [String.raw`(a)\1`] }),
      path: 'spec.firewallConfig.external.http.inboundHeaderFilter.x-a.blockedValues.0' },
    { it: 'an escape that RE2 does not know', passes: filter({ blockedValues: [String.raw`\d\.\/\-\x41`] }),
      fails: filter({ blockedValues: [String.raw`\y`] }),
      path: 'spec.firewallConfig.external.http.inboundHeaderFilter.x-a.blockedValues.0' },
  ]),
  ...casesOf('W33', 'workload', [
    { it: 'both lists', passes: filter({ allowedValues: ['a'] }),
      fails: filter({ allowedValues: ['a'], blockedValues: ['b'] }),
      path: 'spec.firewallConfig.external.http.inboundHeaderFilter.x-a' },
    { it: 'neither list', passes: filter({ blockedValues: ['a'] }), fails: filter({}),
      path: 'spec.firewallConfig.external.http.inboundHeaderFilter.x-a' },
  ]),
  ...casesOf('W35', 'workload', [
    { it: 'no header', passes: balancer('standard', { geoLocation: { enabled: true, headers: { asn: 'x-asn' } } }),
      fails: balancer('standard', { geoLocation: { enabled: true } }), path: 'spec.loadBalancer.geoLocation' },
    { it: 'a header twice', passes: balancer('standard', { geoLocation: { headers: { asn: 'x-a', city: 'x-b' } } }),
      fails: balancer('standard', { geoLocation: { headers: { asn: 'x-a', city: 'X-A' } } }),
      path: 'spec.loadBalancer.geoLocation.headers.city' },
  ]),
  ...casesOf('W38', 'workload', [
    { it: 'a location twice, once as a link', passes: local('aws-us-east-1', 'aws-us-west-2'),
      fails: local('aws-us-east-1', '//location/aws-us-east-1'), path: 'spec.localOptions.aws-us-east-1.location' },
    { it: 'a location that the GVC does not have (platform/workload)', others: [placed],
      passes: local('//location/aws-us-east-1'), fails: local('azure-eastus2'),
      path: 'spec.localOptions.azure-eastus2.location' },
  ]),
  ...casesOf('workload.cidr', 'workload', [
    { it: 'no address (A.10)',
      passes: external({ inboundAllowCIDR: ['10.0.0.0/8', '2001:db8::/32', '::1', '1.2.3.4'] }),
      fails: external({ inboundAllowCIDR: ['10.0.0.256'] }), path: 'spec.firewallConfig.external.inboundAllowCIDR.0' },
    { it: 'a prefix of 33 bits (A.10)', passes: external({ outboundAllowCIDR: ['0.0.0.0/0'] }),
      fails: external({ outboundAllowCIDR: ['10.0.0.0/33'] }),
      path: 'spec.firewallConfig.external.outboundAllowCIDR.0' },
  ]),
  ...casesOf('workload.inbound-list', 'workload', [
    {
      it: 'a list without an effect (B2.6)',
      passes: of(
        'standard',
        {},
        {
          firewallConfig: {
            internal: { inboundAllowType: 'workload-list', inboundAllowWorkload: ['//gvc/a/workload/b'] },
          },
        },
      ),
      fails: of('standard', {}, { firewallConfig: { internal: { inboundAllowWorkload: ['//gvc/a/workload/b'] } } }),
      path: 'spec.firewallConfig.internal.inboundAllowWorkload',
    },
  ]),
  ...casesOf('workload.direct-ports', 'workload', [
    {
      it: 'a port twice (B2.10)',
      passes: balancer('standard', {
        direct: {
          ports: [
            { externalPort: 53, protocol: 'TCP' },
            { externalPort: 53, protocol: 'UDP' },
          ],
        },
      }),
      fails: balancer('standard', {
        direct: {
          ports: [
            { externalPort: 53, protocol: 'TCP' },
            { externalPort: 53, protocol: 'TCP' },
          ],
        },
      }),
      path: 'spec.loadBalancer.direct.ports."53+TCP"',
    },
  ]),
  ...casesOf('workload.proxy-user', 'workload', [
    { it: 'the user of the proxy (B2.1)', passes: of('standard', {}, { securityOptions: { runAsUser: 1000 } }),
      fails: of('standard', {}, { securityOptions: { runAsUser: 1337 } }), path: 'spec.securityOptions.runAsUser' },
  ]),
  ...casesOf('S8', 'workload', [
    { it: 'a key that the secret does not have (B2.14)', others: [other('secret', 'db', { type: 'userpass' })],
      passes: of('standard', { env: [{ name: 'P', value: 'scheme://secret/db.password' }] }),
      fails: of('standard', { env: [{ name: 'P', value: 'scheme://secret/db.pass' }] }), path: `${c}.env.P.value` },
    { it: 'a key that the dictionary does not have (B2.14)',
      others: [other('secret', 'db', { type: 'dictionary', data: { 'a.b': 'x' } })],
      passes: of('standard', { env: [{ name: 'P', value: 'scheme://secret/db.a.b' }] }),
      fails: of('standard', { env: [{ name: 'P', value: 'scheme://secret/db.a' }] }), path: `${c}.env.P.value` },
  ]),
  ...casesOf('S9', 'workload', [
    { it: 'a workload without an identity', where: 'offline',
      passes: of('standard', { env: [{ name: 'P', value: 'scheme://secret/db' }] }, { identityLink: '//identity/app' }),
      fails: of('standard', { env: [{ name: 'P', value: 'scheme://secret/db' }] }), path: `${c}.env.P.value` },
    {
      it: 'an identity that no policy mentions',
      where: 'offline',
      others: [
        other('secret', 'db', { type: 'opaque' }),
        other('policy', 'p', {
          targetKind: 'secret',
          targetLinks: ['//secret/db'],
          bindings: [{ permissions: ['reveal'], principalLinks: ['//gvc/shop/identity/app'] }],
        }),
      ],
      passes: of('standard', { env: [{ name: 'P', value: 'scheme://secret/db' }] }, { identityLink: '//identity/app' }),
      fails: of(
        'standard',
        { env: [{ name: 'P', value: 'scheme://secret/db' }] },
        { identityLink: '//identity/other' },
      ),
      path: `${c}.env.P.value`,
    },
  ]),
];
