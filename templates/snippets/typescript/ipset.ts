import { IpSet, type Stack } from 'gantry';

/** Addresses that stay. A GVC or a workload uses them that names the IP set in its load balancer. */
export function addSample(stack: Stack): IpSet {
  return new IpSet(stack, 'sample', {
    locations: [{ name: '//location/aws-eu-central-1', retentionPolicy: 'keep' }],
  });
}
