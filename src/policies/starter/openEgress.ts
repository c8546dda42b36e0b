import { policy } from '../model/policy.ts';
import { opensToAll } from './addresses.ts';

const external = 'spec.firewallConfig.external';

/** A workload that was broken into could send whatever it holds to anybody. */
export const openEgress = policy({
  id: 'open-egress',
  about: 'No workload may reach every address or every host.',
  kind: 'workload',
  resource({ spec }) {
    const { outboundAllowCIDR = [], outboundAllowHostname = [] } = spec.firewallConfig?.external ?? {};
    const fix = 'Name the hosts or the blocks of addresses that it needs.';
    return [
      ...outboundAllowCIDR.filter(opensToAll).map((block) => ({
        message: `it may reach every address (${block})`,
        path: `${external}.outboundAllowCIDR`,
        fix,
      })),
      ...outboundAllowHostname
        .filter((host) => host === '*')
        .map(() => ({ message: 'it may reach every host', path: `${external}.outboundAllowHostname`, fix })),
    ];
  },
});
