/** A rule that no check of a written record can express, and where it is implemented. */
export interface Behaviour {
  readonly id: string;
  readonly section: string;
  readonly title: string;
  readonly whereItIs: 'server' | 'server commands' | 'server patch' | 'planner' | 'schema';
}

/** Rules that no check of a record can express; `gantry rules` shows them with the others. */
export const behaviours: readonly Behaviour[] = [
  {
    id: 'W42',
    section: 'commands.run-now',
    title:
      'Run-now is for cron workloads, in a location of the GVC; overrides ' +
      'name containers of it; it works while suspended.',
    whereItIs: 'server commands',
  },
  {
    id: 'D15',
    section: 'domain.ownership',
    title: 'Ownership of a domain is proven by a DNS record; the embedded platform asks for it with --prove-ownership.',
    whereItIs: 'server',
  },
  {
    id: 'D18',
    section: 'domain.routing',
    title: 'A route to a GVC or workload that does not exist is accepted; the status of the domain becomes warning.',
    whereItIs: 'server',
  },
  {
    id: 'D20',
    section: 'domain.tls',
    title: 'tls of port 443 with http or http2 is set again when it is removed.',
    whereItIs: 'schema',
  },
  {
    id: 'V10',
    section: 'volumeset.volumes',
    title: 'ext4 and xfs have one volume per replica and location, shared has one per location.',
    whereItIs: 'server',
  },
  {
    id: 'V11',
    section: 'volumeset.volumes',
    title: 'Volumes stay when a workload scales down; a deleteVolume command or the deletion of the set removes them.',
    whereItIs: 'server',
  },
  {
    id: 'V12',
    section: 'commands.volumes',
    title: 'A volume can only be expanded to a larger size; the limit of 4 expansions in 24 hours is off by default.',
    whereItIs: 'server commands',
  },
  {
    id: 'V13',
    section: 'commands.volumes',
    title: 'A volume cannot be shrunk below its used space plus 5 %, nor below the minimum of its class.',
    whereItIs: 'server commands',
  },
  { id: 'I2', section: 'identity.blocks', title: 'An identity has one block per provider.', whereItIs: 'schema' },
  {
    id: 'I6',
    section: 'identity.blocks',
    title: 'A provider block is replaced as a whole by $replace/<block>.',
    whereItIs: 'server patch',
  },
  {
    id: 'I7',
    section: 'identity.blocks',
    title: 'A provider block is removed by $drop or null.',
    whereItIs: 'server patch',
  },
  {
    id: 'P2',
    section: 'ipset.addresses',
    title: 'An IP set cannot be deleted while one of its addresses is bound.',
    whereItIs: 'server',
  },
  {
    id: 'P3',
    section: 'ipset.addresses',
    title: 'Addresses are allocated for the locations of the linked GVC, and only with a link.',
    whereItIs: 'server',
  },
  {
    id: 'P4',
    section: 'ipset.addresses',
    title: 'Changing keep to free does not release an address that is in use.',
    whereItIs: 'server',
  },
  {
    id: 'P5',
    section: 'ipset.addresses',
    title: 'Addresses exist at aws, gcp and azure only; elsewhere the status has an error.',
    whereItIs: 'server',
  },
  { id: 'GR2', section: 'group.members', title: 'A user is linked by e-mail or by id.', whereItIs: 'server' },
  {
    id: 'GR4',
    section: 'group.built-in',
    title: 'The groups superusers and viewers cannot be deleted; members of superusers cannot remove themselves.',
    whereItIs: 'server',
  },
  {
    id: 'PO8',
    section: 'policy.targets',
    title: 'targetLinks are removed only by $drop or null.',
    whereItIs: 'server patch',
  },
  { id: 'S2', section: 'secret.data', title: 'An update replaces the data of a secret.', whereItIs: 'server patch' },
  {
    id: 'S7',
    section: 'secret.data',
    title: 'The audit trail and logs never contain the data of a secret.',
    whereItIs: 'server',
  },
];
