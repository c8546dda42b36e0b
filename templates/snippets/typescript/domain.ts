import { Domain, type Stack, type Workload } from 'gantry';

/** A host name whose requests go to a workload. Its DNS record leads to the platform. */
export function addSampleDomain(stack: Stack, workload: Workload): Domain {
  return new Domain(stack, 'sample', {
    dnsMode: 'cname',
    ports: [{ number: 443, protocol: 'http2', routes: [{ prefix: '/', workloadLink: workload, port: 8080 }] }],
  });
}
