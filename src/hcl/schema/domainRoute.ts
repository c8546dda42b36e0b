/** The names of a route's attributes that the provider reads individually. */
export const domainRoute = {
  domain: 'domain',
  domainPort: 'domain_port',
  prefix: 'prefix',
  workloadLink: 'workload_link',
  link: 'link',
} as const;
