import { comment } from './fieldText.ts';

/** The props of a construct: the fields of a kind, beside those that every resource has. */
export interface Root {
  readonly type: string;
  readonly name: string;
  readonly base: 'ResourceProps' | 'GvcScopedProps';
  readonly about?: readonly string[];
  /** There is one interface for each type of workload. */
  readonly byWorkload?: true;
  /** What the construct has in another way. */
  readonly omitted?: readonly string[];
  readonly extra?: string;
}

const envelope = ['name', 'description', 'tags'];

export const roots: readonly Root[] = [
  {
    type: 'WorkloadSpec',
    name: 'WorkloadProps',
    base: 'GvcScopedProps',
    about: ['A set of containers of one type, run in the locations of its GVC.'],
    byWorkload: true,
    omitted: ['identityLink'],
    extra: `${comment(
      [
        'Identity that the workload acts as. Needed to read secrets and to reach cloud accounts and agents.',
        '',
        '@see platform/workload.references',
      ],
      '  ',
    )}  readonly identity?: Reference<'identity'> | LinkInOwnGvc<'identity'> | undefined;\n`,
  },
  {
    type: 'GvcSpec',
    name: 'GvcProps',
    base: 'ResourceProps',
    about: ['A global virtual cloud: locations and settings that its workloads share.'],
    extra: `${comment(
      [
        'Locations in which its workloads run: names (`aws-us-west-2`), links or constructs. Added to `staticPlacement.locationLinks`.',
        '',
        '@see platform/gvc.placement',
      ],
      '  ',
    )}  readonly locations?: readonly (string | Linkable<'location'>)[] | undefined;\n`,
  },
  {
    type: 'VolumeSetSpec',
    name: 'VolumeSetProps',
    base: 'GvcScopedProps',
    about: ['Storage volumes for the workloads of one GVC.'],
  },
  { type: 'IdentityFields', name: 'IdentityProps', base: 'GvcScopedProps', omitted: envelope },
  { type: 'DomainSpec', name: 'DomainProps', base: 'ResourceProps', about: ['A host name and where its requests go.'] },
  { type: 'SecretFields', name: 'SecretProps', base: 'ResourceProps', omitted: envelope },
  { type: 'PolicyFields', name: 'PolicyProps', base: 'ResourceProps', omitted: envelope },
  { type: 'GroupFields', name: 'GroupProps', base: 'ResourceProps', omitted: envelope },
  { type: 'CloudAccountFields', name: 'CloudAccountProps', base: 'ResourceProps', omitted: envelope },
  { type: 'LocationFields', name: 'LocationProps', base: 'ResourceProps', omitted: envelope },
  {
    type: 'IpSetSpec',
    name: 'IpSetProps',
    base: 'ResourceProps',
    about: ['Reserved addresses for a workload or a GVC.'],
  },
];
