import { c, files, local, of, rows, shop } from '../cases/workloadRecords.ts';
import { other } from '../ruleCase.ts';
import { findings } from './findings.ts';

const rowsSet = (fileSystemType: string) => other('volumeset', 'rows', { spec: { fileSystemType } });
const mountingRows = (name: string) => other('workload', name, of('stateful', rows, {}, { name }));

// biome-ignore format: a row is a case
findings('workload', {
  W31: [
    ['accepts ext4 on one stateful workload',
      of('stateful', rows), {}, { others: [rowsSet('ext4'), mountingRows('web')] }],
    ['leaves a vm to W31.vm', of('vm', rows), {}, { others: [rowsSet('ext4')] }],
    ['names the set, its file system and the type, at the first mount alone',
      of('cron', { volumes: [...rows.volumes, ...rows.volumes] }),
      { [`${c}.volumes."/rows".uri`]: 'the volume set "rows" is xfs; a cron workload can mount shared ones only' },
      { others: [rowsSet('xfs')] }],
    ['names the workload that mounts it already', of('stateful', rows),
      { [`${c}.volumes."/rows".uri`]: 'cannot be mounted by the workload "first" too' },
      { others: [rowsSet('ext4'), mountingRows('first')] }],
    ['accepts a shared set on many', of('standard', files), {},
      { others: [other('volumeset', 'files', { spec: { fileSystemType: 'shared' } })] }],
    ['reports nothing about an unknown set', of('standard', rows), {}],
    ['reports nothing about a missing set', of('standard', rows), {}, { absent: ['volumeset/shop/rows'] }],
    ['reports nothing if the GVC is unknown',
      of('standard', rows), {}, { others: [rowsSet('ext4')], context: { org: 'acme' } }],
  ],
  'W31.vm': [
    ['only applies to a vm', of('standard', rows), {}, { others: [rowsSet('ext4')] }],
    ['names the set and its file system', of('vm', rows),
      { [`${c}.volumes."/rows".uri`]: 'the volume set "rows" is xfs; a vm can mount shared ones only' },
      { others: [rowsSet('xfs')] }],
  ],
  W38: [
    ['names the location that occurs twice', local('aws-us-east-1', '//location/aws-us-east-1'),
      { 'spec.localOptions.aws-us-east-1.location': '"aws-us-east-1" may have options only once' }],
    ['accepts options without a location: the schema reports it', of('standard', {}, { localOptions: [{}, {}] }), {},
      { others: [shop({ staticPlacement: { locationLinks: ['//location/a'] } })] }],
    [
      'reports the valid locations',
      local('azure-eastus2'),
      {
        'spec.localOptions.azure-eastus2.location':
          '"azure-eastus2" is not a location of the GVC "shop" Its locations are a, b.',
      },
      { others: [shop({ staticPlacement: { locationLinks: ['//location/a', '//location/b'] } })] },
    ],
    ['reports that there are none', local('azure-eastus2'),
      { 'spec.localOptions.azure-eastus2.location': 'The GVC has no locations' },
      { others: [shop({ staticPlacement: { locationLinks: [] } })] }],
    ['reports nothing about a missing GVC', local('a'), {}, { absent: ['gvc/shop'] }],
    ['reports nothing if the GVC is unknown', local('a'), {}, { others: [shop({})], context: { org: 'acme' } }],
    ['leaves local options of cron to W11', of('cron', {}, { localOptions: [{ location: 'x' }] }), {},
      { others: [shop({ staticPlacement: { locationLinks: [] } })] }],
  ],
});
