/** The names of the attributes of a route that the provider reads by themselves. */
export const domainRoute = {
  domain: 'domain',
  domainPort: 'domain_port',
  prefix: 'prefix',
  workloadLink: 'workload_link',
  link: 'link',
} as const;
