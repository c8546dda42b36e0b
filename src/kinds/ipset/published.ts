import { type Published, typed } from '../common/words.ts';

export const published: Published = {
  types: {
    IpSetFields: {
      about: 'Reserved addresses for a workload or a GVC.',
      section: 'ipset.addresses',
      fields: { spec: typed('IpSetSpec', 'Settings of the IP set.') },
    },
    IpSetSpec: {
      about: 'Settings of an IP set.',
      section: 'ipset.addresses',
      fields: {
        link:
          'Workload or GVC that uses the addresses. Its load balancer names this IP set in return; without, nothing is ' +
          'reserved.',
        locations: typed('IpSetLocation', 'What happens to the address of a location. Others retain theirs.'),
      },
    },
    IpSetLocation: {
      about: 'The address of an IP set in one location.',
      section: 'ipset.addresses',
      fields: {
        name: 'Location, as a link.',
        retentionPolicy: 'Whether the address is retained (`keep`) or given back (`free`) when its location goes.',
      },
    },
  },
  example: { name: 'egress', description: 'Addresses that partners let in', spec: { link: '//gvc/shop' } },
};
