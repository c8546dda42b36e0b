import { only, type TypeTable, typed } from '../common/words.ts';

/** Firewall and load balancer of workloads. */
export const networkTypes: TypeTable = {
  Firewall: {
    about: 'Who may call a workload and what it may call. Everything is closed by default.',
    section: 'workload.firewall',
    fields: {
      external: typed('ExternalFirewall', 'Traffic from and to the internet.'),
      internal: typed('InternalFirewall', 'Traffic from other workloads of the org.'),
    },
  },
  ExternalFirewall: {
    about: 'Traffic of a workload from and to the internet. Blocked addresses win over allowed ones.',
    section: 'workload.firewall',
    fields: {
      inboundAllowCIDR: 'Addresses or CIDR blocks that may call; `0.0.0.0/0` is everyone.',
      inboundBlockedCIDR: 'Addresses or CIDR blocks that may not call.',
      outboundAllowHostname: 'Host names that the workload may call, in lower case; `*` only as the first label.',
      outboundAllowCIDR: 'Addresses or CIDR blocks that the workload may call.',
      outboundBlockedCIDR: 'Addresses or CIDR blocks that the workload may not call.',
      outboundAllowPort: typed('OutboundPort', 'Ports on which the allowed host names may be called.'),
      http: typed('HttpFirewall', 'Rules about HTTP requests.'),
    },
  },
  OutboundPort: {
    about: 'A port on which a workload may call others.',
    section: 'workload.firewall',
    fields: { protocol: 'Protocol of the port.', number: 'Port number, 80 to 65000, not reserved by the platform.' },
  },
  HttpFirewall: {
    about: 'Rules about HTTP requests to a workload.',
    section: 'workload.firewall',
    fields: { inboundHeaderFilter: typed('HeaderFilter', 'Lets requests in, or refuses them, by their headers.') },
  },
  HeaderFilter: {
    about: 'A filter by one header, with exactly one of `allowedValues` and `blockedValues`.',
    section: 'workload.firewall',
    fields: {
      key: 'Name of the header; compared without case.',
      allowedValues: 'Regular expressions: only requests whose header matches one of them are let in.',
      blockedValues: 'Regular expressions: requests whose header matches one of them are refused.',
    },
  },
  InternalFirewall: {
    about: 'Traffic of a workload from other workloads of the org.',
    section: 'workload.firewall',
    fields: {
      inboundAllowType:
        'Who may call: nobody, workloads of the same GVC, of the same org, or those of `inboundAllowWorkload`.',
      inboundAllowWorkload:
        'Workloads and agents that may call, with the types `workload-list` and `same-gvc`. `scheme://internal/keda` ' +
        'is the scaler of the platform.',
    },
  },
  WorkloadLoadBalancer: {
    about: 'How requests reach the replicas of a workload.',
    section: 'workload.load-balancer',
    fields: {
      replicaDirect: only(['stateful'], 'Gives each replica an address of its own.'),
      direct: typed('DirectLoadBalancer', 'A load balancer of its own, for ports that are not served over HTTP.'),
      geoLocation: typed('GeoLocation', 'Adds headers that say where a request comes from.'),
    },
  },
  DirectLoadBalancer: {
    about: 'A load balancer for one workload.',
    section: 'workload.load-balancer',
    fields: {
      enabled: 'Switches the load balancer on.',
      ipSet: 'IP set with the reserved addresses of the load balancer; it links back to the workload.',
      ports: typed('DirectPort', 'Ports that are open, each by external port and protocol.'),
    },
  },
  DirectPort: {
    about: 'A port of the load balancer of a workload.',
    section: 'workload.load-balancer',
    fields: {
      externalPort: 'Port on the load balancer.',
      protocol: 'Transport protocol.',
      scheme: 'Protocol that is shown in the address of the endpoint.',
      containerPort: 'Port of the container that receives the traffic.',
    },
  },
  GeoLocation: {
    about: 'Headers that say where a request comes from.',
    section: 'workload.load-balancer',
    fields: {
      enabled: 'Adds the headers. At least one has to be named.',
      headers: typed('GeoLocationHeaders', 'Names of the headers; all differ.'),
    },
  },
  GeoLocationHeaders: {
    about: 'Names of the headers that say where a request comes from.',
    section: 'workload.load-balancer',
    fields: {
      asn: 'Name of the header for the number of the caller’s network (ASN).',
      city: 'Name of the header for the city.',
      country: 'Name of the header for the country.',
      region: 'Name of the header for the region.',
    },
  },
};
